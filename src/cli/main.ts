/** Entry of `holdpoint`. */
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { visibleText } from '../core/visible.ts';
import type { ExitCode } from './io.ts';
import { main } from './program.ts';

declare const HOLDPOINT_VERSION: string;

const controller = new AbortController();
process.once('SIGINT', () => {
  controller.abort();
});

main(
  process.argv.slice(2),
  {
    cwd: process.cwd(),
    env: process.env,
    platform: process.platform,
    home: os.homedir(),
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    signal: controller.signal,
    serveMcp: (argv) => become('mcp.cjs', argv),
    answerHook: (argv) => become('hook.cjs', argv),
  },
  HOLDPOINT_VERSION,
).then(
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

/** A sibling bundle is a program of its own: it reads its arguments and says by the exit code if they are wrong. */
async function become(bundle: string, argv: readonly string[]): Promise<ExitCode> {
  process.argv.splice(2, Infinity, ...argv);
  await import(pathToFileURL(path.join(import.meta.dirname, bundle)).href);
  return process.exitCode === undefined ? 0 : 1;
}
