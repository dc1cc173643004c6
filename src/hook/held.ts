/** What holds a call that changes something. Loaded only where something is held, or the server of a team is away. */
import path from 'node:path';
import { agentsOfSession, ownAgent } from '../app/workspace/agents.ts';
import type { Answering } from '../app/workspace/atGate.ts';
import type { Confirming, Unconfirmed } from '../app/workspace/freshness.ts';
import { kindAt } from '../app/workspace/paths.ts';
import type { Freshness } from '../core/hold/freshness.ts';
import { gateReasons, type GateReason } from '../core/hold/gate.ts';
import { fileScopes, openHolders, type Holder } from '../core/hold/holds.ts';
import type { Lease, CurrentState } from '../core/state/state.ts';
import type { HookAnswer, ToolUse } from '../hosts/call.ts';
import { findStore, relativeTo } from '../store/journal/findStore.ts';
import type { denial } from './denial.ts';
import { findMentions, mayMention, otherNames } from './heldNames.ts';
import type { Reach } from './reach.ts';
import { type Asked, inTime } from './surroundings.ts';

export { isHeldName } from './heldNames.ts';

interface AskedTool extends Asked {
  readonly tool: ToolUse;
  /** Absolute: those that the session may work in. */
  readonly worktrees: readonly string[];
  readonly reach: Reach;
}

/** The denial of a call that something holds; null for any other. */
export async function heldAnswer(
  workspace: Answering,
  state: CurrentState,
  asked: AskedTool,
): Promise<HookAnswer | null> {
  if (state.heldFiles.size > 0) {
    const { lostBaselines, lostBaselinesText } = await import('../app/hold/lookAtHeld.ts');
    const lost = await lostBaselines(workspace, (recorded) => inTime(recorded));
    if (lost.length > 0) return { kind: 'deny', reason: lostBaselinesText(lost) };
  }
  const { tool, reach } = asked;
  const named = [...sessionReasons(workspace, state, asked), ...fileReasons(workspace, state, reach, tool)];
  const reasons = uniqueReasons(named.length > 0 ? named : linkReasons(workspace, state, reach));
  if (reasons.length === 0) return null;
  const agents = agentsOf(workspace, asked, workspace.worktree);
  return deny(reasons, tool, { agents, unresolved: reach.unresolved });
}

/** The denial of a call for the files that it names, whoever makes it; null if none is held. */
export async function namedAnswer(
  workspace: Answering,
  state: CurrentState,
  tool: ToolUse,
  reach: Reach,
): Promise<HookAnswer | null> {
  const held = namedReasons(workspace, state, reach);
  return held.length === 0 ? null : deny(uniqueReasons(held), tool, reach);
}

/** Most calls are not held, and need no words. */
async function deny(...held: Parameters<typeof denial>): Promise<HookAnswer> {
  const { denial } = await import('./denial.ts');
  return { kind: 'deny', reason: denial(...held) };
}

/** Work that nothing known holds continues within the lease. Null where it may. */
export function problemWithoutServer(
  { confirming }: Answering,
  shared: Freshness,
  tool: ToolUse,
  reach: Reach,
): Unconfirmed | null {
  return confirming?.problem(confirming.ofEdit(shared, (lease) => isStrict(confirming, lease, tool, reach))) ?? null;
}

/** Whether the call may change a file that is never changed without the server. Anything uncertain may. */
function isStrict(
  confirming: Confirming,
  lease: Lease,
  tool: ToolUse,
  { inside, foldersInside, elsewhere, unresolved }: Reach,
): boolean {
  if (lease.strictGlobs.length === 0) return false;
  return (
    tool.opaque ||
    elsewhere.length + unresolved.length > 0 ||
    confirming.isStrictFile(inside, foldersInside)(lease) ||
    (tool.text !== '' && lease.strictGlobs.some((glob) => mayMention(tool.text, glob)))
  );
}

/** The agents that the session may act for. */
export function agentsOf(workspace: Answering, asked: Asked, worktree: string): string[] {
  return asked.given === undefined ? agentsOfHost(workspace, asked, worktree) : namedAgents(workspace, asked);
}

function namedAgents(workspace: Answering, { given }: Asked): string[] {
  return given === undefined ? [] : [ownAgent(workspace, given) ?? []].flat();
}

/** Those that the session may be, whatever its environment says. */
function agentsOfHost(workspace: Answering, { adapter, call }: Asked, worktree: string): string[] {
  const { agentType, alsoCalled, stampsCalls } = adapter;
  const session = stampsCalls ? call.session : null;
  return agentsOfSession(workspace, { types: [agentType, ...alsoCalled], worktree, session });
}

function sessionReasons(workspace: Answering, state: CurrentState, asked: AskedTool): GateReason[] {
  const { ignoreCase, location } = workspace;
  const { call } = asked;
  return asked.worktrees.flatMap((absolute) => {
    const worktree = relativeTo(location.root, absolute);
    const ask = (session: { agent: string; id?: string } | 'unknown') =>
      gateReasons(state, { worktree, ignoreCase, session });
    if (call.session === null && asked.given === undefined) return ask('unknown');
    // Hosts read variables from files that an agent can write, so a given name lifts no hold of the host's own agents.
    const own = [...new Set([...namedAgents(workspace, asked), ...agentsOfHost(workspace, asked, worktree)])];
    // A question from a shell comes from some agent of this worktree.
    const shells = agentsOfSession(workspace, { types: ['shell'], worktree, session: null });
    const id = call.session === null ? {} : { id: call.session };
    // An unregistered agent has asked nothing; only the session id matters, and listing it once is enough.
    const known = own.filter((agent) => state.agents.has(agent));
    return [
      ...(known.length > 0 ? known : own.slice(0, 1)).flatMap((agent) => ask({ agent, ...id })),
      ...shells.flatMap((agent) => ask({ agent })),
    ];
  });
}

/** What holds the files that a call names. Any hold may apply to a name that cannot be resolved. */
function namedReasons(workspace: Answering, state: CurrentState, reach: Reach): GateReason[] {
  const { inside, elsewhere, unresolved } = reach;
  const { ignoreCase, worktree } = workspace;
  return [
    ...gateReasons(state, { files: inside, folders: reach.foldersInside, worktree, ignoreCase }),
    ...gateReasons(state, { files: elsewhere, folders: reach.foldersElsewhere, worktree: '.', ignoreCase }),
    ...(unresolved.length === 0 ? [] : anyFile(state)),
  ];
}

function fileReasons(workspace: Answering, state: CurrentState, reach: Reach, tool: ToolUse): GateReason[] {
  const any = tool.opaque ? anyFile(state) : [];
  const wide = widenedReasons(
    workspace,
    openHolders(state, ({ widened }) => widened !== null),
    tool,
    reach.elsewhere,
  );
  const spoken = [...findMentions(state, tool.text, workspace.ignoreCase)].map(([holder, subject]): GateReason => ({
    code: 'held_file',
    subject,
    holder,
  }));
  return [...namedReasons(workspace, state, reach), ...any, ...wide, ...spoken];
}

/** The first file of each holder: which of them it is, is not known. */
function anyFile(state: CurrentState): GateReason[] {
  return openHolders(state, (holder) => fileScopes(state, holder).length > 0).map((holder) => ({
    code: 'held_file',
    subject: holder.widened === null ? (fileScopes(state, holder)[0] ?? '') : everyFile,
    holder,
  }));
}

/** Last, because it looks at files: holds on a file that the call reaches under another name. */
function linkReasons(workspace: Answering, state: CurrentState, reach: Reach): GateReason[] {
  const names = otherNames(workspace, state, reach);
  // Too many to tell.
  if (names === null) return anyFile(state);
  const { ignoreCase, location, options } = workspace;
  const folders = new Set(names.filter((name) => kindAt(options.fs, path.join(location.root, name)) === 'folder'));
  return gateReasons(state, { files: names, folders, worktree: '.', ignoreCase });
}

const everyFile = 'every file of this workspace';

/**
 * If a human holds every file, this stops each command and each MCP tool not known to read, whatever it names, and
 * edits in any worktree of the store, including files outside its root.
 */
function widenedReasons(
  workspace: Answering,
  holders: readonly Holder[],
  tool: ToolUse,
  elsewhere: readonly string[],
): GateReason[] {
  if (holders.length === 0) return [];
  const { location, options, userFolder } = workspace;
  const isOurs = (file: string) => {
    const place = path.resolve(location.root, file);
    return (
      findStore(options.fs, userFolder, kindAt(options.fs, place) === 'folder' ? place : path.dirname(place)).root ===
      location.root
    );
  };
  const subjects = tool.command !== '' || tool.server ? [everyFile] : elsewhere.filter(isOurs);
  return holders.flatMap((holder) => subjects.map((subject): GateReason => ({ code: 'held_file', subject, holder })));
}

function uniqueReasons(reasons: readonly GateReason[]): GateReason[] {
  return [
    ...new Map(
      reasons.map((reason) => [`${reason.holder?.id ?? ''} ${reason.code} ${reason.subject}`, reason]),
    ).values(),
  ];
}
