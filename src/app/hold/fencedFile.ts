/** One file behind the fence: its mode without it, and making it writable for a save or a restore. */
import path from 'node:path';
import type { Workspace } from '../workspace/workspace.ts';
import { changeMode, fencedMode, isReachedDirectly } from './fenceMode.ts';
import { hasFence } from './fenceFile.ts';
import { readFenceNotes, withFenceLock } from './fenceNotes.ts';

/** The permission bits that files have without the fence; undefined for a file that has none. */
export function modesWithoutFence(workspace: Workspace): (absolute: string) => number | undefined {
  const files = hasFence(workspace) ? (readFenceNotes(workspace)?.files ?? {}) : {};
  const { root } = workspace.location;
  return (absolute) => files[path.relative(root, absolute).split(path.sep).join('/')];
}

/** Makes a fenced file writable. False if it is not fenced. */
export function liftFence(workspace: Workspace, absolute: string): boolean {
  return change(workspace, absolute, (mode) => ({ from: fencedMode(mode), to: mode }));
}

/** Makes it read-only again, unless its hold has ended or its mode is another one now. */
export async function raiseFence(workspace: Workspace, absolute: string): Promise<void> {
  if (!hasFence(workspace)) return;
  await withFenceLock(workspace, () => {
    change(workspace, absolute, (mode) => ({ from: mode, to: fencedMode(mode) }));
  });
}

function change(
  workspace: Workspace,
  absolute: string,
  modes: (mode: number) => { readonly from: number; readonly to: number },
): boolean {
  const { fs } = workspace.options;
  const { root } = workspace.location;
  const mode = modesWithoutFence(workspace)(absolute);
  if (mode === undefined || !isReachedDirectly(fs, root)(path.relative(root, absolute))) return false;
  return changeMode(fs, absolute, modes(mode));
}
