/** The records of a line that raise questions: where the texts of closed questions are. */
import { anyRecord, type CountedLine, type QuestionRaised } from '../records/records.ts';
import type { LinePlace } from '../state/state.ts';

function isRaising(raw: unknown, id: string | null): boolean {
  if (typeof raw !== 'object' || raw === null || !('kind' in raw) || raw.kind !== 'question.raised') return false;
  return id === null || ('id' in raw && raw.id === id);
}

export function raisesSome({ records }: CountedLine): boolean {
  return records.some((raw) => isRaising(raw, null));
}

/** Null where the question could not be read from the line again: an import brought it, or another record has its id. */
export function placeIn({ records, at, end, hash }: CountedLine, id: string): LinePlace | null {
  return records.filter((raw) => isRaising(raw, id)).length === 1 ? { at, end, hash } : null;
}

/** @throws Error where none of them raises it */
export function raisedAmong(records: readonly unknown[], id: string): QuestionRaised {
  const found = anyRecord.safeParse(records.find((raw) => isRaising(raw, id))).data;
  if (found?.kind !== 'question.raised') throw new Error(`no record of its line raises ${id}`);
  return found;
}
