/** Context for an agent when its session starts, with a prompt, and before it stops. Nothing here can stop a human. */
import { briefingOf } from '../app/memory/briefing.ts';
import { recordOffer, undelivered } from '../app/waiting/delivery.ts';
import { undeliveredRfcs } from '../app/rfc/delivery.ts';
import type { AgentSession } from '../app/workspace/session.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { toolGuide } from '../core/kit/guide.ts';
import { briefingText, withinTokens } from '../core/memory/briefingText.ts';
import type { State } from '../core/state/state.ts';
import type { HookAnswer } from '../hosts/call.ts';
import type { Store } from '../store/store.ts';
import { rfcText } from '../tools/rfc/texts.ts';
import { outcomeText } from '../tools/kit/texts.ts';
import { agentsOf } from './guard.ts';
import type { Asked } from './withoutAsking.ts';
import { firstTime } from './delivered.ts';

const nothing: HookAnswer = { kind: 'nothing' };
/** Size limit of the briefing that every session of a project starts with. Tokens. */
const tokens = 700;
const rules =
  'Holdpoint: agents stop for humans in this workspace. Call holdpoint_check_gate before you edit. If something is unclear, ask with holdpoint_raise_question. Only a human can release held work.';

export async function contextFor(workspace: Workspace, asked: Asked): Promise<HookAnswer> {
  const { event } = asked.call;
  const standing = workspace.standing();
  if (standing.problem) {
    const unknown = `Holdpoint: the state of this workspace is UNKNOWN. ${standing.problem.message} Change nothing until a human has recovered it.`;
    return event === 'stop' ? nothing : { kind: 'context', text: unknown };
  }
  const { state } = standing;
  if (state.workspace === null) return nothing;
  // Only answers and project memory need rows; skip opening the database without either.
  if (event !== 'sessionStart' && !anythingDecided(state)) return nothing;
  const session = sessionOf(workspace, asked);
  const store = await workspace.store();
  if (event === 'stop') return beforeStopping(workspace, store, asked, session);
  return event === 'prompt' ? withPrompt(store, session) : atStart(workspace, store, session);
}

function anythingDecided(state: State): boolean {
  if (state.rfcs.size > 0) return true;
  for (const { resolution } of state.questions.values()) if (resolution !== null) return true;
  return false;
}

/** Null where the session may belong to several agents: none may receive another's answers. */
function sessionOf(workspace: Workspace, asked: Asked): AgentSession | null {
  const agents = agentsOf(workspace, asked, workspace.worktree);
  const [id] = agents;
  if (id === undefined || agents.length > 1) return null;
  const { session } = asked.call;
  return {
    actor: {
      kind: 'agent',
      id,
      worktree: workspace.worktree,
      ...(session === null ? {} : { session: session.slice(0, 200) }),
    },
    host: asked.host,
  };
}

interface Outcomes {
  readonly ids: readonly string[];
  readonly text: string;
  /** Who answered: a model's answer is never presented as a human's. */
  readonly by: 'human' | 'reviewer';
}

function outcomesFor(store: Store, session: AgentSession): Outcomes {
  const view = store.read();
  const questions = undelivered(view, session.actor.id);
  const rfcs = undeliveredRfcs(view, session.actor.id);
  return {
    ids: [...questions, ...rfcs].map(({ id }) => id),
    text: [...questions.map((one) => outcomeText(one, toolGuide)), ...rfcs.map((one) => rfcText(one, toolGuide))].join(
      '\n',
    ),
    by: questions.length > 0 || rfcs.some(({ waiting }) => !waiting) ? 'human' : 'reviewer',
  };
}

function who({ by }: Outcomes): string {
  return by === 'human' ? 'a human' : 'the AI reviewer, not a human,';
}

function offer(store: Store, session: AgentSession, { ids }: Outcomes): void {
  if (ids.length > 0 && !store.readOnly) recordOffer(store, session, ids, false);
}

function withPrompt(store: Store, session: AgentSession | null): HookAnswer {
  if (!session) return nothing;
  const outcomes = outcomesFor(store, session);
  if (outcomes.ids.length === 0) return nothing;
  offer(store, session, outcomes);
  return { kind: 'context', text: `Holdpoint: ${who(outcomes)} has answered.\n${outcomes.text}` };
}

function atStart(workspace: Workspace, store: Store, session: AgentSession | null): HookAnswer {
  const { briefing } = briefingOf(workspace, store.read(), { focus: null, agent: session?.actor.id });
  const outcomes = session && outcomesFor(store, session);
  if (session && outcomes) offer(store, session, outcomes);
  const said =
    outcomes && outcomes.ids.length > 0 ? `What you asked: ${who(outcomes)} has answered.\n${outcomes.text}` : '';
  const text = [rules, said, briefingText(withinTokens(briefing, tokens), toolGuide)]
    .filter((part) => part !== '')
    .join('\n');
  return { kind: 'context', text };
}

/** Once per outcome and session, and not while the agent continues because of this hook: prevents a loop. */
function beforeStopping(workspace: Workspace, store: Store, asked: Asked, session: AgentSession | null): HookAnswer {
  if (!session || asked.call.stopping) return nothing;
  const outcomes = outcomesFor(store, session);
  const fresh = firstTime(workspace, asked.call.session ?? session.actor.id, outcomes.ids);
  if (fresh.length === 0) return nothing;
  offer(store, session, outcomes);
  const next = 'Act on it before you stop, or call holdpoint_await_answer to confirm that you have it.';
  return {
    kind: 'goOn',
    reason: `Holdpoint: ${who(outcomes)} has answered what you asked.\n${outcomes.text}\n${next}`,
  };
}
