/** Settled requests as two numbers each: only that they are settled, and how, is still asked of them. */
import type { State } from '../../core/state/state.ts';
import { requestStatus } from '../../core/records/requestWords.ts';

/** The number of the id, and the place of the status. */
export type PackedSettled = readonly [number, number];

export function packSettled(settled: State['settledRequests']): PackedSettled[] {
  return [...settled].map(([id, status]) => [Number(id.slice(2)), requestStatus.options.indexOf(status)]);
}

export function unpackSettled(packed: readonly PackedSettled[]): State['settledRequests'] {
  return new Map(
    packed.map(([number, place]) => {
      const status = requestStatus.options[place];
      if (status === undefined) throw new Error('no such word: the saved state is of another version');
      return [`R-${String(number)}`, status];
    }),
  );
}
