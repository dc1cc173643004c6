/**
 * The stores in which a session works. Hooks of an administrator's rules name no folder: theirs are the stores around the
 * folders of the session.
 */
import path from 'node:path';
import { baselineFolder } from '../app/hold/baseline.ts';
import { storeFinder, type StoreLocation } from '../store/journal/findStore.ts';
import { stateFileName, storesFolder, userFolder } from '../store/journal/stateFile.ts';
import type { Asked, Surroundings } from './surroundings.ts';
import type { HookCall } from '../hosts/call.ts';

export function distinctStores(locations: readonly StoreLocation[]): StoreLocation[] {
  return [...new Map(locations.map((one) => [`${one.root}\0${one.worktree}`, one])).values()];
}

/** @param folder the one that the hook names; null for an administrator's rules */
export function sessionStores(
  surroundings: Surroundings,
  folder: string | null,
  asked: Asked,
  find = storeFinder(surroundings.fs, userFolder(surroundings)),
): StoreLocation[] {
  return distinctStores((folder === null ? sessionFolders(surroundings, asked) : [folder]).map(find));
}

/** Those of them in which held files have a baseline. */
export function watchedStores(surroundings: Surroundings, folder: string | null, asked: Asked): StoreLocation[] {
  return sessionStores(surroundings, folder, asked).filter(({ root }) =>
    surroundings.fs.existsSync(baselineFolder(root)),
  );
}

/** Nothing is written about a store that this user's programs do not know yet: canaries leave no trace. */
export function isKnownStore(surroundings: Surroundings, { root }: Pick<StoreLocation, 'root'>): boolean {
  return surroundings.fs.existsSync(path.join(storesFolder(userFolder(surroundings)), stateFileName(root)));
}

/** Folder of the call, of this program, and of the project as the host names it. Never empty. */
export function sessionFolders(
  { env, fs }: Pick<Surroundings, 'env' | 'fs'>,
  { call }: { readonly call: Pick<HookCall, 'cwd'> },
): string[] {
  const named = [
    call.cwd,
    process.cwd(),
    env['CLAUDE_PROJECT_DIR'],
    env['CURSOR_PROJECT_DIR'],
    env['GEMINI_PROJECT_DIR'],
  ];
  return [...new Set(named.filter((folder) => typeof folder === 'string'))].filter(
    (folder) => path.isAbsolute(folder) && fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true,
  );
}
