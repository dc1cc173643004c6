/** The sections of an RFC in order, and how a change applies to a document. */
import { sameTextKey } from '../kit/text.ts';
import type { Alternative, RfcDocument, RfcSection } from '../records/rfc.ts';
import { sectionKey, type SectionKey } from '../records/rfcWords.ts';

/** Default headings of the standard sections. */
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

/** Identifies a section within a document. */
export function sectionName({ key, heading }: { readonly key: SectionKey; readonly heading: string }): string {
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
