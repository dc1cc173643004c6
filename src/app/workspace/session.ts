/** The caller's identity. The program's head creates it; no input can change the kind of actor. */
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
