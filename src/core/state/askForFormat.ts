/** Raises the format that a workspace requires of programs, with the first record that earlier ones would ignore. */
import type { RecordInput } from '../records/records.ts';
import type { State } from './state.ts';

/** Whether the workspace asks for programs of this format. */
export function hasFormat({ workspace }: Pick<State, 'workspace'>, format: number): boolean {
  return (workspace?.minReader ?? 0) >= format;
}

/** The record that locks out programs of earlier formats; none if the workspace already requires it. */
export function askForFormat(state: State, format: number): RecordInput[] {
  return hasFormat(state, format) ? [] : [{ kind: 'format.changed', v: 1, minReader: format, minWriter: format }];
}
