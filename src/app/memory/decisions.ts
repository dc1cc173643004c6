/**
 * The human side of project memory, signed: posting, closing, and deciding on agents' proposals. Only the editor
 * imports this. A proposal is accepted by closing the event as proposed.
 */
import type { BriefedEvent } from '../../core/memory/briefing.ts';
import { closingProblem, nextEventId, shownEvent, shownPost } from '../../core/memory/event.ts';
import type { EventType, EventPriority } from '../../core/kit/words.ts';
import type { RecordInput } from '../../core/records/records.ts';
import type { State } from '../../core/state/state.ts';
import type { View } from '../../store/store.ts';
import { hashOf } from '../../trust/canonical.ts';
import { humanActor, requireDecided, sign, type Signing, type Unsigned } from '../decision/decisions.ts';
import { AppError } from '../workspace/errors.ts';
import { contentHash, eventNamed, requireEventView, type EventView } from './events.ts';

/** Scopes are workspace-relative and cleaned. */
export interface HumanPost {
  readonly type: EventType;
  readonly text: string;
  readonly priority: EventPriority;
  readonly scopes: readonly string[];
}

export type HumanClosing =
  | { readonly how: 'resolved'; readonly reason: string }
  | { readonly how: 'superseded'; readonly by: string; readonly reason?: string }
  /** By a new event, posted in the same act. It inherits scopes, type and priority. */
  | { readonly how: 'replaced'; readonly text: string };

/** Hash of the event as a form shows it; the form returns it with the decision. */
export function shownEventHash(state: State, event: BriefedEvent): string {
  // The row's status is that of the state, which would load the headers of all events for it.
  return hashOf(shownEvent(state, event.id, contentHash(event), event.status));
}

/** Posts an event in the human's name. @throws AppError `bad_input` naming the field and its limit */
export async function postAsHuman(signing: Signing, post: HumanPost): Promise<EventView> {
  const { store, signer } = signing;
  const id = await store.transact(humanActor(signer), ({ state, now }) => {
    const id = nextEventId(state);
    return { records: [signedPost(signing, id, post, now)], result: id };
  });
  return requireEventView(store.read(), id);
}

/**
 * Closes an event of any poster, and settles an open proposal about it.
 * @param shown the hash the form was rendered with
 * @throws AppError `not_found`, `conflict` (closed already, or differs from what was shown), `bad_input`
 */
export async function closeAsHuman(
  signing: Signing,
  id: string,
  closing: HumanClosing,
  shown: string,
): Promise<EventView> {
  const { store, signer } = signing;
  await store.transact(humanActor(signer), (view) => {
    const { state, now } = view;
    const { event, content } = asShown(view, id, shown);
    const records: RecordInput[] = [];
    let record: Unsigned;
    if (closing.how === 'replaced') {
      const by = nextEventId(state);
      const { type, priority, scopes } = event;
      const post = { type, priority, scopes, text: closing.text };
      records.push(signedPost(signing, by, post, now));
      record = { kind: 'event.closedByHuman', v: 1, id, how: 'superseded', by, content };
    } else record = { kind: 'event.closedByHuman', v: 1, id, content, ...closing };
    const problem = closing.how === 'replaced' ? null : closingProblem(state, { id, ...closing });
    if (problem !== null) throw new AppError('bad_input', problem);
    records.push(sign(signing, record, shown, now));
    return { records, result: null };
  });
  return requireEventView(store.read(), id);
}

/**
 * Closes the event exactly as the agent proposed.
 * @throws as `closeAsHuman`
 */
export async function acceptProposal(signing: Signing, id: string, shown: string): Promise<EventView> {
  const proposal = signing.store.read().state.proposals.get(id);
  if (!proposal) throw new AppError('conflict', `there is no open proposal to close ${id}`);
  const { how, reason, by } = proposal;
  const closing: HumanClosing =
    how === 'resolved' ? { how, reason: reason ?? '' } : { how, by: by ?? '', ...(reason === null ? {} : { reason }) };
  return closeAsHuman(signing, id, closing, shown);
}

/**
 * Declines the agent's proposal; the event stays active.
 * @throws as `closeAsHuman`
 */
export async function declineProposal(
  signing: Signing,
  id: string,
  shown: string,
  reason?: string,
): Promise<EventView> {
  const more = reason === undefined ? {} : { reason };
  await requireDecided(
    signing,
    (view) => ({ kind: 'event.proposalDeclined', v: 1, id, content: asShown(view, id, shown).content, ...more }),
    shown,
  );
  return requireEventView(signing.store.read(), id);
}

function asShown(view: View, id: string, shown: string) {
  const event = eventNamed(view, id);
  if (!event) throw new AppError('not_found', `there is no event ${id}`);
  if (event.status !== 'active') throw new AppError('conflict', `${id} is already ${event.status}`);
  const content = contentHash(event);
  if (shown !== shownOf(view.state, id, content))
    throw new AppError('conflict', `${id} has changed since it was shown: check it again`);
  return { event, content };
}

function shownOf(state: State, id: string, content: string): string {
  return hashOf(shownEvent(state, id, content));
}

function signedPost(signing: Signing, id: string, { type, text, priority, scopes }: HumanPost, at: string) {
  const post = { type, text: text.trim(), priority, scopes: [...scopes] };
  const record: Unsigned = { kind: 'event.postedByHuman', v: 1, id, related: [], ...post };
  return sign(signing, record, hashOf(shownPost(post)), at);
}
