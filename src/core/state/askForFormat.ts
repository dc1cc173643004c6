/** Raises the format that a workspace requires of programs, with the first record that earlier ones would ignore. */
import type { RecordInput } from '../records/records.ts';
import type { State } from './state.ts';

/**
 * From this format on, records also follow the rules below; in a workspace that does not ask for it they have the effect
 * they had before, so that a journal folds as it did when it was written.
 *
 * - Only an active event that is at least as grave supersedes another.
 * - Only its author, an agent to whom it was handed over, or a human changes or submits an RFC.
 * - An approval names each open question that it leaves without an answer.
 * - A reassigned request is offered to its new target from the start.
 * - Requests keep notices for the agents of their parties.
 */
export const ruleFormat = 5;

/** Whether the rules of a format apply to the next record. */
export function hasFormat({ workspace }: Pick<State, 'workspace'>, format: number): boolean {
  return (workspace?.minReader ?? 0) >= format;
}

/** The record that locks out programs of earlier formats; none if the workspace already requires it. */
export function askForFormat(state: State, format: number): RecordInput[] {
  return hasFormat(state, format) ? [] : [{ kind: 'format.changed', v: 1, minReader: format, minWriter: format }];
}
