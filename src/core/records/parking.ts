/**
 * Parking: an agent that waits too long for an answer writes a resume brief and ends its turn. The question holds what it
 * held; the session that resumes the work gets the brief with the answer.
 */
import * as z from 'zod';
import { workspacePath, otherText, questionId } from '../kit/fields.ts';
import { list, record } from './parts.ts';

/** Characters of a whole brief. */
export const briefLength = 4_000;

const brief = () =>
  z
    .object({ doing: otherText, next: otherText, files: list(workspacePath), checkFirst: otherText.optional() })
    .refine((one) => lengthOf(one) <= briefLength, `has more than ${String(briefLength)} characters`);

/** What the agent was doing, what comes next, with which files, and what to check before that. */
export interface ResumeBrief {
  readonly doing: string;
  readonly next: string;
  readonly files: readonly string[];
  readonly checkFirst?: string | undefined;
}

/** A host's id of a session, which becomes an argument of its program: never an option, nor anything to quote. */
export const hostSession = z.string().regex(/^[A-Za-z0-9][\w-]{7,99}$/, 'must be letters, digits, _ and -');

export const parkingRecords = [
  record('question.parked', () => ({ id: questionId, session: hostSession.optional(), brief: brief() })),
] as const;

export function lengthOf({ doing, next, files, checkFirst = '' }: ResumeBrief): number {
  return [doing, next, checkFirst, ...files].reduce((sum, text) => sum + text.length, 0);
}
