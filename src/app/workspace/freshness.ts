/** How fresh this machine's copy of a shared journal is. */
import { freshness, freshnessFor, leaseFor, leaseOf } from '../../core/hold/freshness.ts';
import type { Freshness } from '../../core/hold/freshness.ts';
import type { State } from '../../core/state/state.ts';
import { hasLine } from '../../store/journal/hasLine.ts';
import { readSharedFile } from '../../store/journal/sharedFile.ts';
import { momentOf } from '../../store/shared/confirmed.ts';
import type { Confirmation } from '../../store/shared/confirmed.ts';
import type { Workspace } from './workspace.ts';

/** Of this machine's copy as it is now; read from files, without asking the server. */
export function freshnessOf(workspace: Workspace): Freshness {
  const { state } = workspace.standing();
  if (!isShared(workspace, state)) return { state: 'local' };
  const { confirmed: file } = workspace;
  const found = file.read();
  const isOurs = found !== null && state !== null && isAbout(workspace, state, found);
  return freshness({
    shared: true,
    confirmed: isOurs ? momentOf(found) : null,
    now: file.now(),
    leaseMs: leaseOf(state).seconds * 1_000,
  });
}

/** The same for an edit of these files (relative to the worktree, cleaned), some of which may need the server. */
export function freshnessOfEdit(workspace: Workspace, files: readonly string[]): Freshness {
  const lease = leaseOf(workspace.standing().state);
  return freshnessFor(
    freshnessOf(workspace),
    files.some((file) => leaseFor(lease, file, workspace.ignoreCase) === 0),
  );
}

/** Asks the server when its last confirmation is too old. Does nothing on a local journal. */
export async function confirmWith(workspace: Workspace, timeoutMs: number): Promise<void> {
  if (!workspace.confirm) return;
  const { state } = freshnessOf(workspace);
  if (state === 'offline' || state === 'unknown') await workspace.confirm(timeoutMs);
}

function isShared({ options, userFolder, location }: Workspace, _state: State | null): boolean {
  return readSharedFile(options.fs, userFolder, location.root) !== null;
}

/** A confirmation of another workspace, or of a line that this copy does not have, is not about this copy. */
function isAbout(workspace: Workspace, state: State, found: Confirmation): boolean {
  if (found.workspace !== state.workspace?.id) return false;
  if (found.trouble !== undefined) return true;
  const here = workspace.position();
  if (here === null || here.position < found.position) return false;
  if (here.position === found.position) return here.head === found.head;
  return hasLine(workspace.options.fs, { root: workspace.location.root, ...found }, state.seals);
}
