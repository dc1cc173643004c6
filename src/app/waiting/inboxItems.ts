/** What is waiting for a human in one workspace, from the state alone. */
import { plain } from '../../core/kit/plain.ts';
import { firstLine } from '../../core/kit/text.ts';
import type { Urgency } from '../../core/kit/words.ts';
import { isRfcWaiting, sinceOf } from '../../core/rfc/rfc.ts';
import { isHumansTurn } from '../../core/request/request.ts';
import { isHolding } from '../../core/state/state.ts';
import type { State } from '../../core/state/state.ts';
import { byPressing, waitingOrder } from '../question/views.ts';
import type { Pressing } from '../question/views.ts';

export interface InboxItem {
  readonly id: string;
  readonly kind: 'question' | 'rfc' | 'request' | 'proposal';
  /** First line without markup. Null for requests and proposals: the state has no texts of theirs. */
  readonly title: string | null;
  /** Null for requests and proposals, which have none. */
  readonly urgency: Urgency | null;
  /** Whether it stops agents. */
  readonly holding: boolean;
  /** ISO 8601 UTC. */
  readonly waiting_since: string;
  /** The agent that asks; of a request, the responsibility. */
  readonly asked_by: string;
  /** The person or responsibility that it is for; null for everybody. */
  readonly for: string | null;
  /** The worktree in which it was asked, relative to the store's root; `.` for the root itself. */
  readonly worktree: string;
}

/** As many as `waitingCount` says: questions and RFCs, most pressing first, then proposals, then requests. */
export function inboxItems(state: State): InboxItem[] {
  return [...ranked(state), ...proposals(state), ...requests(state)];
}

function ranked(state: State): InboxItem[] {
  const found: (readonly [Pressing, InboxItem])[] = [];
  for (const waiting of waitingOrder(state)) {
    const question = state.questions.get(waiting.id);
    if (!question || waiting.asked_back) continue;
    const { id, urgency, raisedAt: waiting_since, asker, raised } = question;
    const item = {
      id,
      kind: 'question',
      title: title(raised.text),
      urgency,
      waiting_since,
      for: raised.for ?? null,
    } as const;
    found.push([
      waiting,
      { ...item, holding: isHolding(question), asked_by: asker.id, worktree: asker.worktree ?? '.' },
    ]);
  }
  for (const rfc of state.rfcs.values()) {
    if (!isRfcWaiting(rfc)) continue;
    const { id, asker, workflows, tasks } = rfc;
    const raised_at = sinceOf(rfc);
    const item = {
      id,
      kind: 'rfc',
      title: title(rfc.title),
      urgency: 'high',
      waiting_since: raised_at,
      for: rfc.for,
    } as const;
    found.push([
      { id, urgency: 'high', raised_at, about: workflows.length + tasks.length },
      { ...item, holding: state.holders.has(id), asked_by: asker.id, worktree: asker.worktree ?? '.' },
    ]);
  }
  return found.sort(([a], [b]) => byPressing(a, b)).map(([, item]) => item);
}

function proposals(state: State): InboxItem[] {
  return [...state.proposals].map(([id, { agent, at }]) => ({
    ...{ id, kind: 'proposal', title: null, urgency: null, holding: false, for: null },
    ...{ waiting_since: at, asked_by: agent, worktree: '.' },
  }));
}

function requests(state: State): InboxItem[] {
  return [...state.requests.values()]
    .filter((request) => isHumansTurn(state, request))
    .map(({ id, origin, availableAt }) => ({
      ...{ id, kind: 'request', title: null, urgency: null, holding: false, for: null },
      ...{ waiting_since: availableAt, asked_by: origin, worktree: '.' },
    }));
}

function title(text: string): string {
  return firstLine(plain(text), 200);
}
