/** The agent that a hook acts for. */
import type { AgentSession } from '../app/workspace/session.ts';
import type { Answering } from '../app/workspace/atGate.ts';
import { agentsOf } from './held.ts';
import type { Asked } from './withoutAsking.ts';

/** Null where the session may belong to several agents: none may receive another's answers. */
export function sessionOf(workspace: Answering, asked: Asked): AgentSession | null {
  const agents = agentsOf(workspace, asked, workspace.worktree);
  return agents.length > 1 ? null : sessionOfFirst(workspace, asked, agents);
}

/** If several agents are possible, the first one: for what holds nothing and delivers no answer. */
export function likelySession(workspace: Answering, asked: Asked): AgentSession | null {
  return sessionOfFirst(workspace, asked, agentsOf(workspace, asked, workspace.worktree));
}

function sessionOfFirst(
  { worktree }: Answering,
  { adapter, call }: Asked,
  [id]: readonly string[],
): AgentSession | null {
  if (id === undefined) return null;
  const session = call.session === null ? {} : { session: call.session.slice(0, 200) };
  return { actor: { kind: 'agent', id, worktree, ...session }, host: adapter.host };
}
