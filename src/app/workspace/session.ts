/**
 * The caller: its identity, registration and limits, and what a second registration of something changed. The program's head
 * creates the identity; no input can change the kind of actor.
 */
import { asyncWaiting, crowd, openAtMost } from '../../core/hold/holds.ts';
import { shortAgent } from '../../core/kit/persons.ts';
import type { Actor, RecordInput } from '../../core/records/records.ts';
import type { State } from '../../core/state/state.ts';
import { AppError } from './errors.ts';

export interface AgentSession {
  readonly actor: Actor & { readonly kind: 'agent' };
  /** Host program, for example `vscode`, `mcp`, `shell`. */
  readonly host: string;
}

/** The agent's registration if it is missing: agents register themselves on first use. */
export function registration(state: State, { actor, host }: AgentSession): RecordInput[] {
  if (state.agents.has(actor.id)) return [];
  const registered = {
    kind: 'agent.registered',
    v: 1,
    id: actor.id,
    type: shortAgent(actor.id).replace(/-\d+$/, ''),
    host,
    label: actor.id,
  } as const;
  return [registered];
}

/** What a second registration changed, field by field. */
export interface FieldChange {
  readonly field: string;
  readonly from: Value;
  readonly to: Value;
}

type Value = string | null | readonly string[];

/** Fields in which two views of one thing differ. */
export function changesBetween<K extends string>(
  before: Readonly<Record<K, Value>>,
  after: Readonly<Record<K, Value>>,
  fields: readonly K[],
): FieldChange[] {
  return fields
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, from: before[field], to: after[field] }));
}

// The limits per agent: core/hold/holds.ts explains why none of them loosens the gate.

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
