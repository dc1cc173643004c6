/** Held files in a browser: the server runs where the files are, and so it looks at them and restores them. */
import { lookAtHeldBy } from '../../app/hold/lookAtHeld.ts';
import { restoreOne } from '../../app/hold/restore.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { gitContent } from '../../hosts/gitContent.ts';
import type { HeldFileMessage } from '../../ui/answer/messages.ts';
import { standingOf } from './reader.ts';
import type { PageOptions } from './wanted.ts';

/** A decision must not overlook a change that no hook saw. Never throws. */
export async function lookFirst(workspace: Workspace, id: string): Promise<void> {
  await lookAtHeldBy(workspace, id).catch(() => undefined);
}

/**
 * Puts a file back for a person with a passkey; it releases nothing, and so it takes no signature. What cannot be restored
 * stays in the form as it is.
 */
export async function restoreHere(
  { folders, session }: Pick<PageOptions, 'folders' | 'session'>,
  { key, path }: HeldFileMessage,
): Promise<void> {
  const found = folders.find(key);
  if (!found) return;
  const { workspace } = found.folder;
  if (standingOf(workspace, session).kind !== 'enrolled') return;
  await restoreOne(workspace, { id: found.id, name: path }, gitContent(process.env)).catch(() => undefined);
  workspace.changed();
}
