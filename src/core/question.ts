/** Rules of a single question. Sources: seed 000 (Question), seed 001 (Blocker), design "Questions". */
import { fileScopes } from './holds.ts';
import type { Question, State } from './state.ts';
import { sameTextKey } from './text.ts';

/** A question lives 24 hours unless policy says otherwise (seed 001, "blocker timed out"). */
export const defaultLifeMs = 24 * 60 * 60 * 1000;

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

/** Whether a pending question's life is over at `now`. */
export function isOverdue(question: Question, now: string): boolean {
  return question.status === 'pending' && question.raised.expiresAt <= now;
}
