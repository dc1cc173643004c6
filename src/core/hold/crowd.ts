/**
 * Limits on what one agent may have open. Holds are never refused without a replacement: an agent with this many
 * questions and RFCs waiting for humans is itself held, whatever it works on, and only human decisions reduce the
 * number. The other limits concern things that hold nothing.
 */
import { isRfc, openHolders, type Holder } from './holds.ts';
import { isStop, type CurrentState } from '../state/state.ts';
import { undecidedQuestions } from '../state/undecided.ts';

export const openAtMost = {
  holders: 1_000,
  asyncQuestions: 1_000,
  /** Unsettled requests of one responsibility. */
  requests: 1_000,
  /** Work items that one agent registered. */
  work: 10_000,
} as const;

/** An agent's holders once they reach the limit, oldest first; empty below it. */
export function crowd(state: CurrentState, agent: string): readonly Holder[] {
  if (state.holders.size < openAtMost.holders) return [];
  const own = openHolders(state, (holder) => holder.asker.id === agent && (isRfc(holder) || !isStop(holder)));
  return own.length < openAtMost.holders ? [] : own;
}

/** Number of an agent's open async questions; they hold nothing. */
export function asyncWaiting(state: CurrentState, agent: string): number {
  let count = 0;
  for (const { asker, mode, status } of undecidedQuestions(state))
    if (mode === 'async' && status === 'pending' && asker.id === agent) count += 1;
  return count;
}
