/** Starts `writer.ts` many times. It is bundled once, because Node starts faster without a hundred files to read. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build, type Plugin } from 'esbuild';
import { stateVersion } from '../../../src/store/saved/current.ts';
import type { Act, Job, Program } from './writer.ts';

const wasm = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');

/**
 * @param plugins changes to the program
 * @returns path of the bundle
 */
export async function bundleWriter(folder: string, name = 'writer', plugins: Plugin[] = []): Promise<string> {
  const outfile = path.join(folder, `${name}.mjs`);
  await build({
    entryPoints: [path.join(import.meta.dirname, 'writer.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    plugins,
    // Saved states are read by the code that wrote them: programs of these sources share theirs.
    define: { HOLDPOINT_STATE: JSON.stringify(plugins.length === 0 ? stateVersion() : name) },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); const __dirname = import.meta.dirname;",
    },
  });
  return outfile;
}

/** Changes the program: replaces `from` in one file. */
export function changing(file: RegExp, from: RegExp, to: string): Plugin {
  return {
    name: to,
    setup(building) {
      let found = false;
      building.onEnd(() => {
        if (!found) throw new Error(`no file is ${String(file)}`);
      });
      building.onLoad({ filter: file }, ({ path: source }) => {
        found = true;
        const before = fs.readFileSync(source, 'utf8');
        const after = before.replace(from, to);
        if (after === before) throw new Error(`${source} has no ${String(from)}`);
        return { contents: after, loader: 'ts' };
      });
    },
  };
}

export interface Running {
  readonly pid: number;
  /** The next line of its output; null once it has ended. */
  next(): Promise<string | null>;
  /** Sends a serving program its next act. */
  give(act: Act): void;
  /** Ends the input: no more acts. */
  end(): void;
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  kill(): void;
}

/** A program's folders. */
export interface Place {
  readonly folder: string;
  readonly home: string;
  /** Variables that name where a shared journal is. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** @param now the time at which its clock is stopped, in milliseconds since the epoch */
export function start(bundle: string, { folder, home, env: variables }: Place, job: Job, now?: number): Running {
  const program: Program = { folder, home, env: variables, wasm, job, now };
  // Without coverage: a killed program writes none, and writing it takes long.
  const { NODE_V8_COVERAGE: _, ...inherited } = process.env;
  const env = { ...inherited, NODE_COMPILE_CACHE: path.join(path.dirname(bundle), 'compiled') };
  const child = spawn(process.execPath, [bundle, JSON.stringify(program)], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    async next() {
      const next = await lines.next();
      return next.done === true ? null : next.value;
    },
    give(act) {
      child.stdin.write(`${JSON.stringify(act)}\n`);
    },
    end() {
      child.stdin.end();
    },
    signal: (signal) => void child.kill(signal),
    kill() {
      child.kill('SIGKILL');
    },
  };
}
