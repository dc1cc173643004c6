/** Finds the files on disk that globs hold, without following links. */
import path from 'node:path';
import { globHolds } from '../../core/kit/paths.ts';
import { errorCode, type FileSystem } from '../../store/journal/files.ts';

/** What changes with the file, without reading it. The change time cannot be set by programs. */
export interface FileMark {
  readonly kind: 'file' | 'link';
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly dev: number;
  readonly mode: number;
}

export interface HeldOnDisk {
  /** By path relative to the folder, `/`-separated. */
  readonly files: ReadonlyMap<string, FileMark>;
  /** Whether there are more than were looked at. */
  readonly cut: boolean;
}

export interface Place {
  readonly fs: FileSystem;
  /** Absolute. */
  readonly folder: string;
  readonly ignoreCase: boolean;
}

const filesAtMost = 20_000;
const entriesAtMost = 100_000;
/** Written by git and by Holdpoint itself, and too large to look into, unless a glob names them. */
const skipped: ReadonlySet<string> = new Set(['.git', '.holdpoint', 'node_modules']);

export function heldOnDisk(
  { fs, folder, ignoreCase }: Place,
  globs: readonly string[],
  disk: Disk = diskOf(fs),
): HeldOnDisk {
  const files = new Map<string, FileMark>();
  const walked = new Set<string>();
  let entries = 0;
  const isHeld = (file: string) => globs.some((glob) => globHolds(glob, file, ignoreCase));
  for (const start of new Set(globs.map(literalStart))) {
    const place = nameIn(folder, start);
    const stat = disk.stat(place);
    const target = stat?.isSymbolicLink() ? statOf(() => fs.statSync(place, { throwIfNoEntry: false })) : stat;
    if (stat && start !== '.' && !stat.isDirectory()) note(start, stat);
    if (target?.isDirectory()) walk(start);
  }
  return { files, cut: entries > entriesAtMost || files.size >= filesAtMost };

  function walk(inside: string): void {
    if (walked.has(inside)) return;
    walked.add(inside);
    for (const entry of disk.entries(nameIn(folder, inside))) {
      if (++entries > entriesAtMost || files.size >= filesAtMost) return;
      const file = inside === '.' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) walk(file);
      } else if (isHeld(file)) {
        const stat = disk.stat(nameIn(folder, file));
        if (stat) note(file, stat);
      }
    }
  }

  function note(file: string, stat: Looked): void {
    if (!isHeld(file) || !(stat.isFile() || stat.isSymbolicLink())) return;
    const { size, mtimeMs, ctimeMs, ino, dev, mode } = stat;
    files.set(file, { kind: stat.isFile() ? 'file' : 'link', size, mtimeMs, ctimeMs, ino, dev, mode });
  }
}

/** Quicker than `path.join`, which is for names that are not clean. */
export function nameIn(folder: string, name: string): string {
  return name === '.' ? folder : `${folder}${path.sep}${name}`;
}

interface Entry {
  readonly name: string;
  isDirectory(): boolean;
}

/** Looks at each name once. */
export interface Disk {
  /** Of a link, not of what it leads to. Null where there is nothing. */
  stat(place: string): Looked | null;
  entries(folder: string): readonly Entry[];
}

export function diskOf(fs: FileSystem): Disk {
  const stats = new Map<string, Looked | null>();
  const folders = new Map<string, readonly Entry[]>();
  return {
    stat(place) {
      const before = stats.get(place);
      if (before !== undefined) return before;
      const stat = statOf(() => fs.lstatSync(place, { throwIfNoEntry: false })) ?? null;
      stats.set(place, stat);
      return stat;
    },
    entries(folder) {
      const found = folders.get(folder) ?? statOf(() => fs.readdirSync(folder, { withFileTypes: true })) ?? [];
      folders.set(folder, found);
      return found;
    },
  };
}

interface Looked extends Omit<FileMark, 'kind'> {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** Null where it is gone, or below something that is not a folder. @throws Error for what cannot be looked at */
function statOf<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

/** The folder or file above the first wildcard. */
function literalStart(glob: string): string {
  const segments = glob.split('/');
  const wild = segments.findIndex((segment) => /[*?]/.test(segment));
  return wild < 0 ? glob : segments.slice(0, wild).join('/') || '.';
}
