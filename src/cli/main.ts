/** `holdpoint`, which `start.ts` loads. */
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { visibleText } from '../core/kit/visible.ts';
import { answerGate, plainGate } from './hold/gate.ts';
import { writeNow } from '../hosts/writeNow.ts';
import type { ExitCode, Io } from './kit/io.ts';

declare const HOLDPOINT_VERSION: string;

const controller = new AbortController();
process.once('SIGINT', () => controller.abort());
const io: Io = {
  cwd: process.cwd(),
  env: process.env,
  platform: process.platform,
  home: os.homedir(),
  programs: import.meta.dirname,
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  askSecret: async (question) => (await import('./team/team.ts')).readSecret(question),
  signal: controller.signal,
  serveMcp: (argv) => become('mcp', argv),
  serveForms: (argv) => become('serve', argv),
  answerHook: (argv) => become('hook', argv),
};

/** For a gate, which prints once and ends. */
const atOnce: Pick<Io, 'out' | 'err'> = {
  out: (text) => writeNow(1, `${visibleText(text)}\n`),
  err: (text) => writeNow(2, `${visibleText(text)}\n`),
};

run(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(
      visibleText(`holdpoint: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`),
    );
    process.exitCode = 2;
  },
);

async function run(argv: readonly string[]): Promise<ExitCode> {
  const gate = plainGate(argv);
  if (gate) return answerGate({ ...io, ...atOnce }, gate.globals, gate.options);
  // Without a reader there is nothing left to do.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    controller.abort();
  });
  const { main } = await import('./program.ts');
  return main(argv, io, HOLDPOINT_VERSION);
}

/** A sibling bundle is a separate program: it parses its arguments and reports errors in them by its exit code. */
async function become(bundle: string, argv: readonly string[]): Promise<ExitCode> {
  process.argv.splice(2, Infinity, ...argv);
  const { ended } = (await import(path.join(import.meta.dirname, `${bundle}.cjs`))) as { ended?: Promise<unknown> };
  await ended;
  return process.exitCode === undefined ? 0 : process.exitCode === 2 ? 2 : 1;
}
