/**
 * Calls that may write in Holdpoint's own store or the user's folder with its anchors, keys and launcher. None may, whether
 * anything is held or not: without a journal nothing is known, and without baselines no change of a held file is noticed.
 */
import path from 'node:path';
import type { Answering } from '../app/workspace/atGate.ts';
import type { HookCall, ToolUse } from '../hosts/call.ts';
import { isInside } from '../store/journal/findStore.ts';
import { storeFolder } from '../store/journal/segments.ts';
import { visitPlaces, type Reach } from './reach.ts';

const mention = /(?:^|[^\w.-])\.holdpoint(?:$|[^\w.-])/i;

/** The place in the store that the call may write; null for none. */
export function writtenInStore(
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
