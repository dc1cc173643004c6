/** The interface of a projection: the row changes of one admitted record. */
import type { RecordKind, RecordOf } from '../../core/records/records.ts';
import type { Admitted, State } from '../../core/state/state.ts';
import type { Database } from './sqlite.ts';

export interface Projecting {
  readonly db: Database;
  /** The state after the whole line. */
  readonly state: State;
  readonly effect: Admitted;
  /** Records that follow this one in the same line. */
  readonly following: () => readonly Admitted[];
}

/** Each family of records brings a table of these; `project.ts` combines them for every kind. */
export type Projections<K extends RecordKind> = {
  readonly [Kind in K]: (at: Projecting, record: RecordOf<Kind>) => void;
};

/** For records without rows. */
export function noRows(): void {
  return;
}
