/** The shape of a projection: what one admitted record changes in the rows. */
import type { RecordKind, RecordOf } from '../../core/records/records.ts';
import type { Admitted, State } from '../../core/state/state.ts';
import type { Database } from './sqlite.ts';

export interface Projecting {
  readonly db: Database;
  /** As the fold left it after the whole line. */
  readonly state: State;
  readonly effect: Admitted;
  /** Acts behind this one in the same line. */
  readonly following: () => readonly Admitted[];
}

/** Each family of records brings a table of these; `project.ts` has one for every kind. */
export type Projections<K extends RecordKind> = {
  readonly [Kind in K]: (at: Projecting, record: RecordOf<Kind>) => void;
};

/** For records that no row shows. */
export function noRows(): void {
  return;
}
