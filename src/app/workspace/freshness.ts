/** How fresh this machine's copy of a shared journal is. */
import { freshness, freshnessFor, isStrictIn, leaseOf, lengthOf, type Freshness } from '../../core/hold/freshness.ts';
import { unknownText } from '../../core/hold/gate.ts';
import type { Lease, CurrentState } from '../../core/state/state.ts';
import type { FileSystem } from '../../store/journal/files.ts';
import { hasLine } from '../../store/journal/line.ts';
import { momentOf, type Confirmation, type ConfirmedFile } from '../../store/shared/confirmed.ts';
import { isJoined } from '../../store/journal/stateFile.ts';

/** A workspace whose journal may be a copy of one that a team shares. */
interface CopiedWorkspace {
  readonly options: { readonly fs: FileSystem };
  readonly location: { readonly root: string };
  readonly ignoreCase: boolean;
  readonly stateFile: { readonly path: string };
  readonly confirmed: ConfirmedFile;
  current(): { readonly state: CurrentState | null };
  position(): { readonly position: number; readonly head: string } | null;
  confirm(timeoutMs: number): Promise<void>;
}

/** Of this machine's copy as it is now; read from files, without asking the server. */
export function freshnessOf(workspace: CopiedWorkspace): Freshness {
  const { confirmed: file } = workspace;
  // First: what is confirmed later may be about lines that are not read here.
  const found = file.read();
  const { state } = workspace.current();
  if (!isShared(workspace, state)) return { state: 'local' };
  const isOurs = found !== null && state !== null && isAbout(workspace, state, found);
  return freshness({
    shared: true,
    confirmed: isOurs ? momentOf(found) : null,
    now: file.now(),
    leaseMs: lengthOf(leaseOf(state)),
  });
}

/** Why nothing may be changed although the copy itself is sound. */
export interface Unconfirmed {
  readonly code: 'unconfirmed';
  readonly message: string;
}

export function freshnessProblem(workspace: CopiedWorkspace, found: Freshness): Unconfirmed | null {
  if (found.state !== 'unknown') return null;
  return { code: 'unconfirmed', message: unknownText(found, leaseOf(workspace.current().state)) };
}

/** What a gate asks of a copy that a team may share. */
export interface Confirming extends ReturnType<typeof confirmingOf> {}

export function confirmingOf(workspace: CopiedWorkspace) {
  return {
    /** Asks the server when its last confirmation is too old. */
    ask: () => confirmWith(workspace),
    freshness: () => freshnessOf(workspace),
    /** Of an edit, of which some files may need the server. */
    ofEdit: (found: Freshness, isStrict: (lease: Lease) => boolean) =>
      freshnessFor(found, found.state === 'offline' && isStrict(leaseOf(workspace.current().state))),
    /**
     * Whether one of these files, relative to the worktree and cleaned, is never edited without the server.
     * @param folders those of them that are folders, or may be
     */
    isStrictFile: (files: readonly string[], folders: ReadonlySet<string>) => (lease: Lease) =>
      files.some((file) => isStrictIn(lease, file, workspace.ignoreCase, folders.has(file))),
    problem: (found: Freshness) => freshnessProblem(workspace, found),
  };
}

/** How long a short-lived program waits for the server. Milliseconds. */
export const confirmMs = 2_000;

/** Asks the server when its last confirmation is too old. Does nothing on a local journal. */
export async function confirmWith(workspace: CopiedWorkspace, timeoutMs = confirmMs): Promise<void> {
  const { state } = freshnessOf(workspace);
  if (state === 'offline' || state === 'unknown') await workspace.confirm(timeoutMs);
}

/** By the journal, or by what this machine knows of a copy that it has not read that far. */
function isShared({ options, stateFile }: CopiedWorkspace, state: CurrentState | null): boolean {
  return (state?.shared ?? null) !== null || isJoined(options.fs, stateFile.path);
}

/** A confirmation of another workspace, or of a line that this copy does not have, is not about this copy. */
function isAbout(workspace: CopiedWorkspace, state: CurrentState, found: Confirmation): boolean {
  if (found.workspace !== state.workspace?.id) return false;
  if (found.trouble !== undefined) return true;
  const here = workspace.position();
  if (here === null || here.position < found.position) return false;
  if (here.position === found.position) return here.head === found.head;
  return hasLine(workspace.options.fs, { root: workspace.location.root, ...found });
}

export interface SharedData extends ReturnType<typeof sharedData> {}

export function sharedData(found: Freshness) {
  return {
    /** `local`: the journal is this machine's own. */
    state: found.state,
    /** When the server last confirmed this machine's copy, unless that was just now. */
    since: 'since' in found ? found.since : null,
  };
}
