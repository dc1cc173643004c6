/** Effect of a noted wait: what the form and the list say about its cost. It holds and releases nothing. */
import type { RecordOf } from '../records/records.ts';
import { recipientOf } from '../state/askBack.ts';
import type { Effects, Folding } from '../state/effect.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import { isWaiting } from '../state/state.ts';
import type { WaitCost } from '../state/waitCost.ts';
import { requireQuestion, save } from './fold.ts';

export const waitNoteEffects: Effects<'question.waitNoted'> = { 'question.waitNoted': note };

function note({ state, change, line }: Folding, record: RecordOf<'question.waitNoted'>): void {
  if (line.actor.kind !== 'agent') throw new Inadmissible('only an agent waits for a human');
  const questions = [record.id, ...(record.also ?? [])].map((id) => requireQuestion(state, id));
  for (const question of questions)
    if (![recipientOf(state, question), question.asker.id].includes(line.actor.id))
      throw new Inadmissible(`${line.actor.id} does not wait for ${question.id}`);
  const cost = costOf(record, line.time);
  for (const question of questions) if (isWaiting(question)) save(state, change, { ...question, cost });
}

/** @param time of the record (ISO 8601) */
export function costOf(
  record: Omit<RecordOf<'question.waitNoted'>, 'kind' | 'v' | 'id' | 'also'>,
  time: string,
): WaitCost {
  const at = Date.parse(time);
  const { usedAgoMs, forMs, tokens, cached = null, cacheSeconds = null, model = null } = record;
  return {
    usedAt: new Date(at - usedAgoMs).toISOString(),
    callEndsAt: forMs === undefined ? null : new Date(at + forMs).toISOString(),
    ...{ tokens, cached, cacheSeconds, model },
  };
}
