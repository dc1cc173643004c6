/**
 * A human takes seconds to sign with a passkey, and agents go on writing meanwhile. So its signature is bound to a recent
 * place of the journal instead of the line before; what was shown must still be the same. On another branch of the
 * journal (one that was cut and continued) the place is missing.
 */
import type { CountedLine } from '../records/records.ts';
import type { Change } from './change.ts';
import type { State } from './state.ts';

/** Together at least 2 MiB of journal, which takes a busy team minutes. */
const apart = 16_384;
const atMost = 128;

/** Keeps one place in every 16 KiB. */
export function rememberPlace(state: State, change: Change, { end, hash }: Pick<CountedLine, 'end' | 'hash'>): void {
  const last = state.places.at(-1);
  if (last && end - last.at < apart) return;
  change.assign(state, 'places', [...state.places, { at: end, hash }].slice(-atMost));
}

export function isRecentPlace(
  { places }: Pick<State, 'places'>,
  { position, head }: { readonly position: number; readonly head: string },
): boolean {
  return places.some(({ at, hash }) => at === position && hash === head);
}
