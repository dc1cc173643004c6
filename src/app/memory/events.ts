/** Posts and closes events of project memory. For a human's event, an agent can only propose closing. */
import { closingProblem, mutationKey, nextEventId, sameMutation } from '../../core/memory/event.ts';
import type { EventClosed, RecordInput } from '../../core/records/records.ts';
import type { State } from '../../core/state/state.ts';
import { otherText } from '../../core/kit/fields.ts';
import type { Store } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';
import { AppError, asAgent } from '../workspace/errors.ts';
import { eventView, type EventView } from './views.ts';
import { registration, type AgentSession } from '../workspace/session.ts';

/** Scopes are workspace-relative and cleaned. */
export type PostInput = Omit<Extract<RecordInput, { kind: 'event.posted' }>, 'kind' | 'v' | 'id'>;

export type Closing = Pick<EventClosed, 'how' | 'reason' | 'by'>;

/**
 * Stores an event. The same mutation (same scopes, same text) within 30 minutes is returned instead.
 * @throws AppError `not_found` for an unknown related event, `bad_input` naming the field and its limit
 */
export async function postEvent(
  store: Store,
  session: AgentSession,
  input: PostInput,
): Promise<{ readonly event: EventView; readonly already: boolean }> {
  const { id, already } = await asAgent(async () =>
    store.transact(session.actor, ({ state, now }) => {
      for (const related of input.related ?? []) requireEvent(state, related);
      const same = input.type === 'mutation' ? sameMutation(state, keyOf(input), now) : null;
      if (same !== null) return { records: [], result: { id: same, already: true } };
      const id = nextEventId(state);
      return {
        records: [...registration(state, session), { ...input, kind: 'event.posted', v: 1, id }],
        result: { id, already: false },
      };
    }),
  );
  return { event: requireView(store, id), already };
}

/**
 * Resolves or supersedes an event; for a human's event it stores a proposal, and the event stays active.
 * @throws AppError `not_found`; `conflict` when it is closed already or another proposal is open; `bad_input`
 */
export async function closeEvent(
  store: Store,
  session: AgentSession,
  id: string,
  closing: Closing,
): Promise<{ readonly event: EventView; readonly proposed: boolean }> {
  const proposed = await asAgent(async () =>
    store.transact(session.actor, ({ state }) => {
      const event = requireEvent(state, id);
      if (closing.by !== undefined) requireEvent(state, closing.by);
      requireClosable(state, id, closing);
      const kind = event.author === 'human' ? ('event.closeProposed' as const) : ('event.closed' as const);
      const waiting = state.proposals.get(id);
      if (waiting && !isSame(waiting, closing))
        throw new AppError(
          'conflict',
          `${waiting.agent} has already proposed to close ${id}: a human must decide that first`,
        );
      if (waiting) return { records: [], result: true };
      return {
        records: [...registration(state, session), { kind, v: 1, id, ...closing }],
        result: kind === 'event.closeProposed',
      };
    }),
  );
  return { event: requireView(store, id), proposed };
}

/** @throws AppError `conflict` for a closed event, else `bad_input` */
export function requireClosable(state: State, id: string, closing: Closing): void {
  const problem = closingProblem(state, { id, ...closing });
  if (problem === null) return;
  throw new AppError(state.events.get(id)?.status === 'active' ? 'bad_input' : 'conflict', problem);
}

/** @throws AppError `not_found` */
export function requireEvent(state: State, id: string) {
  const event = state.events.get(id);
  if (!event) throw new AppError('not_found', `there is no event ${id}`);
  return event;
}

function requireView(store: Store, id: string): EventView {
  const event = eventView(store.read(), id);
  if (!event) throw new AppError('not_found', `there is no event ${id}`);
  return event;
}

function isSame(
  waiting: { readonly how: string; readonly reason: string | null; readonly by: string | null },
  closing: Closing,
) {
  return (
    waiting.how === closing.how &&
    waiting.by === (closing.by ?? null) &&
    waiting.reason === (closing.reason?.trim() ?? null)
  );
}

/** The key of an event as the fold will see it. */
function keyOf(input: PostInput): string {
  const text = otherText.safeParse(input.text);
  return mutationKey(hashOf, { scopes: [...(input.scopes ?? [])], text: text.success ? text.data : input.text });
}
