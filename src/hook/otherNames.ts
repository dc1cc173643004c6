/**
 * Other names of the files that a call reaches: hard links, and folders that are mounted in two places. Device and inode
 * tell; real paths do not.
 */
import path from 'node:path';
import type { Workspace } from '../app/workspace/workspace.ts';
import { fileScopes, heldPlace } from '../core/hold/holds.ts';
import type { Holder } from '../core/hold/holds.ts';
import type { State } from '../core/state/state.ts';
import type { FileSystem } from '../store/journal/files.ts';
import type { Reach } from './reach.ts';

/** Entries that are looked at; package managers link files here, and their names are not held. */
const entriesAtMost = 5_000;
const skipped = new Set(['node_modules', '.git']);

type Stats = NonNullable<ReturnType<FileSystem['statSync']>>;

/** Null if there are too many files to tell. Paths are relative to the store's root. */
export function otherNames(
  workspace: Workspace,
  state: State,
  holders: readonly Holder[],
  reach: Reach,
): readonly string[] | null {
  const { fs } = workspace.options;
  const { root, worktree } = workspace.location;
  const targets = [
    ...reach.inside.map((file) => path.join(worktree, file)),
    ...reach.elsewhere.map((file) => path.join(root, file)),
  ];
  if (targets.length === 0 || holders.length === 0) return [];
  const bases = new Set(
    holders.flatMap((holder) => {
      const place = path.join(root, heldPlace(holder, path.relative(root, worktree)));
      return fileScopes(state, holder).map((scope) => path.join(place, literalPart(scope)));
    }),
  );
  const known = new Map<string, string>();
  for (const base of bases)
    for (const folder of upTo(base, root)) {
      const stat = statOf(fs, folder);
      if (stat) known.set(identity(stat), folder);
    }
  const found = new Set<string>();
  for (const target of targets) for (const name of aliases(fs, target, known)) found.add(name);
  const isOurs = (file: string) => file === root || file.startsWith(`${root}${path.sep}`) || isFile(fs, file);
  const linked = targets.filter(isOurs).flatMap((target) => linkedFiles(fs, target));
  if (linked.includes(null)) return null;
  if (linked.length > 0) {
    const wanted = new Set(linked);
    for (const base of bases) {
      const files = linkedFiles(fs, base);
      for (const file of files) {
        if (file === null) return null;
        if (wanted.has(file)) found.add(base);
      }
    }
  }
  return [...found].map((name) => path.relative(root, name).split(path.sep).join('/') || '.');
}

function literalPart(scope: string): string {
  const segments = scope.split('/');
  const wildcard = segments.findIndex((segment) => /[*?]/.test(segment));
  return (wildcard < 0 ? segments : segments.slice(0, wildcard)).join('/');
}

function* upTo(file: string, root: string): Iterable<string> {
  for (let at = file; ; at = path.dirname(at)) {
    yield at;
    if (at === root || at === path.dirname(at)) return;
  }
}

/** The target below a folder that is also known by another name. */
function aliases(fs: FileSystem, target: string, known: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const folder of upTo(target, path.parse(target).root)) {
    const stat = statOf(fs, folder);
    const same = stat && known.get(identity(stat));
    if (same !== undefined && same !== null && same !== folder)
      found.push(path.join(same, path.relative(folder, target)));
  }
  return found;
}

/** The files with several names at or below a path, as identities; null where there are too many files. */
function linkedFiles(fs: FileSystem, start: string): (string | null)[] {
  const found: string[] = [];
  const open = [start];
  let entries = 0;
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const stat = statOf(fs, file);
    if (stat?.isFile() === true && stat.nlink > 1) found.push(identity(stat));
    if (stat?.isDirectory() !== true) continue;
    const names = fs.readdirSync(file).filter((name) => !skipped.has(name));
    entries += names.length;
    if (entries > entriesAtMost) return [null];
    for (const name of names) {
      const each = path.join(file, name);
      if (fs.lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink() !== true) open.push(each);
    }
  }
  return found;
}

function isFile(fs: FileSystem, file: string): boolean {
  return statOf(fs, file)?.isFile() === true;
}

function identity({ dev, ino }: Stats): string {
  return `${String(dev)}:${String(ino)}`;
}

function statOf(fs: FileSystem, file: string): Stats | null {
  try {
    return fs.statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
