/** What a workspace asks of the programs that open it, raised with the first record that earlier ones would not heed. */
import type { RecordInput } from '../records/records.ts';
import type { State } from './state.ts';

/** The record that keeps programs of an earlier format out; none where the workspace asks for as much already. */
export function askForFormat(state: State, format: number): RecordInput[] {
  const asked = state.workspace?.minReader ?? 0;
  return asked >= format ? [] : [{ kind: 'format.changed', v: 1, minReader: format, minWriter: format }];
}
