/** What notifies a human about a request: a new one, and each agreed time that passes unmet. */
import { breached, isHumans, isHumansTurn } from './request.ts';
import type { Breach } from '../records/requestWords.ts';
import type { OpenRequest } from '../state/request.ts';
import type { State } from '../state/state.ts';

export interface HumanNotice {
  readonly kind: 'new' | Breach;
  /** Differs each time that the human is to be notified: a request that resumes or is reassigned notifies again. */
  readonly name: string;
}

/** Null when the human need not know, or made the request. */
export function humanNoticeOf(state: State, request: OpenRequest): HumanNotice | null {
  const { id, status, availableAt, acceptedAt } = request;
  const isTheirs = isHumansTurn(state, request);
  const isFromHuman = isHumans(state.responsibilities.get(request.origin));
  const kind = breached(request) ?? (status === 'pending' ? 'new' : null);
  if (kind === null || !(isTheirs || isFromHuman) || (kind === 'new' && isFromHuman)) return null;
  const from = kind === 'completion' && acceptedAt !== null ? acceptedAt : availableAt;
  return { kind, name: `${id}-${kind}-${String(Date.parse(from))}` };
}
