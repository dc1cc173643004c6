/**
 * The caller: its identity and registration, and what a second registration of something changed. The program's head
 * creates the identity; no input can change the kind of actor.
 */
import { shortAgent } from '../../core/kit/persons.ts';
import type { Actor, RecordInput } from '../../core/records/records.ts';
import type { State } from '../../core/state/state.ts';

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
