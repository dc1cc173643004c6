/**
 * The interface of a record's effect. Each family of records brings a table of effects; `fold/fold.ts` combines them
 * for every kind that needs no signature; signed kinds are in `decision`.
 */
import type { Change } from './change.ts';
import type { DecisionPayload, Trust } from '../records/decision.ts';
import type { CountedLine, PlainKind, PlainOf, PlainRecord } from '../records/plain.ts';
import type { ActOf, State } from './state.ts';

/** The input for folding one record. */
export interface Folding {
  readonly state: State;
  readonly change: Change;
  readonly line: CountedLine;
  readonly trust: Trust;
  /** Adds an act caused by this record, such as a row of an import. */
  readonly bring: (act: ActOf<PlainRecord>) => void;
}

/** A signed record comes with its payload; the signature is valid for this record and place. */
export interface Deciding extends Folding {
  readonly payload: DecisionPayload;
  readonly keyid: string;
  /** The name of the key in the ring. */
  readonly name: string;
  /** Whether a passkey signed it. */
  readonly passkey: boolean;
}

/** Changes the state, or throws `Inadmissible` without changing it. */
export type Effects<K extends PlainKind> = {
  readonly [Kind in K]: (at: Folding, record: PlainOf<Kind>) => void;
};

/** For records that only mark the journal. */
export function noEffect(): void {
  return;
}
