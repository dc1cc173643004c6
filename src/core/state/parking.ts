/** When an agent that waits for a human had better end its turn, and whether it has. */
import type { Urgency } from '../kit/words.ts';
import type { Policy, Question, State } from './state.ts';

export type ParkingMinutes = Readonly<Record<Urgency, number>>;

/** Prompt caches of the common models last five minutes. */
export const defaultParking: ParkingMinutes = { critical: 4, high: 4, medium: 4, low: 4 };

/**
 * Types of agents that pay for their whole context again once its prompt cache has expired. Other hosts charge for each
 * prompt, so that ending the turn would cost them more than waiting.
 */
const paysForWaiting: readonly string[] = ['claude-code', 'codex', 'opencode'];

export function parkingOf({ parking }: Pick<Policy, 'parking'>): ParkingMinutes {
  return parking?.minutes ?? defaultParking;
}

/**
 * Milliseconds since the epoch after which this agent should park the question; Infinity for never. Counts from the last
 * time that it became the human's turn.
 */
export function parkingTime(state: State, question: Question, agent: string): number {
  const minutes = parkingOf(state.policy)[question.urgency];
  const type = state.agents.get(agent)?.type ?? '';
  if (minutes === 0 || !paysForWaiting.includes(type)) return Infinity;
  const since = question.askBacks.findLast(({ reply }) => reply !== null)?.reply?.at ?? question.raisedAt;
  return Date.parse(since) + minutes * 60_000;
}
