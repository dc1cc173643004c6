/**
 * Entry of hooks: `hook.cjs <host> --workspace <absolute folder>`, a host's JSON on standard input. This thread reads,
 * waits and prints; another one does the work, so that whatever happens there ends in time, and with 2.
 */
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import type { Printed } from '../hosts/call.ts';
import { isHostName } from '../hosts/names.ts';
import { failure } from '../hosts/payload/print.ts';
import type { Given } from './work.ts';

/** The shortest that a host waits is ten seconds. */
const waitMs = 5_000;
/** The other thread's program: what this one does not need is loaded there only, and once. */
const workFile = path.join(import.meta.dirname, 'hookWork.cjs');
/** Hosts send whole files in edits. */
const bytesAtMost = 32 * 1024 * 1024;

function watch(): void {
  const given = argumentsOf(process.argv.slice(2));
  if (typeof given === 'string') {
    finish(failure(given));
    return;
  }
  const fail = (why: string) => {
    finish(failure(why, given.host));
  };
  const timer = setTimeout(
    () => finish(failure(`no answer within ${String(waitMs / 1000)} seconds`, given.host), leaveThreads),
    waitMs,
  );
  const worker = new Worker(workFile, {
    workerData: given,
    stdin: false,
    stdout: true,
    stderr: true,
    // It lives for one question: room for a large store, rather than collecting what is thrown away with the thread.
    resourceLimits: { maxYoungGenerationSizeMb: 96 },
  });
  worker.once('message', (printed: Printed) => {
    clearTimeout(timer);
    finish(printed);
  });
  worker.once('error', (error) => fail(error instanceof Error ? error.message : String(error)));
  worker.once('exit', () => fail('the hook ended without an answer'));
  const chunks: Buffer[] = [];
  let size = 0;
  process.stdin
    .on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytesAtMost) fail(`the host sent more than ${String(bytesAtMost / 1024 / 1024)} MiB`);
      else chunks.push(chunk);
    })
    .once('end', () => worker.postMessage(Buffer.concat(chunks)))
    .once('error', (error) => fail(`standard input cannot be read (${error.message})`));
}

function argumentsOf(argv: readonly string[]): Given | string {
  const [host, option, folder, ...more] = argv;
  if (host === undefined || !isHostName(host)) return `"${host ?? ''}" is no host whose hooks are known`;
  if (option !== '--workspace' || folder === undefined || more.length > 0)
    return 'the arguments must be <host> --workspace <absolute folder>';
  return path.isAbsolute(folder) ? { host, folder } : '--workspace must be an absolute path';
}

let finished = false;

function finish({ exit, out, err }: Printed, leave: (code: number) => never = process.exit): void {
  if (finished) return;
  finished = true;
  print(1, out);
  print(2, err);
  leave(exit);
}

const triesAtMost = 200;
const pauseMs = 5;

/** At once and whole: this program ends with the next statement. A reader that takes nothing is not waited for for ever. */
function print(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text === '' ? '' : `${text}\n`);
  for (let at = 0, tries = 0; at < bytes.length && tries < triesAtMost;) {
    try {
      at += fs.writeSync(descriptor, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
      tries++;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

/**
 * A thread that hangs in a call of the system cannot be ended, and `exit` would wait for it for ever: then this program
 * becomes another one, which ends. Node 22.15 and later can do that, but not on Windows.
 */
function leaveThreads(code: number): never {
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.removeAllListeners('warning').on('warning', () => undefined);
    try {
      process.execve('/bin/sh', ['sh', '-c', `exit ${String(code)}`], {});
    } catch {
      // There is no such shell.
    }
  }
  process.exit(code);
}

// Last: what is above must be there.
watch();
