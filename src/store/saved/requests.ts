/** Settled requests as a number and a word each: later records need only whether and how they were settled. */
import type { State } from '../../core/state/state.ts';
import type { RequestStatus } from '../../core/records/requestWords.ts';

/** The number of the id, and the status. */
export type PackedSettled = readonly [number, RequestStatus];

export function packSettled(settled: State['settledRequests']): PackedSettled[] {
  return [...settled].map(([id, status]) => [Number(id.slice(2)), status]);
}

export function unpackSettled(packed: readonly PackedSettled[]): State['settledRequests'] {
  return new Map(packed.map(([number, status]) => [`R-${String(number)}`, status]));
}
