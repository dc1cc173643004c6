/** Rows of noted waits. */
import { costOf } from '../../core/fold/waitNote.ts';
import type { Projecting, Projections } from './projection.ts';
import { put } from './put.ts';

export const waitProjections: Projections<'wait.noted'> = {
  'wait.noted': ({ db, effect }: Projecting, record) => {
    const { usedAt, callEndsAt, tokens, cached, cacheSeconds, model } = costOf(record, effect.time);
    put(db, 'waits', ['position', 'item_id'], {
      ...{
        position: effect.at,
        item_id: record.id,
        item_ids: JSON.stringify([record.id, ...(record.also ?? [])]),
      },
      ...{ agent_id: effect.actor.id, session: effect.actor.session ?? '' },
      ...{ used_at: usedAt, call_ends_at: callEndsAt, tokens, cached, cache_seconds: cacheSeconds, model },
    });
  },
};
