/** Decides whether a tool may run, from the pure fold; no database is opened. */
import path from 'node:path';
import { agentsOfSession, ownAgent } from '../app/workspace/agents.ts';
import { kindAt } from '../app/workspace/paths.ts';
import type { Answering } from '../app/workspace/atGate.ts';
import type { Confirming } from '../app/workspace/freshness.ts';
import type { Freshness } from '../core/hold/freshness.ts';
import { gateReasons, type GateReason } from '../core/hold/gate.ts';
import { fileScopes, openHolders, type Holder } from '../core/hold/holds.ts';
import type { Lease, CurrentState } from '../core/state/state.ts';
import type { HookAnswer, HookCall, ToolUse } from '../hosts/call.ts';
import { findStore, relativeTo, isInside } from '../store/journal/findStore.ts';
import { inTime } from './inTime.ts';
import { findMentions, isHeldName, mayMention, otherNames, reachOf, visitPlaces, type Reach } from './reach.ts';
import type { denial } from './denial.ts';
import type { Asked } from './withoutAsking.ts';
import { storeFolder } from '../store/journal/files.ts';

// Calls that may write in Holdpoint's own store or the user's folder with its anchors, keys and launcher. None may, whether
// anything is held or not: without a journal nothing is known, and without baselines no change of a held file is noticed.

const mention = /(?:^|[^\w.-])\.holdpoint(?:$|[^\w.-])/i;

/** The place in the store that the call may write; null for none. */
function writtenInStore(
  { options, location, userFolder }: Answering,
  tool: ToolUse,
  { inside, elsewhere }: Pick<Reach, 'inside' | 'elsewhere'>,
  { cwd }: Pick<HookCall, 'cwd'>,
): string | null {
  const { root, worktree } = location;
  const named = [
    ...inside.map((name) => path.resolve(worktree, name)),
    ...elsewhere.map((name) => path.resolve(root, name)),
  ];
  const ours = named.find((place) => isOurs(place) || isInside(userFolder, place));
  if (ours !== undefined) return isInside(root, ours) ? path.relative(root, ours) : ours;
  if (tool.opaque && mention.test(tool.text)) return storeFolder;
  // What removes or moves a folder does so to all that is in it.
  const removed: string[] = [];
  const removing = {
    ...tool,
    files: [],
    searched: [],
    wholeTree: false,
    named: tool.named.filter((one) => one.isRemoved),
  };
  const session = { cwd, worktrees: [], isHeldName: () => false, platform: options.platform };
  if (removing.named.length > 0) visitPlaces(options.fs, removing, session, (place) => removed.push(place));
  const around = removed.find((place) => isInside(place, path.join(root, storeFolder)) || isInside(place, userFolder));
  return around === undefined ? null : storeFolder;
}

/** In any folder: other stores are not this agent's either. */
function isOurs(place: string): boolean {
  return place.split(path.sep).some((name) => name.toLowerCase() === storeFolder);
}

const nothing: HookAnswer = { kind: 'nothing' };

export async function guard(workspace: Answering, asked: Asked): Promise<HookAnswer> {
  const tool = await withSettings(workspace, asked.call);
  if (!tool?.changes) return nothing;
  await workspace.confirming?.ask();
  const shared: Freshness = workspace.confirming?.freshness() ?? { state: 'local' };
  const standing = workspace.current();
  if (standing.problem) return unknownAnswer(standing.problem);
  const { state } = standing;
  if (tool.server && (await saidToRead(state, asked, tool.name))) return nothing;
  const reach = reachOf(workspace, tool, {
    cwd: asked.call.cwd,
    worktrees: worktreesOf(workspace, asked.call),
    isHeldName: (name) => isHeldName(state, name),
  });
  const inStore = withoutStore(workspace, tool, reach, asked.call);
  const isConfirmed = shared.state === 'local' || shared.state === 'current';
  if (state.holders.size === 0 && isConfirmed) return inStore;
  if (state.heldFiles.size > 0) {
    const { lostBaselines, lostBaselinesText } = await import('../app/hold/lookAtHeld.ts');
    const lost = await lostBaselines(workspace, (recorded) => inTime(recorded));
    if (lost.length > 0) return { kind: 'deny', reason: lostBaselinesText(lost) };
  }
  const named = [...sessionReasons(workspace, state, asked), ...fileReasons(workspace, state, reach, tool)];
  const reasons = uniqueReasons(named.length > 0 ? named : linkReasons(workspace, state, reach));
  if (reasons.length > 0) {
    const agents = agentsOf(workspace, asked, workspace.worktree);
    return deny(reasons, tool, { agents, unresolved: reach.unresolved });
  }
  if (inStore.kind === 'deny') return inStore;
  return isConfirmed ? nothing : withoutServer(workspace, shared, asked, reach);
}

/**
 * Whether a call changes held files of a store in which its session does not work.
 * @param tool as far as it names files
 */
export async function guardFiles(workspace: Answering, tool: ToolUse, cwd: string | null): Promise<HookAnswer> {
  const { state, problem } = workspace.current();
  const reach = reachOf(workspace, tool, { cwd, worktrees: [workspace.location.worktree], isHeldName: () => true });
  if (problem) return reach.inside.length + reach.unresolved.length > 0 ? unknownAnswer(problem) : nothing;
  const held = state.holders.size === 0 ? [] : namedReasons(workspace, state, reach);
  if (held.length > 0) return deny(uniqueReasons(held), tool, reach);
  return withoutStore(workspace, tool, reach, { cwd });
}

/** Most calls are not held, and need no words. */
async function deny(...held: Parameters<typeof denial>): Promise<HookAnswer> {
  const { denial } = await import('./denial.ts');
  return { kind: 'deny', reason: denial(...held) };
}

/** Settings decide what some commands do. They are read only if something is held. */
async function withSettings(workspace: Answering, call: HookCall): Promise<ToolUse | null> {
  const { tool } = call;
  if (!tool || tool.configured.length === 0) return tool;
  const { problem, state } = workspace.current();
  if (!problem && state.holders.size === 0) return tool;
  const { settingsThatRun } = await import('./programSettings.ts');
  const found = settingsThatRun(workspace, call, tool);
  return found === null ? tool : { ...tool, changes: true, opaque: true, unread: found };
}

export function unknownAnswer({ message }: { readonly message: string }): HookAnswer {
  return {
    kind: 'deny',
    reason: `Denied: the state of this workspace is UNKNOWN. ${message} Stop, and tell your human.`,
  };
}

function withoutStore(...call: Parameters<typeof writtenInStore>): HookAnswer {
  const place = writtenInStore(...call);
  if (place === null) return nothing;
  return {
    kind: 'deny',
    reason: `Denied: ${place} belongs to Holdpoint, and no agent writes there, whether anything is held or not. Use Holdpoint's tools or its command line; ask your human about anything else.`,
  };
}

/** Work that nothing known holds continues within the lease. */
function withoutServer(workspace: Answering, shared: Freshness, asked: Asked, reach: Reach): HookAnswer {
  const { tool } = asked.call;
  const { confirming } = workspace;
  const problem = confirming?.problem(
    confirming.ofEdit(shared, (lease) => tool !== null && isStrict(confirming, lease, tool, reach)),
  );
  return problem ? unknownAnswer(problem) : nothing;
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

/** Whether a human has signed that this tool of an MCP server only reads. */
async function saidToRead({ policy }: CurrentState, { adapter }: Asked, name: string): Promise<boolean> {
  const { serverToolName } = adapter;
  const known = policy.hooks?.readOnlyTools ?? [];
  if (known.length === 0) return false;
  const { partsOfServerTool } = await import('../core/kit/fields.ts');
  return known.some((written) => {
    const parts = partsOfServerTool(written);
    return name === (parts ? serverToolName(parts.server, parts.tool) : written);
  });
}

/** Absolute paths: the worktree of the workspace and, if it is another worktree of the same store, the session's. */
function worktreesOf(workspace: Answering, { cwd }: HookCall): string[] {
  const { root, worktree } = workspace.location;
  if (cwd === null) return [worktree];
  const there = findStore(workspace.options.fs, workspace.userFolder, cwd);
  return there.root === root ? [...new Set([worktree, there.worktree])] : [worktree];
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

function sessionReasons(workspace: Answering, state: CurrentState, asked: Asked): GateReason[] {
  const { ignoreCase, location } = workspace;
  const { call } = asked;
  return worktreesOf(workspace, call).flatMap((absolute) => {
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
