/**
 * Hooks of an administrator's rules name no folder: they run for every user and wherever an agent is started. The stores
 * that a call concerns are those around the folders of its session, and every other store of the user whose files it
 * names. Each of them can only add a denial.
 */
import path from 'node:path';
import { openAtGate, type AtGate } from '../app/workspace/atGate.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import type { HookAnswer, ToolUse } from '../hosts/call.ts';
import { findStore, isInside, storeFinder, type StoreLocation } from '../store/journal/findStore.ts';
import { knownStores, userFolder } from '../store/journal/stateFile.ts';
import { guard, guardFiles, unknownAnswer } from './guard.ts';
import { visitPlaces } from './reach.ts';
import { distinctStores, isKnownStore, sessionStores, sessionFolders } from './sessionStores.ts';
import type { Asked, Surroundings } from './surroundings.ts';

type Find = (folder: string) => StoreLocation;

export async function guardMachine(surroundings: Surroundings, asked: Asked): Promise<HookAnswer> {
  const find = storeFinder(surroundings.fs, userFolder(surroundings));
  const own = sessionStores(surroundings, null, asked, find);
  for (const location of own) {
    const answer = await withStore(surroundings, location, (workspace) => guard(workspace, asked));
    if (answer.kind === 'deny') return answer;
  }
  return guardOthers(surroundings, asked, { find, own });
}

/** Denies a call that names held files of a store in which its session does not work. */
async function guardOthers(
  surroundings: Surroundings,
  { call: { tool, cwd } }: Asked,
  { find, own }: { readonly find: Find; readonly own: readonly StoreLocation[] },
): Promise<HookAnswer> {
  if (!tool?.changes) return { kind: 'nothing' };
  const { fs, platform } = surroundings;
  const naming = asFarAsNamed(tool, cwd);
  const places = new Set<string>();
  const unresolved = visitPlaces(fs, naming, { cwd, worktrees: [], isHeldName: () => true, platform }, (place) => {
    places.add(place);
  });
  const isOwn = ({ root }: Pick<StoreLocation, 'root'>) => own.some((one) => one.root === root);
  const { anchors, unreadable } = knownStores(fs, userFolder(surroundings));
  const around = distinctStores([...new Set([...places].map((place) => folderAround(surroundings, place)))].map(find));
  // A name that cannot be resolved may be a file of any store, and a folder contains whole stores.
  const below = anchors
    .filter(({ root, worktrees }) =>
      [root, ...worktrees.map((one) => one.path)].some(
        (folder) => unresolved.length > 0 || [...places].some((place) => isInside(place, folder)),
      ),
    )
    .map(({ root }): StoreLocation => ({ root, worktree: root, problem: null }));
  for (const location of distinctStores([...around, ...below]).filter((one) => !isOwn(one))) {
    if (!isFolder(surroundings, location.root)) continue;
    const use = (workspace: AtGate) => guardFiles(workspace, naming, cwd);
    const answer = await withStore(surroundings, location, use);
    if (answer.kind === 'deny') return answer;
  }
  const [lost] = unreadable;
  const mayContain = (place: string) => isFolder(surroundings, place) && !isOwn(find(place));
  return lost !== undefined && (unresolved.length > 0 || [...places].some(mayContain))
    ? unknownAnswer({ message: `${lost} cannot be read, so its held files are not known.` })
    : { kind: 'nothing' };
}

/** What a call may change without naming it, or in a folder that is not known, is judged where the session works. */
function asFarAsNamed(tool: ToolUse, cwd: string | null): ToolUse {
  const isKnown = (base: string | null) => base !== null && (cwd !== null || path.isAbsolute(base));
  return { ...tool, opaque: false, named: tool.named.map((word) => ({ ...word, bases: word.bases.filter(isKnown) })) };
}

/** The store in which a session of this user works, for what only adds context. */
export async function withSession<T>(
  surroundings: Surroundings,
  asked: Asked,
  use: (workspace: Workspace) => T | Promise<T>,
): Promise<T> {
  const folder = sessionFolders(surroundings, asked)[0] ?? process.cwd();
  const location = findStore(surroundings.fs, userFolder(surroundings), folder);
  const { openWorkspace } = await import('../app/workspace/workspace.ts');
  return closing(openWorkspace(optionsIn(surroundings, location)), use);
}

export async function withStore<T>(
  surroundings: Surroundings,
  location: StoreLocation,
  use: (workspace: AtGate) => Promise<T>,
): Promise<T> {
  return closing(await openAtGate(optionsIn(surroundings, location)), use);
}

function optionsIn(surroundings: Surroundings, location: StoreLocation) {
  const mayWrite = () => isKnownStore(surroundings, location);
  return { ...surroundings, folder: location.worktree, location, mayWrite };
}

async function closing<W extends AtGate, T>(workspace: W, use: (workspace: W) => T | Promise<T>): Promise<T> {
  try {
    return await use(workspace);
  } finally {
    workspace.close();
  }
}

function folderAround(surroundings: Surroundings, place: string): string {
  const above = path.dirname(place);
  return isFolder(surroundings, place) || above === place ? place : folderAround(surroundings, above);
}

function isFolder({ fs }: Surroundings, place: string): boolean {
  try {
    return fs.statSync(place).isDirectory();
  } catch {
    return false;
  }
}
