/** The shape of a record's effect. Each family of records brings a table of them; `fold/table.ts` has one for every kind. */
import type { Change } from './change.ts';
import type { DecisionPayload, Trust } from '../records/decision.ts';
import type { CountedLine, RecordKind, RecordOf, SignedRecord } from '../records/records.ts';
import type { Admitted, State } from './state.ts';

/** What one record is folded with. */
export interface Folding {
  readonly state: State;
  readonly change: Change;
  readonly line: CountedLine;
  readonly trust: Trust;
  /** Adds an act that this record brings with it, such as a row of an import. */
  readonly bring: (act: Admitted) => void;
}

/** A signed record comes with its payload: the signature is good, and was given for this record in this place. */
export interface Deciding extends Folding {
  readonly payload: DecisionPayload;
  readonly keyid: string;
}

/** Changes the state, or throws `Inadmissible` and changes nothing. */
type Effect<K extends RecordKind> =
  RecordOf<K> extends SignedRecord
    ? (at: Deciding, record: RecordOf<K>) => void
    : (at: Folding, record: RecordOf<K>) => void;

export type Effects<K extends RecordKind> = { readonly [Kind in K]: Effect<Kind> };

/** For records whose mark on the journal is all there is to them. */
export function noEffect(): void {
  return;
}
