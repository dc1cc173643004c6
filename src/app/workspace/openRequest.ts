/**
 * A note from the command line that asks the editor to open the form of an item. It can only open a form, so it needs
 * no authentication.
 */
import path from 'node:path';
import * as z from 'zod';
import { hasItem, isRfcId, itemId } from '../../core/waiting/items.ts';
import { replaceFile } from '../../store/journal/files.ts';
import { storeFolder } from '../../store/journal/segments.ts';
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

/** The recently requested id; null for anything else in the file. */
export function readOpenRequest(workspace: Workspace): string | null {
  try {
    const text = workspace.options.fs.readFileSync(path.join(workspace.location.root, openRequestFile), 'utf8');
    const request = openRequest.parse(JSON.parse(text));
    return Math.abs(workspace.options.clock() - request.at) < freshMs ? request.id : null;
  } catch {
    return null;
  }
}
