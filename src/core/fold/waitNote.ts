/** Effect of a noted wait: what forms and lists say about its cost. It holds and releases nothing. */
import { save } from '../question/fold.ts';
import type { RecordOf } from '../records/records.ts';
import { saveRfc } from '../rfc/fold.ts';
import { isRfcWaiting, writersOf } from '../rfc/rfc.ts';
import { recipientOf } from '../state/askBack.ts';
import type { Effects, Folding } from '../state/effect.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import type { Rfc } from '../state/rfc.ts';
import { isWaiting } from '../state/state.ts';
import type { Question, State } from '../state/state.ts';
import type { WaitCost } from '../state/waitCost.ts';

export const waitNoteEffects: Effects<'wait.noted'> = { 'wait.noted': note };

function note({ state, change, line }: Folding, record: RecordOf<'wait.noted'>): void {
  if (line.actor.kind !== 'agent') throw new Inadmissible('only an agent waits for a human');
  const ids = [record.id, ...(record.also ?? [])];
  for (const id of ids) {
    if (!state.questions.has(id) && !state.rfcs.has(id)) throw new Inadmissible(`there is no ${id}`);
    if (!mayAwait(state, id, line.actor.id)) throw new Inadmissible(`${line.actor.id} does not wait for ${id}`);
  }
  const cost = costOf(record, line.time);
  for (const id of ids) {
    const question = state.questions.get(id);
    const rfc = state.rfcs.get(id);
    if (question && isWaiting(question)) save(state, change, { ...question, cost });
    if (rfc && isRfcWaiting(rfc)) saveRfc(state, change, { ...rfc, cost });
  }
}

/** Whether the outcome of a question or RFC is this agent's: it asked, or it receives the outcome. */
export function mayAwait(state: State, id: string, agent: string): boolean {
  return outcomeFor(state, state.questions.get(id) ?? state.rfcs.get(id)).includes(agent);
}

function outcomeFor(state: State, item: Question | Rfc | undefined): string[] {
  if (!item) return [];
  return 'revisions' in item ? writersOf(item) : [recipientOf(state, item), item.asker.id];
}

/** Whether a human has to decide it. */
export function isAwaited(state: State, id: string): boolean {
  const question = state.questions.get(id);
  const rfc = state.rfcs.get(id);
  return (question !== undefined && isWaiting(question)) || (rfc !== undefined && isRfcWaiting(rfc));
}

/** @param time of the record (ISO 8601) */
export function costOf(record: Omit<RecordOf<'wait.noted'>, 'kind' | 'v' | 'id' | 'also'>, time: string): WaitCost {
  const at = Date.parse(time);
  const { usedAgoMs, forMs, tokens, cached = null, cacheSeconds = null, model = null } = record;
  return {
    usedAt: new Date(at - usedAgoMs).toISOString(),
    callEndsAt: forMs === undefined ? null : new Date(at + forMs).toISOString(),
    ...{ tokens, cached, cacheSeconds, model },
  };
}
