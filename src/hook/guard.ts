/** Decides whether a tool may run, from the pure fold; no database is opened. What holds it is found in held.ts. */
import path from 'node:path';
import type { Answering } from '../app/workspace/atGate.ts';
import type { Freshness } from '../core/hold/freshness.ts';
import type { CurrentState } from '../core/state/state.ts';
import type { HookAnswer, HookCall, ToolUse } from '../hosts/call.ts';
import { storeFolder } from '../store/journal/files.ts';
import { findStore, isInside } from '../store/journal/findStore.ts';
import { reachOf, visitPlaces, type Reach } from './reach.ts';
import type { Asked } from './surroundings.ts';

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
  const isConfirmed = shared.state === 'local' || shared.state === 'current';
  const held = state.holders.size === 0 && isConfirmed ? null : await import('./held.ts');
  const worktrees = worktreesOf(workspace, asked.call);
  const reach = reachOf(workspace, tool, {
    cwd: asked.call.cwd,
    worktrees,
    isHeldName: (name) => held?.isHeldName(state, name) === true,
  });
  const denied = await held?.heldAnswer(workspace, state, { ...asked, tool, worktrees, reach });
  if (denied) return denied;
  const inStore = withoutStore(workspace, tool, reach, asked.call);
  if (inStore.kind === 'deny' || isConfirmed) return inStore;
  const problem = held?.problemWithoutServer(workspace, shared, tool, reach);
  return problem ? unknownAnswer(problem) : nothing;
}

/**
 * Whether a call changes held files of a store in which its session does not work.
 * @param tool as far as it names files
 */
export async function guardFiles(workspace: Answering, tool: ToolUse, cwd: string | null): Promise<HookAnswer> {
  const { state, problem } = workspace.current();
  const reach = reachOf(workspace, tool, { cwd, worktrees: [workspace.location.worktree], isHeldName: () => true });
  if (problem) return reach.inside.length + reach.unresolved.length > 0 ? unknownAnswer(problem) : nothing;
  if (state.holders.size > 0) {
    const { namedAnswer } = await import('./held.ts');
    const denied = await namedAnswer(workspace, state, tool, reach);
    if (denied) return denied;
  }
  return withoutStore(workspace, tool, reach, { cwd });
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
