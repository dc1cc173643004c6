/** Does a hook's work, in the thread that reads and prints if that is watched (watcher.ts), else in another (thread.ts). */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import * as z from 'zod';
import { thisMachine } from '../app/workspace/thisMachine.ts';
import type { Printed } from '../hosts/call.ts';
import type { HookHost } from '../hosts/host.ts';
import { withoutLeading } from './accountEnvironment.ts';
import { answerHook } from './answer.ts';

export interface Given {
  readonly host: HookHost;
  /** The description of a generic host, as JSON. */
  readonly form?: string;
  /** Null: an administrator's rules, for every user and folder. */
  readonly folder: string | null;
}

/** Of the five seconds after which a hook denies. Milliseconds. */
const lateMs = 4_000;

// Most schemas are used once here: compiling them takes longer.
z.config({ jitless: true });

/** Never rejects. */
export function answerGiven(given: Given, bytes: Uint8Array): Promise<Printed> {
  const surroundings = {
    ...(given.folder === null ? ofAccount() : thisMachine(process, os.homedir())),
    wasm: () => fs.readFileSync(path.join(import.meta.dirname, 'sql-wasm.wasm.br')),
  };
  return answerHook({ ...given, bytes, isLate: () => process.uptime() * 1000 > lateMs }, surroundings);
}

function ofAccount(): ReturnType<typeof thisMachine> {
  const home = os.userInfo().homedir;
  return thisMachine({ platform: process.platform, env: withoutLeading(process.env, home) }, home);
}
