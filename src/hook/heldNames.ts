/** How what is held may be named: by other names of its files, and in the text of a command. */
import path from 'node:path';
import type { Answering } from '../app/workspace/atGate.ts';
import { fileScopes, heldPlaces, openHolders, type Holder } from '../core/hold/holds.ts';
import { folding } from '../core/kit/paths.ts';
import type { CurrentState } from '../core/state/state.ts';
import type { FileSystem } from '../store/journal/files.ts';
import { parentFolders } from '../store/journal/findStore.ts';
import type { Reach } from './reach.ts';

// Other names of the files that a call reaches: hard links, and folders that are mounted in two places. Device and inode
// tell; real paths do not.

/** Entries that are looked at; package managers link files here, and their names are not held. */
const entriesAtMost = 5_000;
const skipped = new Set(['node_modules', '.git']);

type Stats = NonNullable<ReturnType<FileSystem['statSync']>>;

/** Null if there are too many files to tell. Paths are relative to the store's root. */
export function otherNames(workspace: Answering, state: CurrentState, reach: Reach): readonly string[] | null {
  const { fs } = workspace.options;
  const { root, worktree } = workspace.location;
  const targets = [
    ...reach.inside.map((file) => path.join(worktree, file)),
    ...reach.elsewhere.map((file) => path.join(root, file)),
  ];
  if (targets.length === 0) return [];
  const places = heldPlaces(state, workspace.worktree).map((base) => path.join(root, base));
  if (places.length === 0) return [];
  const found = aliases(fs, targets, places);
  const isOurs = (file: string) => file === root || file.startsWith(`${root}${path.sep}`) || isFile(fs, file);
  const linked = targets.filter(isOurs).flatMap((target) => linkedFiles(fs, target));
  if (linked.includes(null)) return null;
  if (linked.length > 0) {
    const wanted = new Set(linked);
    for (const place of places)
      for (const file of linkedFiles(fs, place)) {
        if (file === null) return null;
        if (wanted.has(file)) found.add(place);
      }
  }
  return [...found].map((name) => path.relative(root, name).split(path.sep).join('/') || '.');
}

/** What the targets are named where a folder around them is also a folder around something held, by another name. */
function aliases(fs: FileSystem, targets: readonly string[], places: readonly string[]): Set<string> {
  const known = new Map<string, string | null>();
  const identityOf = (file: string): string | null => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const stat = statOf(fs, file);
    const found = stat && identity(stat);
    known.set(file, found);
    return found;
  };
  const held = Map.groupBy(new Set(places.flatMap((place) => [...parentFolders(place)])), identityOf);
  held.delete(null);
  const found = new Set<string>();
  for (const target of targets)
    for (const folder of parentFolders(target))
      for (const other of held.get(identityOf(folder)) ?? [])
        if (other !== folder) found.add(path.join(other, path.relative(folder, target)));
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

// Holds whose files a command mentions anywhere in its text: `python -c "open('src/auth.js', 'w')"`.

/** Shorter names, and those that may be plain words, are used only as the text of a quotation or after a slash. */
const shortest = 4;

/** @param ignoreCase true where the file system folds case */
export function findMentions(state: CurrentState, command: string, ignoreCase: boolean): Map<Holder, string> {
  if (command === '') return new Map();
  const fold = folding(ignoreCase);
  // A backslash in a text of another language is written twice.
  const text = fold(command.replaceAll(/[\\/]+/g, '/'));
  const known = new Map<string, boolean>();
  const isNamed = (scope: string) => {
    const before = known.get(scope);
    if (before !== undefined) return before;
    const named = names(text, fold(scope));
    known.set(scope, named);
    return named;
  };
  const found = new Map<Holder, string>();
  for (const holder of openHolders(state)) {
    const scope = fileScopes(state, holder).find(isNamed);
    if (scope !== undefined) found.set(holder, scope);
  }
  return found;
}

function names(text: string, scope: string): boolean {
  const wildcard = scope.search(/[*?]/);
  const literal = (wildcard < 0 ? scope : scope.slice(0, wildcard)).replace(/\/$/, '');
  if (literal === '') return false;
  const isPlain = literal.length < shortest || !/[./]/.test(literal);
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + literal.length] ?? ' ';
    if ((isPlain ? /['"`/=]/ : /[^\w-]/).test(before) && (wildcard >= 0 || !/[\w-]/.test(after))) return true;
  }
  return false;
}

/** Whether a command's text may name a file that matches the glob, by the longest part of it without wildcards. */
export function mayMention(command: string, glob: string): boolean {
  const [longest = ''] = glob
    .split(/[*?]+/)
    .map((part) => part.replaceAll(/^\/|\/$/g, ''))
    .sort((one, other) => other.length - one.length);
  return command.replaceAll('\\', '/').toLowerCase().includes(longest.toLowerCase());
}

/** Whether something held may have this name, seen from a folder that is unknown. */
export function isHeldName(state: CurrentState, name: string): boolean {
  const wanted = name.toLowerCase();
  const mayHold = (scope: string) => {
    const segments = scope.toLowerCase().split('/');
    // What is held below a folder may have any name.
    return segments.includes(wanted) || /[*?]/.test(scope) || !segments.at(-1)?.includes('.');
  };
  return openHolders(state).some((holder) => fileScopes(state, holder).some(mayHold));
}
