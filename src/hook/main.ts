/**
 * Hooks, which `start.ts` loads: `hook.cjs <host> --workspace <absolute folder> [--form JSON]`, or
 * `<host> [--context] --machine` for an administrator's rules, with a host's JSON on standard input. This thread reads, waits
 * and prints, and answers calls of tools that only read. All other work is done here too if a watcher ends this program when
 * it hangs (watcher.ts); otherwise another thread does it, so that a hang there still ends in time, with exit code 2.
 */
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Printed } from '../hosts/call.ts';
import { isHookHost, failure } from '../hosts/hosts.ts';
import { writeNow } from '../hosts/writeNow.ts';
import { readInput } from './input.ts';
import { failedLook } from './lateLook.ts';
import { answerReading } from './readingCall.ts';
import { answerUnwatched } from './unwatched.ts';
import { dismiss, isDeniedWhenKilled, watchedBy } from './watcher.ts';
import type * as Work from './work.ts';
import type { Given } from './work.ts';

/** The shortest hook timeout of any host is ten seconds. Milliseconds. */
const waitMs = 5_000;
/** What this program does not need for calls that only read. */
const workFile = path.join(import.meta.dirname, 'hookWork.cjs');
/** The other thread's program. */
const threadFile = path.join(import.meta.dirname, 'hookThread.cjs');

const { watcher, argv } = watchedBy(process.argv.slice(2), process);

function watch(): void {
  const given = argumentsOf(argv);
  if (typeof given === 'string') {
    finish(failure(given));
    return;
  }
  let sent: Buffer | null = null;
  const failed = (why: string) => failedLook(given, sent, why, process.env) ?? failure(why, given.host, given.form);
  const fail = (why: string) => {
    finish(failed(why));
  };
  setTimeout(() => {
    // Not dismissed: what hangs may keep this program from ending.
    finish(failed(`no answer within ${String(waitMs / 1000)} seconds`), leaveThreads);
  }, waitMs);
  process.on('uncaughtException', (error) => fail(error.message));
  const isWatched = watcher !== null && isDeniedWhenKilled(given);
  readInput({ mayBlock: isWatched }, (bytes) => answer(given, (sent = bytes), { isWatched, fail }), fail);
}

interface How {
  readonly isWatched: boolean;
  readonly fail: (why: string) => void;
}

function answer(given: Given, bytes: Buffer, how: How): void {
  const reading = answerReading(given, bytes, process);
  if (reading) finish(reading);
  else work(given, bytes, how).catch((error: unknown) => how.fail(String(error)));
}

async function work(given: Given, bytes: Buffer, { isWatched, fail }: How): Promise<void> {
  if (isWatched) {
    // In the bundle this is `require`.
    const { answerGiven } = (await import(workFile)) as typeof Work;
    finish(await answerGiven(given, bytes));
    return;
  }
  const { env, platform } = process;
  const unwatched = await answerUnwatched(given, bytes, { env, platform, home: os.userInfo().homedir });
  if (unwatched) finish(unwatched);
  else await workInThread(given, bytes, fail);
}

/** Loads threads only here: most calls read, and are answered without one. */
async function workInThread(given: Given, bytes: Buffer, fail: (why: string) => void): Promise<void> {
  const [{ Worker }, v8] = await Promise.all([import('node:worker_threads'), import('node:v8')]);
  // A small young generation, which grows with each collection, is what Node begins with; of the thread's time, collecting
  // took an eighth.
  v8.setFlagsFromString('--min-semi-space-size=32');
  const worker = new Worker(threadFile, {
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

/** For a reader that reads nothing: a second. */
const triesAtMost = 200;
let finished = false;

function finish({ exit, out, err }: Printed, leave: (code: number) => never = dismissAndExit): void {
  if (finished) return;
  finished = true;
  if (out !== '') writeNow(1, `${out}\n`, triesAtMost);
  if (err !== '') writeNow(2, `${err}\n`, triesAtMost);
  leave(exit);
}

function dismissAndExit(code: number): never {
  if (watcher !== null) dismiss(watcher, process);
  process.exit(code);
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
