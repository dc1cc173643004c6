/**
 * How much one agent may have open at a time. Nothing that holds is refused without a hold in its place: an agent that
 * has this many questions and RFCs waiting on humans is held itself, whatever it works on, and only decisions of humans
 * make them fewer. What it may not have more of otherwise holds nothing.
 */
import { isRfc, openHolders } from './holds.ts';
import type { Holder } from './holds.ts';
import { isStop } from '../state/state.ts';
import type { State } from '../state/state.ts';

export const openAtMost = {
  /** Sync questions and RFCs that no human has decided. */
  holders: 1_000,
  /** Async questions that no human has decided. */
  asyncQuestions: 1_000,
  /** Requests of one responsibility that are not settled. */
  requests: 1_000,
  /** Work items that one agent registered. */
  work: 10_000,
} as const;

/** What of one agent's holds, when that is as much as may be; empty before. Oldest first. */
export function crowd(state: State, agent: string): readonly Holder[] {
  if (state.holders.size < openAtMost.holders) return [];
  const own = openHolders(state, (holder) => holder.asker.id === agent && (isRfc(holder) || !isStop(holder)));
  return own.length < openAtMost.holders ? [] : own;
}

/** Async questions of an agent that still wait: they hold nothing. */
export function asyncWaiting(state: State, agent: string): number {
  let count = 0;
  for (const { asker, mode, status } of state.questions.values())
    if (mode === 'async' && status === 'pending' && asker.id === agent) count += 1;
  return count;
}
