/** The document of an RFC for its review: sections, changes in each, questions and threads. */
import { raisedOf } from '../../core/state/state.ts';
import * as l10n from '@vscode/l10n';
import { withAlternatives } from '../../core/rfc/document.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { sameTextKey } from '../../core/kit/text.ts';
import type { writtenQuestions } from '../../core/rfc/lists.ts';
import { documentOf, type OpenQuestionView, type ThreadView } from '../../app/rfc/parts.ts';
import { difference, type DifferenceRow } from '../../core/kit/difference.ts';
import type { Anchor, RfcDocument, RfcSection } from '../../core/records/rfc.ts';
import type { Rfc } from '../../core/state/items.ts';
import type { View } from '../../store/store.ts';
import type { Token } from '../kit/view.ts';

/** A comment and its replies. Stored outside the document, so a new revision cannot change or remove it. */
export interface Thread extends ThreadView {
  /** Its section has changed since the revision that it was written about. */
  readonly outdated: boolean;
}

/** An answer that the author offers. */
export interface OfferedChoice {
  readonly label: string;
  readonly description?: string | undefined;
  readonly recommended?: boolean | undefined;
}

export interface OpenQuestion extends OpenQuestionView {
  readonly choices: readonly OfferedChoice[];
  /** Markdown: what its author says to it. */
  readonly more: string;
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
}

export function sectionsModel(options: SectionsOptions): Section[] {
  const { view, rfc, revision, reviewed, compared, threads, questions } = options;
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
  const isOutdated = ({ section, revision: then }: ThreadView): boolean =>
    section !== null && then < revision && sourceIn(partsOf(then), section) !== sourceIn(shown, section);
  const threadsAt = (id: string): Thread[] =>
    threads
      .filter(({ section }) => (partAt(shown, section)?.id ?? whole) === id)
      .map((one) => ({ ...one, outdated: isOutdated(one) }));

  const known = new Set(questions.map(({ text }) => sameTextKey(text)));
  const present = shown.map((part): Section => {
    // Each question has its own box, so the text does not repeat it.
    const asks = part.anchor.key === 'unresolved_questions' ? options.readQuestions(part.text, known) : undefined;
    const rows = other === null ? [] : difference(sourceIn(other, part.anchor), part.source);
    const asked = (one: OpenQuestionView): OpenQuestion => {
      const { choices } = document.questions.find(({ text }) => text === one.text) ?? {};
      const written = asks?.byText.get(sameTextKey(one.text));
      // Earlier documents have no choices: their lists are text.
      const more = (choices ? written?.more : written?.all) ?? '';
      return { ...one, more, choices: raisedChoices(view, one) ?? choices ?? [] };
    };
    return {
      id: part.id,
      title: part.anchor.heading,
      text: asks?.rest ?? part.text,
      questions: asks ? questions.map(asked) : [],
      threads: threadsAt(part.id),
      change: before === null ? 'none' : changeOf(partAt(before, part.anchor), part),
      ...(rows.length === 0 ? {} : { difference: rows }),
    };
  });
  const gone = (other ?? []).filter(({ anchor }) => !partAt(shown, anchor));
  const none = { questions: [], threads: [] };
  return [
    ...present,
    ...gone.map(({ id, anchor, source }): Section => {
      const rows = difference(source, '');
      return { ...none, id: `gone:${id}`, title: anchor.heading, text: '', change: 'gone', difference: rows };
    }),
    { ...none, id: whole, title: l10n.t('The RFC as a whole'), threads: threadsAt(whole), change: 'none' },
  ];
}

/** Of the question that a human was asked: agents may have changed the document since. Null until it is raised. */
function raisedChoices({ state }: View, { human }: OpenQuestionView): readonly OfferedChoice[] | null {
  const question = state.questions.get(human?.question_id ?? '');
  return question ? raisedOf(state, question).choices : null;
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
function partAt(all: readonly Part[], section: Anchor): Part | undefined {
  return all.find(
    ({ anchor: { key, heading } }) => key === section?.key && (key !== 'other' || heading === section.heading),
  );
}

function sourceIn(all: readonly Part[], section: Anchor): string {
  return partAt(all, section)?.source ?? '';
}

function changeOf(former: Part | undefined, part: Part): Section['change'] {
  if (!former) return 'new';
  return former.source === part.source ? 'none' : 'changed';
}
