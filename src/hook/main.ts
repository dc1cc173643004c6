/**
 * Hooks, which `start.ts` loads: `<host> --workspace <absolute folder> [--form JSON]`, or `<host> [--context]
 * --machine` for an administrator's rules, with a host's JSON on standard input. A hook that is late denies; if it
 * hangs, a shell next to it ends it (hosts/setup/launcher.ts), and without one a timer of its own.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { thisMachine, withoutLeading } from '../app/workspace/thisMachine.ts';
import type { Printed } from '../hosts/call.ts';
import { isHookHost, failure } from '../hosts/caller.ts';
import type { HookHost } from '../hosts/host.ts';
import { writeNow } from '../hosts/writeNow.ts';
import { answerHook, failedLook } from './answer.ts';

// What ends a hook that hangs: the shell that the launcher starts next to it (hosts/setup/launcher.ts), else a thread
// that only waits. The commands that setup writes deny for a hook that was killed.

/** First argument of a hook that is watched; then come its own process id and that of the watcher. */
const option = '--watched';

interface Watched {
  /** Process id of the watcher; null if no shell ends this program when it hangs. */
  readonly watcher: number | null;
  readonly argv: readonly string[];
}

/** Takes the watcher from the arguments, if it exists and watches this very process. */
function watchedBy(argv: readonly string[], process: Pick<NodeJS.Process, 'pid' | 'kill'>): Watched {
  if (argv[0] !== option) return { watcher: null, argv };
  const [own, watcher] = argv.slice(1, 3).map((id) => (/^[1-9]\d{0,9}$/.test(id) ? Number(id) : null));
  return { watcher: own === process.pid && isAlive(watcher, process) ? (watcher ?? null) : null, argv: argv.slice(3) };
}

/**
 * Ends the watcher of a program that has printed its answer and ends now. Node waits for requests to files and for the
 * addresses of servers before it ends: while there are some, the watcher stays, and ends by itself after this program.
 */
function dismiss(watcher: number, process: Pick<NodeJS.Process, 'kill' | 'getActiveResourcesInfo'>): void {
  if (hasRequests(process)) return;
  try {
    process.kill(watcher, 'SIGTERM');
  } catch {
    // It has ended.
  }
}

function hasRequests(process: Pick<NodeJS.Process, 'getActiveResourcesInfo'>): boolean {
  return process.getActiveResourcesInfo().some((kind) => kind.includes('Req'));
}

/** A second after this program should have denied by itself, as the launcher's shell. Milliseconds. */
const endsAfter = 6_000;

const waiting = `const { out, err } = require('node:worker_threads').workerData, { writeSync } = require('node:fs');
setTimeout(() => {
  for (const [descriptor, text] of [[1, out], [2, err]])
    try { if (text !== '') writeSync(descriptor, text + '\\n'); } catch {}
  process.kill(process.pid, 'SIGKILL');
}, ${String(endsAfter)});`;

/** @param denial what is printed then */
async function endWhenHanging({ out, err }: Printed): Promise<void> {
  // Hooks with a watcher load no threads.
  const { Worker } = await import('node:worker_threads');
  new Worker(waiting, { eval: true, workerData: { out, err } }).unref();
}

function isAlive(id: number | null | undefined, process: Pick<NodeJS.Process, 'kill'>): boolean {
  if (id === null || id === undefined) return false;
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

// Reads the host's input.

/** Hosts send whole files in edits. Bytes. */
const bytesAtMost = 32 * 1024 * 1024;
const readAtOnce = 64 * 1024;

/**
 * @param mayBlock whether something ends this program if the host never ends its input: then it is read without Node's
 *   streams, which take 4 ms to load
 */
function readInput(
  { mayBlock }: { readonly mayBlock: boolean },
  whenRead: (bytes: Buffer) => void,
  fail: (why: string) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer) => {
    size += chunk.length;
    // The rest is read and thrown away: a host whose write ends in a broken pipe may ignore the answer.
    if (size > bytesAtMost) chunks.length = 0;
    else chunks.push(chunk);
  };
  const end = () => {
    if (size > bytesAtMost) fail(`the host sent more than ${String(bytesAtMost / 1024 / 1024)} MiB`);
    else whenRead(Buffer.concat(chunks));
  };
  if (mayBlock && readBlocking(take)) end();
  else
    process.stdin
      .on('data', take)
      .once('end', end)
      .once('error', (error) => fail(`standard input cannot be read (${error.message})`));
}

/** False where the host's end makes reads return without waiting; what was read until then has been taken. */
function readBlocking(take: (chunk: Buffer) => void): boolean {
  for (;;) {
    const chunk = Buffer.allocUnsafe(readAtOnce);
    let length;
    try {
      length = fs.readSync(0, chunk);
    } catch {
      // Such as EAGAIN. Whatever else it is, the stream meets it too.
      return false;
    }
    if (length === 0) return true;
    take(chunk.subarray(0, length));
  }
}

interface Given {
  readonly host: HookHost;
  /** The description of a generic host, as JSON. */
  readonly form?: string;
  /** Null: an administrator's rules, for every user and folder. */
  readonly folder: string | null;
}

/** The shortest hook timeout of any host is ten seconds. Milliseconds. */
const waitMs = 5_000;
/** Of these. Milliseconds. */
const lateMs = 4_000;
const late = `no answer within ${String(waitMs / 1000)} seconds`;

const { watcher, argv } = watchedBy(process.argv.slice(2), process);

export async function run(): Promise<void> {
  const given = argumentsOf(argv);
  if (typeof given === 'string') {
    finish(await failure(given));
    return;
  }
  let sent: Buffer | null = null;
  const failed = async (why: string) =>
    (await failedLook(given, sent, why, process.env)) ?? (await failure(why, given.host, given.form));
  const fail = (why: string) => void failed(why).then(finish);
  process.on('uncaughtException', (error) => fail(error.message));
  setTimeout(() => {
    void failed(late).then((printed) => finish(printed, leaveLate));
  }, waitMs);
  if (watcher === null) await endWhenHanging(await failure(late, given.host, given.form));
  readInput({ mayBlock: watcher !== null }, (bytes) => void answer(given, (sent = bytes)).then(finish, fail), fail);
}

/** Never rejects. */
function answer(given: Given, bytes: Uint8Array): Promise<Printed> {
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

/** What hangs may keep this program from ending, and then nothing else ends it: who is killed denies. */
function leaveLate(code: number): never {
  if (watcher === null && hasRequests(process)) process.kill(process.pid, 'SIGKILL');
  dismissAndExit(code);
}
