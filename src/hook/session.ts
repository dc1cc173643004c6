/** The agent that a hook acts for, and what is noted about its session. */
import { endHostQuestions, endOfTurn, noteHostQuestion } from '../app/question/questions.ts';
import { noteParkedSession } from '../app/question/parkedSessions.ts';
import type { Answering } from '../app/workspace/atGate.ts';
import type { AgentSession } from '../app/workspace/session.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { questionId } from '../core/kit/fields.ts';
import { openInHost, type EndedInHost } from '../core/question/question.ts';
import { resumableHost } from '../core/records/policy.ts';
import type { HookHost } from '../hosts/host.ts';
import { agentsOf } from './held.ts';
import { inTime, type Asked } from './surroundings.ts';

/** Null where the session may belong to several agents: none may receive another's answers. */
export function sessionOf(workspace: Answering, asked: Asked): AgentSession | null {
  const agents = agentsOf(workspace, asked, workspace.worktree);
  return agents.length > 1 ? null : sessionOfFirst(workspace, asked, agents);
}

/** If several agents are possible, the first one: for what holds nothing and delivers no answer. */
function likelySession(workspace: Answering, asked: Asked): AgentSession | null {
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

// The questions that a host asks its user by itself. Noting them never answers, denies or delays them for long.

export async function noteAsking(workspace: Workspace, asked: Asked, withinMs?: number): Promise<void> {
  await inTime(note(workspace, asked), withinMs);
}

async function note(workspace: Workspace, asked: Asked): Promise<void> {
  const { asking } = asked.call;
  if (!asking) return;
  // First: the standing then reads what the store has read.
  const store = await workspace.store();
  if (store.workspaceId === null || !workspace.standing().state || store.readOnly) return;
  const session = likelySession(workspace, asked);
  if (!session) return;
  const { by } = asking;
  if (asking.kind === 'answered') {
    await endHostQuestions(store, session, { ...endedBy(workspace, asked), by }, asking.answers);
    return;
  }
  const from = { host: asked.adapter.title, by, session: asked.call.session };
  for (const question of asking.questions) await noteHostQuestion(store, session, from, question);
}

function endedBy(workspace: Workspace, asked: Asked): EndedInHost {
  const agent = sessionOf(workspace, asked)?.actor.id ?? null;
  return { host: asked.adapter.title, session: asked.call.session, agent };
}

/** Hosts whose hooks after a tool would run after every tool: what they asked has ended when the turn ends. */
const reportsNothing: ReadonlySet<HookHost> = new Set(['vscode', 'copilot-cli']);

export async function noteEndOfTurn(workspace: Workspace, asked: Asked): Promise<void> {
  const { state } = workspace.standing();
  if (!reportsNothing.has(asked.adapter.host) || !state) return;
  const from = endedBy(workspace, asked);
  if (openInHost(state, from).length === 0) return;
  const [store, session] = [await workspace.store(), likelySession(workspace, asked)];
  if (!store.readOnly && session) await endOfTurn(store, session, from);
}

/** Notes the session that parks a question, so that the answer can start it again. */
export function noteParking(workspace: Workspace, { adapter, call }: Asked): void {
  const id = questionId.safeParse(call.tool?.input['id']).data;
  const host = resumableHost.safeParse(adapter.host).data;
  if (id === undefined || host === undefined || call.session === null) return;
  // A session is kept under the folder in which the host was started, which has the hook.
  noteParkedSession(workspace, id, { host, session: call.session, folder: workspace.options.folder });
}
