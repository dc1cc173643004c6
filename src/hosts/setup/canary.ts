/**
 * The proof that a hook stops an agent: the configured command is run, as the host would run it, on a call that a canary
 * hold forbids. The hold lies in a store of its own in a temporary folder, with a user-level folder of its own, and its
 * question has a word that was made up for this run: so the answer can only come from a program that read that store,
 * and nothing of the real store is touched. What the host's file says is compared with what setup writes before that.
 */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { canaryCalls } from './canaryCalls.ts';
import type { Configured } from './configured.ts';
import type { HostName } from '../names.ts';
import type { Place } from './place.ts';

/** Where a canary sits. */
export interface Ground {
  /** Real path of a folder with a git repository and the file `held.txt`. */
  readonly folder: string;
  /** For the programs that run on it: its own home and user-level folder. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** What only the store on this ground knows. */
  readonly secret: string;
}

/** Asks a question that holds `held.txt`, with `ground.secret` in its text. */
export type Hold = (ground: Ground) => Promise<void>;

/** A program that does not answer is stopped after this. Hooks give up by themselves in 5 s. */
const lateMs = 30_000;

/** Makes a ground, holds a file on it, and takes it away again. */
export async function onGround<T>(place: Place, hold: Hold, run: (ground: Ground) => Promise<T>): Promise<T> {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdpoint-canary-')));
  try {
    const [folder, home] = [path.join(base, 'workspace'), path.join(base, 'home')];
    for (const made of [folder, home]) fs.mkdirSync(made, { mode: 0o700 });
    const kept = Object.entries(place.env).filter(([name]) => !/^(GIT_|HOLDPOINT_)/.test(name));
    const own = { HOME: home, USERPROFILE: home, LOCALAPPDATA: home, XDG_STATE_HOME: home };
    const ground = { folder, home, env: { ...Object.fromEntries(kept), ...own }, secret: randomUUID() };
    fs.writeFileSync(path.join(folder, 'held.txt'), 'a\n');
    await git(ground, 'init', '-q', '--template=');
    await hold(ground);
    return await run(ground);
  } finally {
    fs.rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Null: it stops what is held, lets be read, and denies what it cannot read. */
export type CanaryTrouble = null | {
  readonly code: 'notDenied' | 'cannotTell' | 'deniesReading' | 'notClosed';
  readonly detail: string;
};

/** One call after the other: a hook that a busy machine keeps waiting denies, and says nothing about the hold. */
export async function tryHook(ground: Ground, host: HostName, hook: Configured): Promise<CanaryTrouble> {
  const { edit, read } = canaryCalls(host, ground.folder, path.join(ground.folder, 'held.txt'));
  const ask = (input: string) =>
    hook.kind === 'plugin' ? runPlugin(ground, hook.text, input) : runCommand(ground, hook, input);
  const edited = await once(
    () => ask(JSON.stringify(edit)),
    ({ code, said }) => code !== 2 || said.includes(ground.secret),
  );
  if (edited.code !== 2) return { code: 'notDenied', detail: told(edited) };
  if (!edited.said.includes(ground.secret)) return { code: 'cannotTell', detail: told(edited) };
  const seen = await once(
    () => ask(JSON.stringify(read)),
    ({ code }) => code === 0,
  );
  if (seen.code !== 0) return { code: 'deniesReading', detail: told(seen) };
  if (hook.kind === 'plugin') return null;
  const broken = await ask('{"hook_event_name":');
  return broken.code === 2 ? null : { code: 'notClosed', detail: told(broken) };
}

/** Tried up to three times, until it is as it should be. Only ever for a denial: what goes through once is not tried again. */
async function once(ask: () => Promise<Ran>, isRight: (ran: Ran) => boolean): Promise<Ran> {
  let ran = await ask();
  for (let more = 2; more > 0 && !isRight(ran); more--) ran = await ask();
  return ran;
}

/** Runs a pre-commit hook on a commit of the held file. */
export async function tryGitHook(ground: Ground, script: string): Promise<CanaryTrouble> {
  const file = path.join(ground.folder, '.git', 'canary');
  fs.writeFileSync(file, script, { mode: 0o755 });
  await git(ground, 'add', 'held.txt');
  const ran = await collected(spawn('sh', [file], { cwd: ground.folder, env: ground.env, windowsHide: true }), '');
  return ran.code !== 0 && ran.said.includes(ground.secret) ? null : { code: 'notDenied', detail: told(ran) };
}

interface Ran {
  readonly code: number | null;
  /** Standard output and error. */
  readonly said: string;
}

function told({ code, said }: Ran): string {
  const words = said.trim().split('\n').slice(-3).join(' ').slice(0, 300);
  return `exit ${String(code)}${words === '' ? '' : `: ${words}`}`;
}

function runCommand(ground: Ground, { shell, line }: Configured & { kind: 'command' }, input: string): Promise<Ran> {
  const options = { cwd: ground.folder, env: ground.env, windowsHide: true };
  return collected(
    shell === 'cmd'
      ? spawn('cmd.exe', ['/d', '/s', '/c', `"${line}"`], { ...options, windowsVerbatimArguments: true })
      : spawn('sh', ['-c', line], options),
    input,
  );
}

/** Loads the plugin as opencode does, and calls what it registers. A denial is what it throws. */
function runPlugin(ground: Ground, text: string, input: string): Promise<Ran> {
  const file = path.join(ground.home, `${randomUUID()}.mjs`);
  fs.writeFileSync(file, text);
  const source = `
    import { Holdpoint } from ${JSON.stringify(pathToFileURL(file).href)};
    const { tool_name: tool, tool_input: args, session_id: sessionID, cwd: directory } = ${input};
    const hooks = await Holdpoint({ directory });
    await hooks['tool.execute.before']({ tool, sessionID, callID: 'canary' }, { args }).catch((error) => {
      console.error(error.message);
      process.exit(2);
    });`;
  const env = { ...ground.env, ELECTRON_RUN_AS_NODE: '1' };
  const args = ['--input-type=module', '-e', source];
  return collected(spawn(process.execPath, args, { cwd: ground.folder, env, windowsHide: true }), '');
}

export function collected(child: ReturnType<typeof spawn>, input: string, ms = lateMs): Promise<Ran> {
  return new Promise((resolve) => {
    let said = '';
    const late = setTimeout(() => child.kill('SIGKILL'), ms);
    const done = (code: number | null, more = '') => {
      clearTimeout(late);
      resolve({ code, said: said + more });
    };
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-100_000);
      });
    child.stdin?.on('error', () => undefined);
    child.on('error', (error) => done(null, error.message));
    child.on('close', (code) => done(code));
    child.stdin?.end(input);
  });
}

/** Without git there is no repository on the ground: its folder is one all the same. */
async function git(ground: Ground, ...args: string[]): Promise<void> {
  await promisify(execFile)('git', args, { cwd: ground.folder, env: ground.env, windowsHide: true }).catch(
    () => undefined,
  );
}
