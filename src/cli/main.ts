/** Entry of `holdpoint`. */
import os from 'node:os';
import process from 'node:process';
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
  },
  HOLDPOINT_VERSION,
).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`holdpoint: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 2;
  },
);
