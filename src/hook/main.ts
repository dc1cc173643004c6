/**
 * Entry of hooks: `hook.cjs <host> --workspace <absolute folder> [--form JSON]`, or `<host> [--context] --machine` for an
 * administrator's rules, with a host's JSON on standard input. This thread reads, waits and prints, and answers calls of
 * tools that only read; another one does all other work, so that a hang there still ends in time, with exit code 2.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Printed } from '../hosts/call.ts';
import { isHookHost } from '../hosts/names.ts';
import { failure } from '../hosts/payload/print.ts';
import { answerReading } from './readingCall.ts';
import { answerUnwatched } from './unwatched.ts';
import type { Given } from './work.ts';

/** The shortest hook timeout of any host is ten seconds. Milliseconds. */
const waitMs = 5_000;
/** The other thread's program; it loads what this thread does not need. */
const workFile = path.join(import.meta.dirname, 'hookWork.cjs');
/** Hosts send whole files in edits. Bytes. */
const bytesAtMost = 32 * 1024 * 1024;

function watch(): void {
  const given = argumentsOf(process.argv.slice(2));
  if (typeof given === 'string') {
    finish(failure(given));
    return;
  }
  const fail = (why: string) => {
    finish(failure(why, given.host, given.form));
  };
  setTimeout(
    () => finish(failure(`no answer within ${String(waitMs / 1000)} seconds`, given.host, given.form), leaveThreads),
    waitMs,
  );
  const chunks: Buffer[] = [];
  let size = 0;
  process.stdin
    .on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and thrown away: a host whose write ends in a broken pipe may ignore the answer.
      if (size > bytesAtMost) chunks.length = 0;
      else chunks.push(chunk);
    })
    .once('end', () => {
      if (size > bytesAtMost) fail(`the host sent more than ${String(bytesAtMost / 1024 / 1024)} MiB`);
      else answer(given, Buffer.concat(chunks), fail);
    })
    .once('error', (error) => fail(`standard input cannot be read (${error.message})`));
}

function answer(given: Given, bytes: Buffer, fail: (why: string) => void): void {
  const reading = answerReading(given, bytes, process);
  if (reading) finish(reading);
  else work(given, bytes, fail).catch((error: unknown) => fail(String(error)));
}

/** Loads threads only here: most calls read, and are answered without one. */
async function work(given: Given, bytes: Buffer, fail: (why: string) => void): Promise<void> {
  const { env, platform } = process;
  const unwatched = await answerUnwatched(given, bytes, { env, platform, home: os.userInfo().homedir });
  if (unwatched) {
    finish(unwatched);
    return;
  }
  const [{ Worker }, v8] = await Promise.all([import('node:worker_threads'), import('node:v8')]);
  // A small young generation, which grows with each collection, is what Node begins with; of the thread's time, collecting
  // took an eighth.
  v8.setFlagsFromString('--min-semi-space-size=32');
  const worker = new Worker(workFile, {
    workerData: given,
    stdin: false,
    stdout: true,
    stderr: true,
    // The thread answers one call: a large young generation avoids collecting garbage that is thrown away with it.
    resourceLimits: { maxYoungGenerationSizeMb: 96 },
  });
  worker.once('message', (printed: Printed) => finish(printed));
  worker.once('error', (error) => fail(error instanceof Error ? error.message : String(error)));
  worker.once('exit', () => fail('the hook ended without an answer'));
  worker.postMessage(bytes);
}

function argumentsOf(argv: readonly string[]): Given | string {
  const [host, option, folder, formOption, form, ...more] = argv;
  if (host === undefined || !isHookHost(host)) return `"${host ?? ''}" is not a supported host`;
  if (isForMachine(argv.slice(1))) return { host, folder: null };
  const isDescribed = formOption === '--form' && form !== undefined;
  const hasForm = host === 'generic' ? isDescribed : formOption === undefined;
  if (option !== '--workspace' || folder === undefined || !hasForm || more.length > 0)
    return 'the arguments must be <host> --workspace <absolute folder>, and for a generic host --form <JSON>';
  if (!path.isAbsolute(folder)) return '--workspace must be an absolute path';
  return form === undefined ? { host, folder } : { host, folder, form };
}

function isForMachine(options: readonly string[]): boolean {
  return options.at(-1) === '--machine' && options.slice(0, -1).every((option) => option === '--context');
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

/**
 * Writes everything synchronously, because the program ends with the next statement. Does not wait forever for a reader
 * that reads nothing.
 */
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
 * A thread that hangs in a system call cannot be ended, and `exit` would wait for it forever; so this process replaces
 * itself with one that ends. Needs Node 22.15 or later; not on Windows.
 */
function leaveThreads(code: number): never {
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.removeAllListeners('warning').on('warning', () => undefined);
    try {
      process.execve('/bin/sh', ['sh', '-c', `exit ${String(code)}`], {});
    } catch {
      // This shell does not exist; try the next.
    }
  }
  process.exit(code);
}

// Last: it needs everything above.
watch();
