/** What a person's program and the demo that starts it share. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { openWorkspace, type Workspace } from '../../src/app/workspace/workspace.ts';

export interface Order {
  readonly act: 'share' | 'key' | 'admit' | 'waitFor' | 'answer';
  readonly text: string;
  readonly id?: string;
  /** Login of the person's agents. */
  readonly agents?: string;
}

export interface Reply {
  readonly text: string;
  readonly error: string | null;
}

const wasm = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');

/** A workspace as the editor opens it, with the person's own login. */
export function openPersonal({ folder, home }: { folder: string; home: string }, humanUrl: string): Workspace {
  return openWorkspace({
    folder,
    fs,
    env: process.env,
    platform: process.platform,
    home,
    clock: Date.now,
    newId: randomUUID,
    wasm: () => fs.readFileSync(wasm),
    humanLogin: () => humanUrl,
  });
}
