/** Files named by agents: shown only if they are really inside the workspace. */
import fs from 'node:fs';
import { realPathInside } from '../../app/workspace/paths.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { FileRef } from './view.ts';
import path from 'node:path';
import { type Changes, type Touched, touchedSince } from '../../app/question/questions.ts';
import { gitChanges } from '../../hosts/gitChanges.ts';
import type { OpenFolder } from './folders.ts';
import { program } from './program.ts';

export function fileExists(workspace: Workspace, relative: string): boolean {
  const file = realPathInside(workspace, relative);
  return file !== null && fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

export function fileRef(workspace: Workspace, file: { readonly path: string; readonly line?: number }): FileRef {
  return {
    path: file.path,
    ...(file.line === undefined ? {} : { line: file.line }),
    exists: fileExists(workspace, file.path),
  };
}

export function placeExists(workspace: Workspace, relative: string): boolean {
  return realPathInside(workspace, relative) !== null;
}

// What may have been changed since an async question was asked: asks git, or else looks at the times of files.

const lookedAtMost = 3_000;
const notLookedAt: ReadonlySet<string> = new Set(['.git', '.holdpoint', 'node_modules']);
/** How long a result is reused, because the search is slow. Milliseconds. */
const freshMs = 10_000;

const cache = new Map<string, { readonly at: number; readonly changes: Promise<Changes> }>();

/** @param since when it was asked */
export async function touched(folder: OpenFolder, id: string, since: string): Promise<Touched> {
  const view = (await folder.workspace.store()).read();
  const worktree = view.state.questions.get(id)?.asker.worktree ?? folder.workspace.worktree;
  // The agent works in a worktree that this window does not show.
  const elsewhere = worktree !== folder.workspace.worktree;
  return touchedSince(view, id, elsewhere ? { commits: [], files: null } : await changesSince(folder, since));
}

function changesSince(folder: OpenFolder, since: string): Promise<Changes> {
  const key = `${folder.uri.toString()} ${since}`;
  const known = cache.get(key);
  if (known && Date.now() - known.at < freshMs) return known.changes;
  const changes = findChanges(folder, since);
  cache.clear();
  cache.set(key, { at: Date.now(), changes });
  return changes;
}

async function findChanges(folder: OpenFolder, since: string): Promise<Changes> {
  // A repository's own settings can start programs.
  const git = program().isTrusted ? await gitChanges({ folder: folder.uri.fsPath, env: process.env }, since) : null;
  if (git === null) return { commits: [], files: await newerFiles(folder, since) };
  const uncommitted = newer(folder, git.uncommitted, since);
  return {
    commits: git.commits,
    files: [...new Set([...uncommitted, ...git.commits.flatMap(({ files }) => files)])],
  };
}

/** Null where there are too many files to look at all of them. */
async function newerFiles(folder: OpenFolder, since: string): Promise<string[] | null> {
  const files: string[] = [];
  const folders = [''];
  for (const place of folders) {
    const entries = await fs.promises.readdir(path.join(folder.uri.fsPath, place), { withFileTypes: true });
    for (const entry of entries) {
      const name = path.posix.join(place, entry.name);
      if (entry.isFile()) files.push(name);
      else if (entry.isDirectory() && !notLookedAt.has(entry.name)) folders.push(name);
    }
    if (files.length >= lookedAtMost || folders.length >= lookedAtMost) return null;
  }
  return newer(folder, files, since);
}

/** Those that exist and were changed since then, latest first. */
function newer(folder: OpenFolder, files: readonly string[], since: string): string[] {
  return files
    .flatMap((file) => {
      const stat = fs.statSync(path.join(folder.uri.fsPath, file), { throwIfNoEntry: false });
      return stat && stat.mtimeMs > Date.parse(since) ? [{ file, at: stat.mtimeMs }] : [];
    })
    .sort((a, b) => b.at - a.at)
    .map(({ file }) => file);
}

/** Names of more are of no use in a form. */
const shownAtMost = 50;

export function touchedFiles(workspace: Workspace, { byAgent, inWork }: Touched) {
  const refs = (files: readonly string[]) =>
    files.slice(0, shownAtMost).map((file) => ({ path: file, exists: placeExists(workspace, file) }));
  return { byAgent: refs(byAgent), inWork: inWork && refs(inWork) };
}
