/** Whose turn a question is: a human's, or the agent's that a human asked back. */
import type { AskBack } from '../records/askBack.ts';
import { isOfSamePerson } from '../kit/persons.ts';
import { isWaiting, type Question, type State } from './state.ts';

/** What a human asked back and the agent has not replied to; null without one, and once the question is not pending. */
export function openAskBack({ status, askBacks }: Pick<Question, 'status' | 'askBacks'>): AskBack | null {
  const last = askBacks.at(-1);
  return status === 'pending' && last?.reply === null ? last : null;
}

/** Whether it is undecided, and a human's turn. */
export function waitsForHuman(question: Question): boolean {
  return isWaiting(question) && openAskBack(question) === null;
}

/**
 * The agent that receives outcomes: the current owner of the work, else the author of the RFC, else the asker. An owner whose
 * person is another one than the asker's does not: anybody can become the owner of work that has none.
 */
export function recipientOf(state: State, { work, facts, asker }: Question): string {
  const owner = work === null ? null : state.work.get(work)?.assignee;
  if (owner != null && isOfSamePerson(owner, asker.id)) return owner;
  return state.rfcs.get(facts.rfc ?? '')?.asker.id ?? asker.id;
}
