/** The document of an RFC for its review: sections, changes in each, and threads. */
import { raisedOf } from '../../core/state/state.ts';
import * as l10n from '@vscode/l10n';
import { withAlternatives } from '../../core/rfc/document.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { sameTextKey } from '../../core/kit/text.ts';
import type { writtenQuestions, WrittenQuestions } from '../../core/rfc/lists.ts';
import { documentOf, type OpenQuestionView, type ThreadView } from '../../app/rfc/parts.ts';
import { difference, type DifferenceRow } from '../../core/kit/difference.ts';
import type { Anchor, RfcDocument, RfcSection, FeedbackType } from '../../core/records/rfc.ts';
import type { Rfc } from '../../core/state/items.ts';
import type { View } from '../../store/store.ts';
import type { Person, Time, Token } from '../kit/view.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';

export interface Author extends Person {
  kind: 'human' | 'agent' | 'reviewer' | 'system';
  /** A human's name without a signature. */
  unsigned?: true | undefined;
}

/** A comment and its replies. Stored outside the document, so a new revision cannot change or remove it. */
export interface Thread {
  key: Token;
  type: FeedbackType;
  blocking: boolean;
  by: Author;
  at: Time;
  /** The quoted words of the document. */
  quote?: string | undefined;
  /** Markdown. */
  text: string;
  /** The revision it was written about; `outdated` when its section has changed since. */
  revision: number;
  outdated: boolean;
  replies: readonly { by: Author; at: Time; text: string }[];
  resolved?: { by: Person; at: Time } | undefined;
}

type AnswerStanding =
  | { type: 'open' }
  /** Answered by the AI reviewer: labelled as such, and one click rejects it. */
  | {
      type: 'answeredByModel';
      model: string;
      at: Time;
      answer: string;
      evidence?: string | undefined;
      confidence?: 'low' | 'medium' | 'high' | undefined;
    }
  /** Only a human can answer: the form for it, and the model's rejected answer, or why the model could not answer. */
  | { type: 'waitsForHuman'; question?: { key: Token; id: string } | undefined }
  | { type: 'answeredByHuman'; by: Person; at: Time; answer: string }
  /** Answered in the document itself. */
  | { type: 'settled'; answer?: string | undefined };

/** An answer that the author offers. */
export interface OfferedChoice {
  label: string;
  description?: string | undefined;
  recommended?: true | undefined;
}

export interface OpenQuestion {
  key: Token;
  text: string;
  choices: readonly OfferedChoice[];
  /** Markdown: what its author says to it. */
  more?: string | undefined;
  standing: AnswerStanding;
}

/** A section of the document. Texts are Markdown. */
export interface Section {
  /** Identifies the section: the same in every revision that has it. */
  id: Token;
  title: string;
  /** Absent if the section only has comments. */
  text?: string | undefined;
  questions: readonly OpenQuestion[];
  threads: readonly Thread[];
  /** Compared with the reader's last review; `gone` means that this revision no longer has it. */
  change: 'none' | 'changed' | 'new' | 'gone';
  /** Present while a comparison is shown and this section differs. */
  difference?: readonly DifferenceRow[] | undefined;
}

/** Place of comments without a section, or on a section that this revision lacks. */
const whole = 'whole';

/** One part of a document: its title, its text, and its lines for comparison. */
interface Part {
  readonly id: string;
  readonly anchor: NonNullable<Anchor>;
  readonly text: string;
  readonly source: string;
}

/** The text under a question, and the document's choices for it. */
export interface WrittenUnder {
  readonly choices: readonly OfferedChoice[];
  readonly more: string;
}

export interface SectionsOptions {
  readonly view: View;
  readonly rfc: Rfc;
  readonly revision: number;
  /** The revision of the reader's last review. */
  readonly reviewed: number | undefined;
  readonly compared: number | undefined;
  readonly questions: readonly OpenQuestionView[];
  readonly threads: readonly ThreadView[];
  readonly readQuestions: typeof writtenQuestions;
  readonly question: (one: OpenQuestionView, written: WrittenUnder) => OpenQuestion;
  readonly thread: (one: ThreadView, outdated: boolean) => Thread;
}

export function sectionsModel(options: SectionsOptions): Section[] {
  const { view, rfc, revision, reviewed, compared, threads, question } = options;
  const documents = new Map<number, readonly Part[]>();
  const partsOf = (number: number): readonly Part[] => {
    const known = documents.get(number) ?? parts(documentOf(view, rfc, number));
    documents.set(number, known);
    return known;
  };
  const shown = partsOf(revision);
  const before = reviewed === undefined || reviewed >= revision ? null : partsOf(reviewed);
  const other = compared === undefined ? null : partsOf(compared);
  const document = documentOf(view, rfc, revision);
  const place = (thread: ThreadView) =>
    shown.find(({ anchor }) => thread.section !== null && isSameAnchor(anchor, thread.section))?.id ?? whole;
  const outdated = (thread: ThreadView): boolean => {
    const { section } = thread;
    if (section === null || thread.revision >= revision) return false;
    const [then, now] = [partsOf(thread.revision), shown].map((all) =>
      all.find(({ anchor }) => isSameAnchor(anchor, section)),
    );
    return then?.source !== now?.source;
  };
  const threadsAt = (id: string) =>
    threads.filter((one) => place(one) === id).map((one) => options.thread(one, outdated(one)));

  const known = new Set(options.questions.map(({ text }) => sameTextKey(text)));
  const present = shown.map((part): Section => {
    // Each question has its own box, so the text does not repeat it.
    const asks = part.anchor.key === 'unresolved_questions' ? options.readQuestions(part.text, known) : undefined;
    const rows = other === null ? [] : difference(sourceIn(other, part), part.source);
    return {
      id: part.id,
      title: part.anchor.heading,
      text: asks?.rest ?? part.text,
      questions: asks ? options.questions.map((one) => question(one, questionsUnder(document, asks, one.text))) : [],
      threads: threadsAt(part.id),
      change: before === null ? 'none' : changeOf(before, part),
      ...(rows.length === 0 ? {} : { difference: rows }),
    };
  });
  const gone = (other ?? []).filter(({ anchor }) => !shown.some((part) => isSameAnchor(part.anchor, anchor)));
  return [
    ...present,
    ...gone.map((part): Section => {
      const rows = difference(part.source, '');
      return { ...emptySection(`gone:${part.id}`, part.anchor.heading), text: '', change: 'gone', difference: rows };
    }),
    { ...emptySection(whole, l10n.t('The RFC as a whole')), threads: threadsAt(whole) },
  ];
}

/** Earlier documents have no choices: their lists are text. */
function questionsUnder({ questions }: RfcDocument, { byText }: WrittenQuestions, text: string): WrittenUnder {
  const { choices } = questions.find((one) => one.text === text) ?? {};
  const written = byText.get(sameTextKey(text));
  return { choices: choices ?? [], more: (choices ? written?.more : written?.all) ?? '' };
}

/**
 * The anchor of a comment at a place of a revision. Null: the whole revision.
 * @throws AppError `not_found` for an unknown place
 */
export function anchorOf(view: View, rfc: Rfc, revision: number, id: string): Anchor {
  if (id === whole) return null;
  const found = parts(documentOf(view, rfc, revision)).find((part) => part.id === id);
  if (!found) throw new AppError('not_found', l10n.t('This section no longer exists.'));
  return found.anchor;
}

function emptySection(id: string, title: string): Section {
  return { id, title, questions: [], threads: [], change: 'none' };
}

/** Alternatives and open questions appear at their headings; without a heading they get their own place. */
function parts({ sections, alternatives, questions }: RfcDocument): Part[] {
  const has = (key: RfcSection['key']) => sections.some((section) => section.key === key);
  const all: RfcSection[] = [...sections];
  if (alternatives.length > 0 && !has('alternatives'))
    all.push({ key: 'alternatives', heading: l10n.t('Alternatives'), text: '' });
  if (questions.length > 0 && !has('unresolved_questions'))
    all.push({ key: 'unresolved_questions', heading: l10n.t('Open questions'), text: '' });
  const ids = new Set<string>();
  return all.map(({ key, heading, text: own }) => {
    const text = key === 'alternatives' ? withAlternatives(own, alternatives) : own;
    const lines = [
      text,
      ...(key === 'unresolved_questions' ? questions.map((one) => `- [${one.answered ? 'x' : ' '}] ${one.text}`) : []),
    ];
    return {
      id: uniqueId(ids, key === 'other' ? `other:${heading}`.slice(0, 180) : key),
      anchor: { key, heading },
      text,
      source: lines.filter((line) => line !== '').join('\n'),
    };
  });
}

/** Makes ids unique, because two headings may be equal. */
function uniqueId(ids: Set<string>, id: string): string {
  let free = id;
  for (let number = 2; ids.has(free); number++) free = `${id}#${String(number)}`;
  ids.add(free);
  return free;
}

/** Sections match by key, whatever their title; the author's own sections match by heading. */
function isSameAnchor(a: NonNullable<Anchor>, b: NonNullable<Anchor>): boolean {
  return a.key === b.key && (a.key !== 'other' || a.heading === b.heading);
}

function sourceIn(all: readonly Part[], part: Part): string {
  return all.find(({ anchor }) => isSameAnchor(anchor, part.anchor))?.source ?? '';
}

function changeOf(before: readonly Part[], part: Part): Section['change'] {
  const former = before.find(({ anchor }) => isSameAnchor(anchor, part.anchor));
  if (!former) return 'new';
  return former.source === part.source ? 'none' : 'changed';
}

// The open questions of an RFC as its review shows them.

/** @returns null until the question is raised */
function raisedChoices(view: View, id: string | undefined): OpenQuestion['choices'] | null {
  const question = view.state.questions.get(id ?? '');
  if (!question) return null;
  return raisedOf(view.state, question).choices.map(({ label, description, recommended }) => ({
    label,
    ...(description === undefined ? {} : { description }),
    ...(recommended ? { recommended } : {}),
  }));
}

interface QuestionOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly view: View;
  readonly one: OpenQuestionView;
  readonly written: WrittenUnder;
  readonly you: string | null;
}

export function questionModel({ folders, folder, view, one, written, you }: QuestionOptions): OpenQuestion {
  const choices = raisedChoices(view, one.human?.question_id) ?? [...written.choices];
  return {
    key: String(one.number),
    text: one.text,
    choices,
    ...(written.more === '' ? {} : { more: written.more }),
    standing: standingModel(folders, folder, one, you),
  };
}

function standingModel(
  folders: Folders,
  folder: OpenFolder,
  { state, author_answer: author, ai_answer: model, human }: OpenQuestionView,
  you: string | null,
): OpenQuestion['standing'] {
  const person = (name: string) => ({ name, you: name === you });
  switch (state) {
    case 'unanswered':
      return { type: 'open' };
    case 'author_answered':
      return { type: 'settled', ...(author === null ? {} : { answer: author }) };
    case 'ai_answered':
      return {
        type: 'answeredByModel',
        model: model?.model ?? l10n.t('a language model'),
        at: model?.at ?? '',
        answer: model?.answer ?? '',
        ...(model && model.evidence.length > 0
          ? { evidence: model.evidence.map((line) => `- ${line.replaceAll('\n', '\n  ')}`).join('\n') }
          : {}),
        ...(model?.confidence === 'low' || model?.confidence === 'medium' || model?.confidence === 'high'
          ? { confidence: model.confidence }
          : {}),
      };
    case 'human_required':
      return {
        type: 'waitsForHuman',
        ...(human ? { question: { key: folders.keyOf(folder, human.question_id), id: human.question_id } } : {}),
      };
    case 'human_answered':
      return {
        type: 'answeredByHuman',
        by: person(human?.by ?? ''),
        at: human?.at ?? '',
        answer: human?.answer ?? '',
      };
  }
}
