/** Precedents in the state. */
import type { RecordOf } from '../records/records.ts';

export interface Precedent {
  readonly id: string;
  /** As signed: each use verifies the signature again, under the keys that count then. */
  readonly set: RecordOf<'precedent.set'>;
  readonly by: string;
  readonly keyid: string;
  readonly passkey: boolean;
  readonly at: string;
  /** Number of the first question that it can answer: those before were raised without it. */
  readonly first: number;
  readonly uses: readonly PrecedentUse[];
  /** Null while it is in force. `time`: a line of the journal was later than `until`. */
  readonly ended: PrecedentEnd | null;
}

export interface PrecedentUse {
  readonly question: string;
  readonly at: string;
  readonly takenBack: { readonly by: string; readonly at: string; readonly reason: string } | null;
}

export type PrecedentEnd =
  | { readonly how: 'time'; readonly at: string }
  | { readonly how: 'human'; readonly at: string; readonly by: string; readonly reason: string };

export function isUsedUp({ set, uses }: Precedent): boolean {
  return uses.length >= set.uses;
}
