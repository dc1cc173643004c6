/** Notes the questions that a host asks its user by itself. Best effort: it never answers, denies or delays them for long. */
import { endHostQuestions, endOfTurn, noteHostQuestion } from '../app/question/questions.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { openInHost, type EndedInHost } from '../core/question/question.ts';
import type { HookHost } from '../hosts/host.ts';
import { inTime } from './inTime.ts';
import { likelySession, sessionOf } from './session.ts';
import type { Asked } from './withoutAsking.ts';

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
