/** A separate workspace: a folder, a home and a clock, on the real file system, removed after the test. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { openWorkspace, type Workspace, type WorkspaceOptions } from '../../../src/app/workspace/workspace.ts';
import { type FileSystem, journalPath } from '../../../src/store/journal/files.ts';
import { removal } from '../temporary.ts';
import { isSharedRun, sharedOptions } from './sharedSandbox.ts';

const wasmFile = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');

export function wasm(): Uint8Array {
  return fs.readFileSync(wasmFile);
}

/** A clock that the test moves. */
export interface Clock {
  now: number;
}

export interface Sandbox {
  /** Real path of everything that belongs to it. */
  readonly base: string;
  readonly folder: string;
  readonly home: string;
  readonly clock: Clock;
  readonly journal: string;
  /** Path of the user-level files. */
  readonly userFolder: string;
  open(changes?: Partial<WorkspaceOptions>): Workspace;
  /** Paths of a file in `base`. */
  at(...parts: string[]): string;
  /** Closes everything that was opened here. */
  close(): void;
  /** Closes and removes this one now. */
  remove(): void;
}

const left = new Set<string>();
const open = new Set<Workspace>();
process.on('exit', removeSandboxes);

/** Closes and removes all sandboxes; for `afterEach`. */
export function removeSandboxes(): void {
  for (const workspace of open) workspace.close();
  open.clear();
  for (const base of left) fs.rmSync(base, removal);
  left.clear();
}

/** A folder with fast writes that need not reach a disk. */
export const inMemory = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

/** @param parent its location; the system's temporary folder by default */
export function makeSandbox(parent = os.tmpdir()): Sandbox {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(parent, 'holdpoint-store-')));
  left.add(base);
  const at = (...parts: string[]) => path.join(base, ...parts);
  for (const made of ['ws', 'home']) fs.mkdirSync(at(made));
  const clock = { now: Date.parse('2026-03-02T09:00:00.000Z') };
  const folder = at('ws');
  const mine = new Set<Workspace>();
  const close = () => {
    for (const workspace of mine) {
      workspace.close();
      open.delete(workspace);
    }
    mine.clear();
  };
  return {
    base,
    folder,
    home: at('home'),
    clock,
    journal: journalPath(folder),
    userFolder: at('home', '.local', 'state', 'holdpoint'),
    at,
    open(changes = {}) {
      const shared = isSharedRun ? sharedOptions(folder, at('home')) : { env: {} };
      const workspace = openWorkspace({
        folder,
        fs: realFs,
        platform: 'linux',
        home: at('home'),
        clock: () => clock.now,
        newId: randomUUID,
        wasm,
        ...shared,
        ...changes,
        env: { ...shared.env, ...changes.env },
      });
      open.add(workspace);
      mine.add(workspace);
      return workspace;
    },
    close,
    remove() {
      close();
      left.delete(base);
      fs.rmSync(base, removal);
    },
  };
}

export const realFs: FileSystem = fs;
export const minute = 60_000;
export const hour = 60 * minute;
