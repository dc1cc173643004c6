/**
 * All kinds of records in the journal. One line is one committed act; its records are immutable domain facts. No kind
 * releases a hold without an envelope: an unsigned release cannot be expressed.
 */
import * as z from 'zod';
import type { ActOf } from '../state/state.ts';
import { decisions } from '../decision/decisions.ts';
import { format } from './parts.ts';
import { plainRecords } from './plain.ts';

export type { Answer, Choice } from './question.ts';
export { lineBody } from './plain.ts';
export type { Actor, CountedLine, EventClosed, LineBody, QuestionRaised } from './plain.ts';
export type { SignedRecord } from '../decision/decisions.ts';

const kinds = [...plainRecords, ...decisions.map(({ record }) => record)] as const;
type AnySchema = (typeof plainRecords)[number]['schema'] | (typeof decisions)[number]['record']['schema'];
const byKind = new Map<unknown, (typeof kinds)[number]>(kinds.map((known) => [known.kind, known]));

export const anyRecord = {
  kinds: kinds.map(({ kind }): string => kind),
  /** What records of this kind are read as; null for a kind that is not known. */
  schema: (kind: unknown): z.ZodType | null => byKind.get(kind)?.schema ?? null,
  isSigned: (kind: unknown): boolean => 'envelope' in (byKind.get(kind)?.schema.shape ?? {}),
  safeParse(raw: unknown): z.ZodSafeParseResult<JournalRecord> {
    const kind = typeof raw === 'object' && raw !== null && 'kind' in raw ? raw.kind : undefined;
    return (byKind.get(kind)?.schema ?? noKind).safeParse(raw);
  },
};
const noKind = z.never('is of a kind this program does not know');

export type JournalRecord = z.output<AnySchema>;
/** A record as passed by a writer: members with defaults are optional. */
export type RecordInput = z.input<AnySchema>;

/**
 * The first records of a journal.
 * @param workspace its random id
 */
export function beginningOf(workspace: string): RecordInput {
  const { minReader, minWriter } = format;
  return { kind: 'workspace.created', v: 1, workspace, minReader, minWriter };
}

export type RecordKind = JournalRecord['kind'];
export type RecordOf<K extends RecordKind> = Extract<JournalRecord, { kind: K }>;

/** A record that took effect, with its line and, if signed, the signer. */
export type Admitted = ActOf<JournalRecord>;
