/** Records what an agent's context is when it begins to wait. Best effort: without the record, the cost is unknown. */
import { contextLimits } from '../../core/records/waitNote.ts';
import type { ContextUse } from '../../core/records/waitNote.ts';
import { limits } from '../../core/kit/words.ts';
import { isAwaited, mayAwait } from '../../core/fold/waitNote.ts';
import type { Store } from '../../store/store.ts';
import { registration } from '../workspace/session.ts';
import type { AgentSession } from '../workspace/session.ts';

export interface Wait {
  /** The most pressing first. Those of other agents and decided ones are left out. */
  readonly ids: readonly string[];
  /** Milliseconds that the call may wait; Infinity where it has no limit, or the agent ends its turn. */
  readonly forMs: number;
  /** `at`: milliseconds since the epoch. */
  readonly used: ContextUse & { readonly at: number };
}

/** Never throws. */
export async function noteWait(store: Store, session: AgentSession, { ids, forMs, used }: Wait): Promise<void> {
  if (store.problem || store.readOnly) return;
  try {
    await store.transact(session.actor, ({ state, now }) => {
      const isOwn = (id: string) => isAwaited(state, id) && mayAwait(state, id, session.actor.id);
      const [id, ...also] = ids.filter(isOwn).slice(0, limits.listItems);
      if (id === undefined) return { records: [], result: null };
      const { at, ...use } = used;
      const usedAgoMs = Math.max(0, Math.min(contextLimits.agoMs, Math.round(Date.parse(now) - at)));
      const record = {
        ...{ kind: 'wait.noted' as const, v: 1 as const, id, usedAgoMs, ...use },
        ...(also.length === 0 ? {} : { also }),
        ...(forMs > contextLimits.forMs ? {} : { forMs: Math.max(0, Math.round(forMs)) }),
      };
      return { records: [...registration(state, session), record], result: null };
    });
  } catch {
    // The wait itself goes on.
  }
}
