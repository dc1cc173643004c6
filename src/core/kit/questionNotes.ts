/**
 * The optional texts of a question: what each is called in records, in the JSON of views, tools and exports, and as a
 * column; its title for readers; and what agents are told about it. All of these derive their fields from this list.
 */
import * as z from 'zod';
import { otherText } from './fields.ts';

export const questionTexts = [
  { record: 'background', view: 'background', column: 'background_reasoning', title: 'Background' },
  { record: 'context', view: 'context', column: 'context_snippet', title: 'Context' },
  { record: 'impact', view: 'impact', column: 'estimated_impact', title: 'Impact' },
  { record: 'ifDelayed', view: 'if_delayed', column: 'what_happens_if_delayed', title: 'If this waits' },
  { record: 'assumption', view: 'assumption', column: 'assumption', title: 'Assumption' },
] as const;

const about: Readonly<Record<(typeof questionTexts)[number]['view'], string>> = {
  background: 'Why you ask: what you found, in Markdown.',
  context: 'The code or text the question is about.',
  impact: 'The impact, for example "Delays API tokens by 2 days".',
  if_delayed: 'What happens if the answer comes late.',
  assumption: 'async: what you assume until the answer comes.',
};

/** Those, and whom the question is for, which is a name. */
export const questionNotes = [...questionTexts, { record: 'for', view: 'for', column: 'addressed_to' }] as const;

type Note = (typeof questionNotes)[number];
export type RecordNotes = { readonly [One in Note as One['record']]?: string };
export type ViewNotes = { readonly [One in Note as One['view']]: string | null };

export function noteFields() {
  return fields('record', otherText.optional());
}

export function textInputs() {
  const entries = questionTexts.map(({ view }) => [view, otherText.describe(about[view]).optional()]);
  return Object.fromEntries(entries) as { readonly [Name in keyof typeof about]: z.ZodOptional<typeof otherText> };
}

export function exportedNoteFields() {
  return fields('view', z.string().nullable());
}

function fields<Layer extends keyof Note, Field>(layer: Layer, field: Field) {
  const entries = questionNotes.map((note) => [note[layer], field]);
  return Object.fromEntries(entries) as { readonly [One in Note as One[Layer]]: Field };
}

export function viewNotes(notes: { readonly [Name in keyof RecordNotes]: string | undefined }): ViewNotes {
  return Object.fromEntries(questionNotes.map(({ view, record }) => [view, notes[record] ?? null])) as ViewNotes;
}

/** From a view or a tool's input; what is missing there is missing in the record. */
export function recordNotes(given: { readonly [Name in keyof ViewNotes]?: string | null | undefined }): RecordNotes {
  const entries = questionNotes.map(({ record, view }) => [record, given[view]]);
  return Object.fromEntries(entries.filter(([, text]) => typeof text === 'string')) as RecordNotes;
}
