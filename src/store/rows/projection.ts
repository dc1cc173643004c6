/** What a projection is: the changes that one record makes in the index. */
import type { RecordKind, RecordOf } from '../../core/records/records.ts';
import type { Admitted, State } from '../../core/state/state.ts';
import type { ChangedItems } from './items.ts';
import type { Database } from './sqlite.ts';

export interface Projecting {
  readonly db: Database;
  readonly items: ChangedItems;
  /** As it is now: after this line, or after later ones too. */
  readonly state: State;
  readonly effect: Admitted;
  /** Records that follow this one in the same line. */
  readonly following: () => readonly Admitted[];
}

/** What records of some kinds change besides the items that the state has. */
export type Projections<K extends RecordKind> = {
  readonly [Kind in K]?: (at: Projecting, record: RecordOf<Kind>) => void;
};
