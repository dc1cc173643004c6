/** The sections of an RFC in order, and how a change applies to a document. */
import { sameTextKey } from '../kit/text.ts';
import {
  type Alternative,
  type RfcDocument,
  type RfcSection,
  sectionKey,
  type SectionKey,
  alternative,
} from '../records/rfc.ts';
import { limits } from '../kit/limits.ts';

export const sectionHeadings: Readonly<Record<Exclude<SectionKey, 'other'>, string>> = {
  summary: 'Summary',
  motivation: 'Motivation',
  detailed_design: 'Detailed design',
  alternatives: 'Alternatives',
  unresolved_questions: 'Open questions',
  implementation_timeline: 'Implementation timeline',
  rollback_plan: 'Rollback plan',
};

/** A caller's changes to a document; omitted parts stay unchanged. */
export interface DocumentChange {
  readonly title?: string | undefined;
  readonly sections?: readonly RfcSection[] | undefined;
  readonly alternatives?: readonly Alternative[] | undefined;
  readonly questions?: readonly Question[] | undefined;
  /** More of them; one with a known name or text replaces it. */
  readonly addAlternatives?: readonly Alternative[] | undefined;
  readonly addQuestions?: readonly Question[] | undefined;
}

type Question = RfcDocument['questions'][number];

/**
 * A section replaces the one with its key, or with its heading if the key is `other`. A list passed by itself replaces
 * the written section.
 */
export function changedDocument(before: RfcDocument, change: DocumentChange): RfcDocument {
  const given = change.sections ?? [];
  const replaced = new Set(given.map(sectionName));
  if (change.alternatives) replaced.add('alternatives');
  if (change.questions) replaced.add('unresolved_questions');
  const kept = before.sections.filter((section) => !replaced.has(sectionName(section)));
  return {
    title: change.title ?? before.title,
    sections: inOrder(before.sections, [...kept, ...given]),
    alternatives: addMissing(change.alternatives ?? before.alternatives, change.addAlternatives, ({ name }) => name),
    questions: addMissing(
      (change.questions ?? before.questions).map(readMark),
      change.addQuestions?.map(readMark),
      ({ text }) => text,
      ({ humanRequired, choices }, question) => ({
        ...(humanRequired ? { humanRequired } : {}),
        ...(choices ? { choices } : {}),
        ...question,
      }),
    ),
  };
}

/** @param keep adds what a replacement does not say from what it replaces */
function addMissing<T>(
  before: readonly T[],
  more: readonly T[] = [],
  textOf: (item: T) => string,
  keep: (old: T, item: T) => T = (_, item) => item,
): T[] {
  const find = (item: T, among: readonly T[]) =>
    among.find((other) => sameTextKey(textOf(other)) === sameTextKey(textOf(item)));
  const replaced = (item: T) => {
    const found = find(item, more);
    return found === undefined ? item : keep(item, found);
  };
  return [...before.map(replaced), ...more.filter((item) => !find(item, before))];
}

/** An author's mark for a question that no model may answer, before or after its words. */
const mark = /^[*_[(]*HUMAN[ _-]REQUIRED[\])*_]*\s*[:.\u2013\u2014-]?\s+|\s+[*_]*[[(]?HUMAN[ _-]REQUIRED[\])]?[*_]*$/;

export function readMark(question: Question): Question {
  const text = question.text.trim().replace(mark, '').trim();
  return text === question.text.trim() || text === '' ? question : { ...question, text, humanRequired: true };
}

export const emptyDocument = (title: string): RfcDocument => ({
  title,
  sections: [],
  alternatives: [],
  questions: [],
});

/** A section with the alternatives that its text does not name: each as Markdown. */
export function withAlternatives(text: string, alternatives: readonly Alternative[]): string {
  const written = bare(text);
  const others = alternatives.filter(({ name }) => !written.includes(bare(name))).map(alternativeText);
  return [text, ...others].filter((part) => part !== '').join('\n\n');
}

function bare(text: string): string {
  return text
    .replace(/[*_`~\s]+/g, ' ')
    .trim()
    .toLowerCase();
}

function alternativeText({ name, description = '', pros, cons, effortEstimate: effort = '' }: Alternative): string {
  const points = (label: string, all: readonly string[]) =>
    all.length === 0 ? '' : `${label}:\n\n${all.map((one) => `- ${one.replaceAll('\n', '\n  ')}`).join('\n')}`;
  return [`### ${name}`, description, points('For', pros), points('Against', cons), effort && `Effort: ${effort}`]
    .filter((part) => part !== '')
    .join('\n\n');
}

function sectionName({ key, heading }: { readonly key: SectionKey; readonly heading: string }): string {
  return key === 'other' ? `other ${heading.trim().toLowerCase()}` : key;
}

/** Keeps the author's order; new standard sections go to their usual position, others to the end. */
function inOrder(before: readonly RfcSection[], sections: readonly RfcSection[]): RfcSection[] {
  if (before.length === 0 && sections.some(({ key }) => key === 'other')) return [...sections];
  const places = new Map(before.map((section, index) => [sectionName(section), index]));
  const rank = (section: RfcSection) => {
    const known = places.get(sectionName(section));
    if (known !== undefined) return known;
    const own = sectionKey.options.indexOf(section.key);
    const after = before.findLastIndex(({ key }) => key !== 'other' && sectionKey.options.indexOf(key) < own);
    return section.key === 'other' ? before.length : after + 0.5;
  };
  return [...sections].sort(
    (a, b) => rank(a) - rank(b) || sectionKey.options.indexOf(a.key) - sectionKey.options.indexOf(b.key),
  );
}

// Fits a document into the limits, so that no human-written document is refused for its length. Shortens names visibly,
// leaves long descriptions to the text, and keeps the full wording in the section's text.

type OpenQuestion = RfcDocument['questions'][number];

/** How the document differs from the file. */
export type NoteKind =
  | 'heading_shortened'
  | 'title_shortened'
  | 'question_shortened'
  | 'answer_as_text'
  | 'alternative_as_text'
  | 'question_as_text'
  | 'section_joined';
export type Notes = ReadonlyMap<NoteKind, number>;

export interface Fitted {
  readonly document: DocumentChange;
  readonly notes: Notes;
}

export function fitDocument({ title, sections = [], alternatives, questions }: DocumentChange): Fitted {
  const notes = new Map<NoteKind, number>();
  const note = (kind: NoteKind, count = 1) => {
    if (count > 0) notes.set(kind, (notes.get(kind) ?? 0) + count);
  };
  const isLong = title !== undefined && title.length > limits.title;
  if (isLong) note('title_shortened');
  const whole: RfcSection[] = isLong ? [{ key: 'other', heading: 'Title', text: title }] : [];
  const fit = [...whole, ...sections.map((section) => fittedSection(section, note))];
  return {
    document: {
      ...(title === undefined ? {} : { title: shortenText(title, limits.title) }),
      sections: joinSections(fit, note),
      ...(alternatives && { alternatives: fittedAlternatives(alternatives, note) }),
      ...(questions && { questions: fittedQuestions(questions, note) }),
    },
    notes,
  };
}

type Note = (kind: NoteKind, count?: number) => void;

/** At most `max` characters, with an ellipsis if truncated. */
export function shortenText(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text
    .slice(0, max - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}

function fittedSection({ key, heading, text }: RfcSection, note: Note): RfcSection {
  if (heading.length <= limits.title) return { key, heading, text };
  note('heading_shortened');
  return { key, heading: shortenText(heading, limits.title), text: `${heading}\n\n${text}` };
}

/** Merges excess sections into the one before, under their headings. */
function joinSections(sections: readonly RfcSection[], note: Note): RfcSection[] {
  const surplus = sections.length - limits.listItems;
  if (surplus <= 0) return [...sections];
  note('section_joined', surplus);
  const others = sections.flatMap(({ key }, index) => (key === 'other' && index > 0 ? [index] : []));
  const moved = new Set(others.slice(-surplus));
  const kept: RfcSection[] = [];
  for (const [index, section] of sections.entries()) {
    const last = kept.at(-1);
    if (last && moved.has(index))
      kept[kept.length - 1] = { ...last, text: `${last.text}\n\n## ${section.heading}\n\n${section.text}` };
    else kept.push(section);
  }
  return kept;
}

/** One that exceeds a limit is only in the text. */
function fittedAlternatives(alternatives: readonly Alternative[], note: Note): Alternative[] {
  const fit = alternatives.filter((one) => alternative.safeParse(one).success).slice(0, limits.listItems);
  note('alternative_as_text', alternatives.length - fit.length);
  return fit;
}

/** Loses no question: beyond the limit, one question stands for the rest, and stays open while any of them is. */
function fittedQuestions(questions: readonly OpenQuestion[], note: Note): OpenQuestion[] {
  const fit = questions.map(({ text, answered, answer, choices }): OpenQuestion => {
    if (text.length > limits.questionText) note('question_shortened');
    const isLong = answer !== undefined && answer.length > limits.otherText;
    if (isLong) note('answer_as_text');
    return {
      text: shortenText(text, limits.questionText),
      answered,
      ...(answer === undefined ? {} : { answer: shortenText(answer, limits.otherText) }),
      ...(choices === undefined ? {} : { choices }),
    };
  });
  const surplus = fit.length - limits.listItems;
  const rest = surplus > 0 ? fit.slice(limits.listItems - 1) : [];
  note('question_as_text', rest.length);
  const kept = [
    ...fit.slice(0, fit.length - rest.length),
    ...(rest.length === 0
      ? []
      : [
          {
            text: `${String(rest.length)} further questions: they are in the text.`,
            answered: rest.every(({ answered }) => answered),
          },
        ]),
  ];
  // Questions that differ only after the cut become one; if either is open, it is open.
  const byText = new Map<string, OpenQuestion>();
  for (const question of kept) {
    const key = sameTextKey(question.text);
    if (!byText.has(key) || !question.answered) byText.set(key, question);
  }
  return [...byText.values()];
}
