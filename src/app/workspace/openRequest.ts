/**
 * "Bring up the form of Q-12": a note that the command line leaves for the editor. It can open a form and nothing else,
 * so it needs no trust; whoever can write it can only make a form appear.
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
/** An older note is history: an editor that starts later does not act on it. */
const freshMs = 10_000;

/** @throws AppError `not_found` for an unknown question or RFC */
export function requestOpen(workspace: Workspace, id: string): void {
  const { state } = workspace.standing();
  if (!state || !hasItem(state, id))
    throw new AppError('not_found', isRfcId(id) ? `there is no ${id}` : `there is no question ${id}`);
  const { fs, clock, newId } = workspace.options;
  const file = path.join(workspace.location.root, openRequestFile);
  replaceFile(fs, file, Buffer.from(JSON.stringify({ id, at: clock() })), `${file}.${newId()}.tmp`);
}

/** The id that was asked for a moment ago; null for anything else that may lie there. */
export function readOpenRequest(workspace: Workspace): string | null {
  try {
    const text = workspace.options.fs.readFileSync(path.join(workspace.location.root, openRequestFile), 'utf8');
    const request = openRequest.parse(JSON.parse(text));
    return Math.abs(workspace.options.clock() - request.at) < freshMs ? request.id : null;
  } catch {
    return null;
  }
}
