/**
 * Hooks, which `start.ts` loads: `<host> --workspace <absolute folder> [--form JSON]`, or `<host> [--context] --machine` for
 * an administrator's rules, with a host's JSON on standard input. A hook that is late denies; if it hangs, a shell beside it
 * ends it (hosts/setup/launcher.ts), and without one a timer of its own.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { thisMachine } from '../app/workspace/thisMachine.ts';
import type { Printed } from '../hosts/call.ts';
import { isHookHost, failure } from '../hosts/hosts.ts';
import type { HookHost } from '../hosts/host.ts';
import { writeNow } from '../hosts/writeNow.ts';
import { withoutLeading } from './accountEnvironment.ts';
import { answerHook } from './answer.ts';
import { readInput } from './input.ts';
import { failedLook } from './lateLook.ts';
import { dismiss, endWhenHanging, hasRequests, watchedBy } from './watcher.ts';

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

async function run(): Promise<void> {
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
  process.on('uncaughtException', (error) => fail(error.message));
  setTimeout(() => {
    finish(failed(late), leaveLate);
  }, waitMs);
  if (watcher === null) await endWhenHanging(failure(late, given.host, given.form));
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

// Last: it needs everything above.
await run();
