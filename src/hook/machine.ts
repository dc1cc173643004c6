/**
 * Hooks of an administrator's rules name no folder: they run for every user and wherever an agent is started. The stores
 * that a call concerns are those around the folders of its session, and every other store of the user whose files it
 * names. Each of them can only add a denial.
 */
import fs from 'node:fs';
import path from 'node:path';
import { openWorkspace } from '../app/workspace/workspace.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import type { HookAnswer } from '../hosts/call.ts';
import { findStore } from '../store/journal/findStore.ts';
import { knownStores, stateFileName, storesFolder, userFolder } from '../store/journal/stateFile.ts';
import { guard, guardFiles } from './guard.ts';
import type { Surroundings } from './surroundings.ts';
import type { Asked } from './withoutAsking.ts';

export async function guardMachine(surroundings: Surroundings, asked: Asked): Promise<HookAnswer> {
  const seen = new Set<string>();
  for (const folder of sessionFolders(surroundings, asked)) {
    const { root, worktree } = findStore(surroundings.fs, userFolder(surroundings), folder);
    seen.add(root);
    if (seen.has(`${root}\0${worktree}`)) continue;
    seen.add(`${root}\0${worktree}`);
    const answer = await within(surroundings, folder, (workspace) => guard(workspace, asked));
    if (answer.kind === 'deny') return answer;
  }
  for (const { root } of knownStores(surroundings.fs, userFolder(surroundings)).anchors) {
    if (seen.has(root) || !isFolder(root)) continue;
    const answer = await within(surroundings, root, (workspace) => Promise.resolve(guardFiles(workspace, asked)));
    if (answer.kind === 'deny') return answer;
  }
  return { kind: 'nothing' };
}

/** Folder of the call, of this program, and of the project as the host names it. Never empty. */
export function sessionFolders({ env }: Surroundings, { call }: Asked): string[] {
  const named = [
    call.cwd,
    process.cwd(),
    env['CLAUDE_PROJECT_DIR'],
    env['CURSOR_PROJECT_DIR'],
    env['GEMINI_PROJECT_DIR'],
  ];
  return [...new Set(named.filter((folder) => typeof folder === 'string'))].filter(
    (folder) => path.isAbsolute(folder) && isFolder(folder),
  );
}

/** The store in which a session of this user works, for what only adds context. */
export function withSession<T>(
  surroundings: Surroundings,
  asked: Asked,
  use: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  return within(surroundings, sessionFolders(surroundings, asked)[0] ?? process.cwd(), use);
}

/** Nothing is written about a store that this user's programs do not know yet: canaries leave no trace. */
async function within<T>(
  surroundings: Surroundings,
  folder: string,
  use: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const stores = storesFolder(userFolder(surroundings));
  const location = findStore(surroundings.fs, userFolder(surroundings), folder);
  const mayWrite = () => fs.existsSync(path.join(stores, stateFileName(location.root)));
  const workspace = openWorkspace({ ...surroundings, folder, location, mayWrite });
  try {
    return await use(workspace);
  } finally {
    workspace.close();
  }
}

function isFolder(place: string): boolean {
  return fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
