/** Starts `writer.ts` many times: bundled once, for a start of Node costs less than one with a hundred files to read. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import type { Sandbox } from './sandbox.ts';
import type { Job, Program } from './writer.ts';

const wasm = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');

/** @returns path of the bundle */
export async function bundleWriter(folder: string): Promise<string> {
  const outfile = path.join(folder, 'writer.mjs');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'writer.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); const __dirname = import.meta.dirname;",
    },
  });
  return outfile;
}

export interface Running {
  /** The next line it says; null once it has ended. */
  next(): Promise<string | null>;
  /** Lets a racer go. */
  go(): void;
  kill(): void;
}

export function start(bundle: string, sandbox: Sandbox, job: Job): Running {
  const program: Program = { folder: sandbox.folder, home: sandbox.home, wasm, job };
  // Without the coverage of the suite: a program that is killed writes none, and writing it takes long.
  const { NODE_V8_COVERAGE: _, ...env } = process.env;
  const child = spawn(process.execPath, [bundle, JSON.stringify(program)], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async next() {
      const { done, value } = await lines.next();
      return done ? null : value;
    },
    go() {
      child.stdin.write('go\n');
    },
    kill() {
      child.kill('SIGKILL');
    },
  };
}
