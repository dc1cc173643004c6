/** Enforces the limits per agent; core/hold/crowd.ts explains why none of them loosens the gate. */
import { asyncWaiting, crowd, openAtMost } from '../../core/hold/holds.ts';
import type { State } from '../../core/state/state.ts';
import { AppError } from './errors.ts';

/** @throws AppError `denied`: the agent is held by its existing questions */
export function requireRoomToHold(state: State, agent: string): void {
  const [oldest] = crowd(state, agent);
  if (!oldest) return;
  throw new AppError(
    'denied',
    `${String(openAtMost.holders)} questions and RFCs of ${agent} already wait for a human, which is the limit. ` +
      'They hold your session until a human has decided some: stop.',
    { advice: (guide) => `${guide.call} ${guide.name('await_answer', { id: oldest.id })}.` },
  );
}

/** @throws AppError `denied`; harmless, because an async question holds nothing */
export function requireRoomToAsk(state: State, agent: string): void {
  if (asyncWaiting(state, agent) < openAtMost.asyncQuestions) return;
  throw new AppError(
    'denied',
    `${String(openAtMost.asyncQuestions)} async questions of ${agent} already wait for a human, which is the limit. ` +
      'Wait until some are answered, or ask a sync question if your work depends on it.',
  );
}

/** @throws AppError `denied`; harmless, because a request holds nothing */
export function requireRoomToRequest(state: State, origin: string): void {
  let open = 0;
  for (const request of state.requests.values()) if (request.origin === origin) open += 1;
  if (open < openAtMost.requests) return;
  throw new AppError(
    'denied',
    `${String(openAtMost.requests)} requests of ${origin} are already open, which is the limit. Wait until some are settled.`,
  );
}

/** @throws AppError `denied`; harmless, because the gate denies unregistered work */
export function requireRoomToRegister(state: State, agent: string): void {
  if (state.work.size < openAtMost.work) return;
  let own = 0;
  for (const { createdBy } of state.work.values()) if (createdBy === agent) own += 1;
  if (own < openAtMost.work) return;
  throw new AppError(
    'denied',
    `${agent} has registered ${String(openAtMost.work)} work items, which is the limit. Use existing ones.`,
  );
}
