/** Effects of asking back and replying. Both only add to the question: it holds what it held, and waits on. */
import { type Question, type State, openAskBack, recipientOf } from '../state/state.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import type { Effects, Folding } from '../state/effect.ts';
import { askBacksAtMost } from '../records/askBack.ts';
import type { Actor, RecordOf } from '../records/records.ts';
import { requireQuestion, save } from './fold.ts';

export const askBackEffects: Effects<'question.replied' | 'question.askBackOffered' | 'question.askBackAcknowledged'> =
  {
    'question.replied': reply,
    'question.askBackOffered': requireAskBack,
    'question.askBackAcknowledged': requireAskBack,
  };

/** Why nothing can be asked back about a question now; null when it can. */
export function askBackProblem(question: Question): string | null {
  const { id, status, askBacks } = question;
  if (status !== 'pending') return `${id} is ${status}`;
  if (openAskBack(question) !== null) return `the agent has not replied to the last question about ${id} yet`;
  return askBacks.length < askBacksAtMost ? null : `${id} was asked back ${String(askBacksAtMost)} times: answer it`;
}

/**
 * Why this actor cannot reply to an ask-back; null when it can. Only the agent that asked, or the one that receives the
 * outcome, and only once.
 */
export function replyProblem(state: State, id: string, actor: Pick<Actor, 'kind' | 'id'>): string | null {
  const question = state.questions.get(id);
  if (!question) return `there is no question ${id}`;
  if (question.status !== 'pending') return `${id} is ${question.status}`;
  if (openAskBack(question) === null) return `no human is waiting for a reply to ${id}`;
  const may = new Set([recipientOf(state, question), question.asker.id]);
  return actor.kind === 'agent' && may.has(actor.id) ? null : `only ${[...may].join(' or ')} can reply to ${id}`;
}

function reply({ state, change, line }: Folding, { id, number, text }: RecordOf<'question.replied'>): void {
  const problem = replyProblem(state, id, line.actor);
  if (problem !== null) throw new Inadmissible(problem);
  const question = requireQuestion(state, id);
  const { askBacks } = question;
  if (number !== askBacks.length) throw new Inadmissible(`the open one is number ${String(askBacks.length)}`);
  const replied = { text, by: line.actor.id, at: line.time };
  save(state, change, {
    ...question,
    askBacks: askBacks.map((one, at) => (at === number - 1 ? { ...one, reply: replied } : one)),
  });
}

function requireAskBack({ state }: Folding, { id, number }: { readonly id: string; readonly number: number }): void {
  if (number > requireQuestion(state, id).askBacks.length)
    throw new Inadmissible(`no human asked back ${String(number)} times about ${id}`);
}
