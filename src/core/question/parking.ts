/** Effect of parking: a mark on the question. It holds what it held and waits on. */
import { Inadmissible } from '../state/inadmissible.ts';
import { isWaiting, type State, recipientOf } from '../state/state.ts';
import type { Effects, Folding } from '../state/effect.ts';
import type { Actor, RecordOf } from '../records/records.ts';
import { requireQuestion, save } from './fold.ts';

export const parkingEffects: Effects<'question.parked'> = { 'question.parked': park };

/** Why this actor cannot park a question; null when it can. */
export function parkingProblem(state: State, id: string, actor: Pick<Actor, 'kind' | 'id'>): string | null {
  const question = state.questions.get(id);
  if (!question) return `there is no question ${id}`;
  if (!isWaiting(question)) return `${id} is ${question.status}: there is nothing to wait for`;
  const may = new Set([recipientOf(state, question), question.asker.id]);
  return actor.kind === 'agent' && may.has(actor.id) ? null : `only ${[...may].join(' or ')} can park ${id}`;
}

function park({ state, change, line }: Folding, { id, session }: RecordOf<'question.parked'>): void {
  const problem = parkingProblem(state, id, line.actor);
  if (problem !== null) throw new Inadmissible(problem);
  const { id: by } = line.actor;
  const parked = { by, session: session ?? line.actor.session ?? null, at: line.time };
  save(state, change, { ...requireQuestion(state, id), parked });
}
