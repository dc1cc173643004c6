/**
 * The optional texts of a question: what each is called in records, in the JSON of views, tools and exports, and as a
 * column. Records, rows, views, exports and imports derive their fields from this list.
 */
import * as z from 'zod';
import { otherText } from './fields.ts';

export const questionNotes = [
  { record: 'background', view: 'background', column: 'background_reasoning' },
  { record: 'context', view: 'context', column: 'context_snippet' },
  { record: 'impact', view: 'impact', column: 'estimated_impact' },
  { record: 'ifDelayed', view: 'if_delayed', column: 'what_happens_if_delayed' },
  { record: 'assumption', view: 'assumption', column: 'assumption' },
  { record: 'for', view: 'for', column: 'addressed_to' },
] as const;

type Note = (typeof questionNotes)[number];
/** As records have them. */
export type RecordNotes = { readonly [One in Note as One['record']]?: string };
/** As views and exports have them. */
export type ViewNotes = { readonly [One in Note as One['view']]: string | null };
/** As rows have them. */
export type RowNotes = { readonly [One in Note as One['column']]: string | null };

export function noteFields() {
  return fields('record', otherText.optional());
}

export function exportedNoteFields() {
  return fields('view', z.string().nullable());
}

function fields<Layer extends keyof Note, Field>(layer: Layer, field: Field) {
  const entries = questionNotes.map((note) => [note[layer], field]);
  return Object.fromEntries(entries) as { readonly [One in Note as One[Layer]]: Field };
}

export function rowNotes(notes: { readonly [Name in keyof RecordNotes]: string | undefined }): RowNotes {
  const row: Record<string, string | null> = {};
  for (const { record, column } of questionNotes) row[column] = notes[record] ?? null;
  return row as RowNotes;
}

export function viewNotes(notes: { readonly [Name in keyof RecordNotes]: string | undefined }): ViewNotes {
  return Object.fromEntries(questionNotes.map(({ view, record }) => [view, notes[record] ?? null])) as ViewNotes;
}

/** From a view or a tool's input; what is missing there is missing in the record. */
export function recordNotes(given: { readonly [Name in keyof ViewNotes]?: string | null | undefined }): RecordNotes {
  const entries = questionNotes.map(({ record, view }) => [record, given[view]]);
  return Object.fromEntries(entries.filter(([, text]) => typeof text === 'string')) as RecordNotes;
}
