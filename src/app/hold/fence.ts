/**
 * The fence: while files are held, they are read-only, where the signed policy says so. It stops programs that write into
 * held files without knowing, never one that means to. Any program does it that sees a hold begin or end: what is to be
 * fenced follows from the state, and what was fenced is noted, so that each can take up where another one was stopped.
 */
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isHeldHere } from '../../core/hold/heldHere.ts';
import { fileScopes, holderBriefs } from '../../core/hold/holds.ts';
import type { HolderBrief } from '../../core/hold/holds.ts';
import { globHolds } from '../../core/kit/glob.ts';
import { seenFrom } from '../../core/kit/paths.ts';
import type { State } from '../../core/state/state.ts';
import { syncFolder } from '../../store/journal/files.ts';
import { storeFolder } from '../../store/journal/segments.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { readBaseline } from './baseline.ts';
import { fewTexts } from './packedBaselines.ts';
import { copyOf, isHere, ownFiles } from './copy.ts';
import { changeMode, fencedMode, isReachedDirectly, modeOf, modeToFence } from './fenceMode.ts';
import { hashOfScopes } from './takeBaselines.ts';
import { hasFence } from './fenceFile.ts';
import { readFenceNotes, removeFenceNotes, withFenceLock, writeFenceNotes } from './fenceNotes.ts';
import type { FenceNotes } from './fenceNotes.ts';

/** What one question or RFC holds here, and the baselines that list its files. */
interface Fenced {
  readonly id: string;
  readonly worktree: string;
  readonly scopes: readonly string[];
  readonly baselines: readonly string[];
}

interface Wanted {
  /** Of these holds. Empty without any. */
  readonly mark: string;
  readonly fenced: readonly Fenced[];
}

const nothingWanted: Wanted = { mark: '', fenced: [] };

/** Null where that is not known: then everything stays as it is. */
function wantedNow(workspace: Workspace): Wanted | null {
  const { state } = workspace.standing();
  if (state) return wantedIn(workspace, state);
  // Its human removed it, and nothing holds here any more.
  const { options, location } = workspace;
  return options.fs.existsSync(path.join(location.root, storeFolder)) ? null : nothingWanted;
}

function wantedIn(workspace: Workspace, state: State): Wanted {
  if (state.policy.fence?.heldFiles !== true) return nothingWanted;
  const copy = copyOf(workspace, state);
  const fenced = [...holderBriefs(state)].flatMap(([id, brief]) => {
    const baselines = isHeldHere(id) ? [] : (ownFiles(state, id, copy)?.baselines ?? []).map(({ hash }) => hash);
    return baselines.length > 0 ? [fencedBy(state, { id, brief, baselines })] : [];
  });
  const here = copy === undefined ? fenced : fenced.filter(({ worktree }) => isHere(workspace, worktree));
  if (here.length === 0) return nothingWanted;
  const lines = here.map((one) => [one.id, one.worktree, hashOfScopes(one.scopes), ...one.baselines].join(' '));
  return { mark: sha256(lines.join('\n')), fenced: here };
}

interface Held {
  readonly id: string;
  readonly brief: HolderBrief;
  readonly baselines: readonly string[];
}

function fencedBy(state: State, { id, brief, baselines }: Held): Fenced {
  return { id, worktree: brief.asker.worktree ?? '.', scopes: fileScopes(state, brief), baselines };
}

/** Whether files should be made read-only, or writable again. */
export function isFenceDue(workspace: Workspace): boolean {
  try {
    const { state } = workspace.standing();
    if (state?.policy.fence?.heldFiles !== true && !hasFence(workspace)) return false;
    const wanted = wantedNow(workspace);
    return wanted !== null && isOther(readFenceNotes(workspace), wanted);
  } catch {
    return false;
  }
}

function isOther(notes: FenceNotes | null, { mark }: Wanted): boolean {
  return (notes?.mark ?? '') !== mark || (notes !== null && notes.pending.length > 0);
}

/** Between two turns of an editor. */
const atOnce = 200;

/**
 * Makes held files read-only, and writable again as exactly as they were. Never throws: held files without a fence are
 * watched all the same. Does nothing while another program does it.
 */
export async function keepFence(workspace: Workspace): Promise<void> {
  const { mayWrite = () => true } = workspace.options;
  if (!isFenceDue(workspace) || !mayWrite()) return;
  try {
    await withFenceLock(workspace, async () => {
      const wanted = wantedNow(workspace);
      if (wanted && isOther(readFenceNotes(workspace), wanted)) await bringTo(workspace, wanted);
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

async function bringTo(workspace: Workspace, wanted: Wanted): Promise<void> {
  const { fs } = workspace.options;
  const { root } = workspace.location;
  const before = readFenceNotes(workspace);
  const noted = new Map(Object.entries(before?.files ?? {}));
  const isWanted = heldByAny(workspace, wanted);
  const added = filesToFence(workspace, wanted, new Set(before?.baselines)).filter((name) => !noted.has(name));
  const isDirect = isReachedDirectly(fs, root);
  const pending = new Set((before?.pending ?? []).filter((name) => noted.has(name)));
  for (const name of added) {
    const mode = isDirect(name) ? modeToFence(fs, path.join(root, name)) : null;
    if (mode === null) continue;
    noted.set(name, mode);
    pending.add(name);
  }
  const notes = (mark: string): FenceNotes => ({
    ...{ v: 1, mark, baselines: wanted.fenced.flatMap(({ baselines }) => baselines) },
    ...{ files: Object.fromEntries(noted), pending: [...pending] },
  });
  if (pending.size > 0) writeFenceNotes(workspace, notes(before?.mark ?? ''));
  let count = 0;
  for (const [name, mode] of [...noted]) {
    if (isWanted(name) ? !isFenced(name, mode) : release(name, mode)) noted.delete(name);
    if (++count % atOnce === 0) await nextTurn();
  }
  // The modes must be on the disk before the notes are gone: a file system with a journal writes them with this.
  if (before && fs.existsSync(root)) syncFolder(fs, root);
  pending.clear();
  if (noted.size === 0 && wanted.mark === '') removeFenceNotes(workspace);
  else writeFenceNotes(workspace, notes(wanted.mark));

  /** False for one that cannot be. One that was fenced before stays as it is: somebody may have made it writable. */
  function isFenced(name: string, mode: number): boolean {
    const file = path.join(root, name);
    const fenced = fencedMode(mode);
    return !pending.has(name) || changeMode(fs, file, { from: mode, to: fenced }) || modeOf(fs, file) === fenced;
  }

  /**
   * False for one that could not be changed back. A file with another mode is left alone. One that replaced the fenced file
   * and has its mode is a copy by a program that kept the mode.
   */
  function release(name: string, mode: number): boolean {
    const file = path.join(root, name);
    if (!isDirect(name)) return true;
    return changeMode(fs, file, { from: fencedMode(mode), to: mode }) || modeOf(fs, file) !== fencedMode(mode);
  }
}

/** Whether any of the holds is about a file of these names. */
function heldByAny({ ignoreCase }: Workspace, { fenced }: Wanted): (name: string) => boolean {
  const globs = new Map<string, Set<string>>();
  for (const { worktree, scopes } of fenced) {
    const there = globs.get(worktree) ?? new Set();
    for (const scope of scopes) there.add(scope);
    globs.set(worktree, there);
  }
  return (name) =>
    [...globs].some(([worktree, there]) => {
      const inside = seenFrom(worktree, '.', name);
      return inside !== null && [...there].some((glob) => globHolds(glob, inside, ignoreCase));
    });
}

/** What baselines list that were not looked at before, as far as it is still held. Relative to the store's root. */
function filesToFence(workspace: Workspace, { fenced }: Wanted, seen: ReadonlySet<string>): string[] {
  const { ignoreCase } = workspace;
  const texts = fewTexts(workspace);
  const found = new Set<string>();
  for (const { id, worktree, scopes, baselines } of fenced) {
    const fresh = baselines.filter((hash) => !seen.has(hash)).map((hash) => ({ hash, scopes: '' }));
    for (const { files } of readBaseline(texts, id, fresh) ?? [])
      for (const [name, { mark }] of files)
        if (mark.kind === 'file' && !isKeptOut(name) && scopes.some((glob) => globHolds(glob, name, ignoreCase)))
          found.add(path.posix.join(worktree, name));
  }
  return [...found];
}

/** Written by git and by Holdpoint itself. */
function isKeptOut(name: string): boolean {
  return name.split('/').some((segment) => ['.git', storeFolder].includes(segment.toLowerCase()));
}
