/** Which refused records are reported to a human, and which may be a human's whose key another folder keeps. */
import { anyRecord } from '../records/records.ts';
import { unknownKey } from './inadmissible.ts';
import type { Refusal, State } from './state.ts';

const settling: ReadonlySet<string> = new Set(['question.answered', 'question.cancelled', 'question.released']);

/**
 * When a decision on this item was written that only a key which is not trusted here signed (ISO 8601). A program with
 * another home folder finds the decisions of its own human like that; they have no effect, because an agent can write them too.
 */
export function untrustedDecision({ refusals }: State, id: string): string | null {
  return (
    refusals.findLast(({ subject, kind, why }) => subject === id && settling.has(kind) && why.includes(unknownKey))
      ?.time ?? null
  );
}

const known: ReadonlySet<string> = new Set(anyRecord.kinds);

/**
 * Our programs validate records before writing them, so a written and refused record was written by hand. A record of
 * an unknown kind may come from a later program.
 */
export function isAttempt({ reason, kind }: Refusal): boolean {
  return reason !== 'invalid' || known.has(kind);
}
