/** Rules of a single question. Sources: seed 000 (Question), seed 001 (Blocker), design "Questions". */
import { fileScopes } from './holds.ts';
import type { Question, State } from './state.ts';
import { sameTextKey } from './text.ts';

/**
 * Exactly what a human is shown and signs for. Whatever changes this changes its hash, and a decision taken on the
 * former one is refused. Derived facts that move by themselves (waiting time, cascade) are not part of it.
 */
export function shownQuestion(state: State, question: Question): object {
  return {
    ...question.raised,
    asker: question.asker.id,
    raisedAt: question.raisedAt,
    mode: question.mode,
    urgency: question.urgency,
    status: question.status,
    scopes: fileScopes(state, question),
  };
}

/** The key under which two askings are the same open question: same asker, work item or none, normalised text. */
export function questionKey(agent: string, work: string | null, text: string): string {
  return JSON.stringify([agent, work ?? '', sameTextKey(text)]);
}

/** The next free id of a counted kind, for example `Q-13`. */
export function nextQuestionId(state: State): string {
  return `Q-${String(state.questions.size + 1)}`; // the fold admits no other number, so the count is the last one
}

/** When a question raised at `now` (ISO 8601) expires under the present policy. */
export function expiryOf(state: State, now: string): string {
  return new Date(Date.parse(now) + state.policy.questionLifeHours * 60 * 60 * 1000).toISOString();
}

/**
 * What time does to a question at `now`: nothing, expiry, or escalation. Only sync questions escalate, once; then they
 * stay open until a human decides.
 */
export function dueChange(state: State, question: Question, now: string): 'expire' | 'escalate' | null {
  if (question.status !== 'pending' || question.raised.expiresAt > now) return null;
  if (state.policy.onExpiry === 'expire' || question.mode === 'async') return 'expire';
  return question.urgency === 'critical' ? null : 'escalate';
}

/** What a human is shown of the policy and signs for when changing it. */
export function shownPolicy(state: State): object {
  return { ...state.policy };
}
