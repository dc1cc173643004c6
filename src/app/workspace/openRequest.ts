/**
 * A note from the command line that asks the editor to open the form of an item. It can only open a form, so it needs
 * no authentication.
 */
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { hasItem, isRfcId, itemId } from '../../core/waiting/items.ts';
import { replaceFile } from '../../store/journal/files.ts';
import { storeFolder } from '../../store/journal/places.ts';
import { AppError } from './errors.ts';
import type { Workspace } from './workspace.ts';

const openRequest = z.strictObject({ id: itemId, at: z.number() });

/** Relative to the store's root. */
export const openRequestFile = `${storeFolder}/open.json`;
/** An older note is ignored, for example by an editor that starts later. Milliseconds. */
const freshMs = 10_000;

/** @throws AppError `not_found` for an unknown question or RFC */
export function requestOpen(workspace: Workspace, id: string): void {
  const { state } = workspace.standing();
  if (!state || !hasItem(state, id))
    throw new AppError('not_found', isRfcId(id) ? `there is no ${id}` : `there is no item ${id}`);
  const { fs, clock, newId } = workspace.options;
  const file = path.join(workspace.location.root, openRequestFile);
  replaceFile(fs, file, Buffer.from(JSON.stringify({ id, at: clock() })), `${file}.${newId()}.tmp`);
}

/** The recently requested id, which only the first editor gets; null for anything else in the file. */
export function takeOpenRequest(workspace: Workspace): string | null {
  const { fs, clock } = workspace.options;
  const file = path.join(workspace.location.root, openRequestFile);
  try {
    const request = openRequest.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
    if (Math.abs(clock() - request.at) >= freshMs) return null;
    fs.rmSync(file);
    return request.id;
  } catch {
    return null;
  }
}

/**
 * Whether an editor takes the request, within a few seconds. One that was not taken is withdrawn: nothing opens by itself
 * later.
 */
export async function isTaken(workspace: Workspace, signal: AbortSignal): Promise<boolean> {
  const { fs } = workspace.options;
  const file = path.join(workspace.location.root, openRequestFile);
  const isThere = () => {
    try {
      fs.readFileSync(file);
      return true;
    } catch {
      return false;
    }
  };
  for (let waited = 0; waited < takenWithinMs && isThere() && !signal.aborted; waited += lookEveryMs)
    await setTimeout(lookEveryMs);
  return !isThere() || takeOpenRequest(workspace) === null;
}

/** An editor's watcher can be slow. */
const takenWithinMs = 4_000;
const lookEveryMs = 50;
