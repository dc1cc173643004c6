/** Requests waiting for an agent in the inboxes of the responsibilities it acts for. */
import type { OpenRequest } from '../state/request.ts';
import type { CurrentState } from '../state/state.ts';
import { actsFor } from './request.ts';

/** Requests that this agent can accept, defer or reject now: by priority, then oldest first. */
export function requestsWaitingFor({ requests, responsibilities }: CurrentState, agent: string): OpenRequest[] {
  if (requests.size === 0) return [];
  const doer = { kind: 'agent', id: agent, signed: false } as const;
  const mine = new Set([...responsibilities.values()].filter((one) => actsFor(doer, one)).map(({ id }) => id));
  if (mine.size === 0) return [];
  const waiting = [...requests.values()].filter(({ status, target }) => status === 'pending' && mine.has(target));
  // Ids count up, and the map has them in their order: a stable sort keeps the oldest first.
  return waiting.sort((a, b) => a.priority - b.priority);
}
