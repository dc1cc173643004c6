/** How an agent's questions ended: a measure of how well it asks. */
import type { Question } from '../state/state.ts';

export interface QuestionsEnded {
  /** Answered without a question back. */
  readonly answered_in_one_go: number;
  /** A human had to ask back, whatever the outcome. */
  readonly asked_back: number;
  readonly cancelled: number;
  /** A human let it go on without an answer, or the agent withdrew it. */
  readonly not_needed: number;
}

const none: QuestionsEnded = { answered_in_one_go: 0, asked_back: 0, cancelled: 0, not_needed: 0 };

/** By agent. A question that was asked back counts there, and again where it ended unless it was answered. */
export function questionsEnded(questions: Iterable<Question>): Map<string, QuestionsEnded> {
  const found = new Map<string, QuestionsEnded>();
  for (const { asker, resolution, askBacks } of questions) {
    const before = found.get(asker.id) ?? none;
    const how = resolution?.how;
    const add = (isCounted: boolean) => Number(isCounted);
    found.set(asker.id, {
      answered_in_one_go: before.answered_in_one_go + add(how === 'answered' && askBacks.length === 0),
      asked_back: before.asked_back + add(askBacks.length > 0),
      cancelled: before.cancelled + add(how === 'cancelled'),
      not_needed: before.not_needed + add(how === 'released' || how === 'withdrawn'),
    });
  }
  return found;
}

export function endedOf(all: ReadonlyMap<string, QuestionsEnded>, agent: string): QuestionsEnded {
  return all.get(agent) ?? none;
}
