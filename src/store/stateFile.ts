/**
 * The user-level state file of one store, outside the workspace: that the store is in use, how far its journal had got,
 * and which snapshot to trust. Known here but missing there means UNKNOWN, never a fresh start.
 */
import path from 'node:path';
import * as z from 'zod';
import { sha256Hex } from '../core/text.ts';
import { sha256 } from '../trust/canonical.ts';
import { errorCode, replaceFile } from './files.ts';
import type { FileSystem } from './files.ts';

const snapshotEntry = z.object({
  /** File name without its ending. */
  name: z.string(),
  stateHash: sha256Hex,
  databaseHash: sha256Hex,
  position: z.int().positive(),
  head: sha256Hex,
  /** Offset of the line whose hash is `head`. */
  headAt: z.int().nonnegative(),
});
export type SnapshotEntry = z.infer<typeof snapshotEntry>;

const anchor = z.object({
  v: z.literal(1),
  root: z.string(),
  workspace: z.uuid(),
  /** Renewed by each recovery: what a program learned before it says nothing about the journal after it. */
  epoch: z.uuid().nullable().default(null),
  /** End of the last line known to count, and its hash. */
  position: z.int().nonnegative(),
  head: sha256Hex,
  snapshot: snapshotEntry.nullable().default(null),
});
export type Anchor = z.infer<typeof anchor>;

export interface StateFile {
  readonly path: string;
  /** Null: this store is known nowhere. @throws Error when the file is there but cannot be read or parsed */
  read(): Anchor | null;
  /** Moves the anchor forward; one that is behind the stored one, or of a former epoch, is ignored. */
  advance(next: Anchor): void;
  /** Overwrites it and begins a new epoch: a human's act of recovery. */
  replace(next: Omit<Anchor, 'epoch' | 'snapshot'>): void;
}

export interface UserFolderOptions {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Per-user, per-machine state by OS convention (XDG base directories, Apple file system guide, Windows known folders). */
export function userFolder({ platform, env, home }: UserFolderOptions): string {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'holdpoint');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'holdpoint');
  const xdg = env['XDG_STATE_HOME'];
  return join(xdg?.startsWith('/') ? xdg : join(home, '.local', 'state'), 'holdpoint');
}

/** File name of a store's anchor: one file a store, so that no two stores contend for it. */
export function stateFileName(root: string): string {
  return `${sha256(root).slice(0, 32)}.json`;
}

export function openStateFile(fs: FileSystem, folder: string, root: string, newId: () => string): StateFile {
  const stores = path.join(folder, 'stores');
  const file = path.join(stores, stateFileName(root));
  const read = () => readAnchor(fs, file);
  const write = (next: Anchor) => {
    fs.mkdirSync(stores, { recursive: true, mode: 0o700 });
    replaceFile(fs, file, Buffer.from(`${JSON.stringify(next)}\n`), `${file}.${newId()}.tmp`);
  };
  return {
    path: file,
    read,
    replace: (next) => {
      write({ ...next, epoch: newId(), snapshot: null });
    },
    advance(next) {
      const now = read();
      if (now && (now.epoch !== next.epoch || now.position > next.position)) return;
      write({ ...next, snapshot: next.snapshot ?? now?.snapshot ?? null });
    },
  };
}

function readAnchor(fs: FileSystem, file: string): Anchor | null {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  return anchor.parse(JSON.parse(text));
}

/** Roots of all stores known to this user. Files that cannot be read are left out: they deny when their store is opened. */
export function knownRoots(fs: FileSystem, folder: string): string[] {
  const stores = path.join(folder, 'stores');
  let names: string[];
  try {
    names = fs.readdirSync(stores);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      try {
        return readAnchor(fs, path.join(stores, name))?.root ?? [];
      } catch {
        return [];
      }
    });
}
