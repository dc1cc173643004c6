/** Files changed since a given time, which an async question's agent may have touched. Selected by time, not author. */
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { OpenFolder } from '../kit/folders.ts';

const lookedAtMost = 3_000;
const shownAtMost = 20;
/** How long a result is reused, because the search is slow. Milliseconds. */
const freshMs = 10_000;

const cache = new Map<string, { readonly at: number; readonly files: readonly string[] }>();

/** Workspace-relative paths, `/`-separated, latest change first. */
export async function touchedSince({ uri }: OpenFolder, iso: string): Promise<readonly string[]> {
  const key = `${uri.toString()} ${iso}`;
  const known = cache.get(key);
  if (known && Date.now() - known.at < freshMs) return known.files;
  const since = Date.parse(iso);
  const pattern = new vscode.RelativePattern(uri, '**/*');
  const found = await vscode.workspace.findFiles(pattern, '**/{.git,.holdpoint,node_modules}/**', lookedAtMost);
  const changed = found
    .flatMap(({ fsPath }) => {
      const stat = fs.statSync(fsPath, { throwIfNoEntry: false });
      return stat && stat.mtimeMs > since ? [{ fsPath, mtimeMs: stat.mtimeMs }] : [];
    })
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  const files = changed
    .slice(0, shownAtMost)
    .map(({ fsPath }) => path.relative(uri.fsPath, fsPath).split(path.sep).join('/'));
  cache.clear();
  cache.set(key, { at: Date.now(), files });
  return files;
}
