/**
 * Proves that a hook stops an agent: runs the configured command, as the host would, on a call that a canary hold
 * forbids. The hold is in a separate store in a temporary folder, with a separate user-level folder, and its question
 * contains a random word. So the answer can only come from a program that read that store, and the real store is never
 * touched. Before that, the host's file is compared with what setup writes.
 */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { toolCall, type HostSetup, type Shell, type Denial } from '../host.ts';
import { isDenied } from '../payload/print.ts';
import type { Place } from './place.ts';

/** The temporary environment of a canary. */
export interface Ground {
  /** Real path of a folder with a git repository and the file `held.txt`. */
  readonly folder: string;
  /** For programs that run in it: a separate home and user-level folder. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** A random word that only this environment's store contains. */
  readonly secret: string;
}

/** Asks a question that holds `held.txt`, with `ground.secret` in its text. */
export type Hold = (ground: Ground) => Promise<void>;

/** A program that does not answer is stopped after this. Hooks give up by themselves in 5 s. */
const lateMs = 30_000;
/** Of what a hook prints. Characters. */
const outputAtMost = 2_000;

/** Creates the environment, holds a file in it, runs, and removes it. */
export async function onGround<T>(
  place: Pick<Place, 'env'>,
  hold: Hold,
  run: (ground: Ground) => Promise<T>,
): Promise<T> {
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

/** `denied`: the hook stops a held edit, allows reading, and denies unreadable input. */
export interface CanaryResult {
  readonly code: 'denied' | 'notDenied' | 'cannotTell' | 'deniesReading' | 'notClosed' | 'notWatched';
  /** What the hook printed. */
  readonly output: string;
}

interface CanaryCommand {
  readonly kind: 'command';
  readonly shell: Shell;
  readonly line: string;
}
type Configured =
  | CanaryCommand
  /** The source text of an opencode plugin. */
  | { readonly kind: 'plugin'; readonly text: string };

/** Calls as a host passes them to a hook: one edits the held file, one reads it; null for no hook after a call. */
export interface CanaryCalls {
  readonly edit: object;
  readonly read: object;
  readonly after: object | null;
}

export function canaryCalls(
  { canary, call = toolCall('PreToolUse'), called }: Pick<HostSetup, 'canary' | 'call' | 'called'>,
  folder: string,
): CanaryCalls {
  const { edit, read } = canary(path.join(folder, 'held.txt'));
  const edited = call(edit, folder);
  return { edit: edited, read: call(read, folder), after: called?.(edited) ?? null };
}

export interface CanaryHook {
  readonly hook: Configured;
  readonly calls: CanaryCalls;
  /** The output of a denial, for a host that does not read the exit code. */
  readonly denial?: Denial | undefined;
}

/** Tries the hook before a call and, where the host has one, the one after it. */
export async function tryHooks(
  ground: Ground,
  { commandOf, ...tried }: Omit<CanaryHook, 'hook'> & { readonly commandOf: (denying: boolean) => CanaryCommand },
): Promise<CanaryResult> {
  const denied = await tryHook(ground, { ...tried, hook: commandOf(true) });
  const { after } = tried.calls;
  if (denied.code !== 'denied' || !after) return denied;
  return (await tryAfterHook(ground, commandOf(false), after)) ?? denied;
}

/** Sequentially: on a busy machine a hook that times out denies, which says nothing about the hold. */
export async function tryHook(ground: Ground, { hook, calls, denial }: CanaryHook): Promise<CanaryResult> {
  const denies = ({ code, said }: Ran) => (denial?.exit === 0 ? isDenied(denial, said) : code === 2);
  const ask = (input: string) =>
    hook.kind === 'plugin' ? runPlugin(ground, hook.text, input) : runCommand(ground, hook, input);
  const edited = await askUntilRight(
    () => ask(JSON.stringify(calls.edit)),
    (ran) => !denies(ran) || ran.said.includes(ground.secret),
  );
  if (!denies(edited)) return { code: 'notDenied', output: outputOf(edited) };
  if (!edited.said.includes(ground.secret)) return { code: 'cannotTell', output: outputOf(edited) };
  const seen = await askUntilRight(
    () => ask(JSON.stringify(calls.read)),
    (ran) => ran.code === 0 && !denies(ran),
  );
  if (seen.code !== 0 || denies(seen)) return { code: 'deniesReading', output: outputOf(seen) };
  const broken = hook.kind === 'plugin' ? edited : await ask('{"hook_event_name":');
  return denies(broken)
    ? { code: 'denied', output: outputOf(edited) }
    : { code: 'notClosed', output: outputOf(broken) };
}

/**
 * Retries up to three times until the result is right. Only for expected denials: a call that went through once is a
 * failure.
 */
async function askUntilRight(ask: () => Promise<Ran>, isRight: (ran: Ran) => boolean): Promise<Ran> {
  let ran = await ask();
  for (let more = 2; more > 0 && !isRight(ran); more--) ran = await ask();
  return ran;
}

/** Changes the held file, as nothing could stop. Null if the hook after a call names it, as it should. */
async function tryAfterHook(ground: Ground, hook: CanaryCommand, call: object): Promise<CanaryResult | null> {
  const file = path.join(ground.folder, 'held.txt');
  const before = fs.readFileSync(file);
  try {
    const read = await askUntilRight(
      () => {
        // Each change is read once.
        fs.writeFileSync(file, randomUUID());
        return runCommand(ground, hook, JSON.stringify(call));
      },
      ({ said }) => said.includes('held.txt'),
    );
    return read.said.includes('held.txt') ? null : { code: 'notWatched', output: outputOf(read) };
  } finally {
    fs.writeFileSync(file, before);
  }
}

/** Runs a pre-commit hook on a commit of the held file. */
export async function tryGitHook(ground: Ground, script: string): Promise<CanaryResult> {
  const file = path.join(ground.folder, '.git', 'canary');
  fs.writeFileSync(file, script, { mode: 0o755 });
  await git(ground, 'add', 'held.txt');
  const ran = await collectOutput(spawn('sh', [file], { cwd: ground.folder, env: ground.env, windowsHide: true }), '');
  const isDenied = ran.code !== 0 && ran.said.includes(ground.secret);
  return { code: isDenied ? 'denied' : 'notDenied', output: outputOf(ran) };
}

interface Ran {
  readonly code: number | null;
  /** Standard output and error. */
  readonly said: string;
}

function outputOf({ code, said }: Ran): string {
  return `exit ${String(code)}\n${said.trim().slice(-outputAtMost)}`.trim();
}

function runCommand(ground: Ground, { shell, line }: CanaryCommand, input: string): Promise<Ran> {
  const options = { cwd: ground.folder, env: ground.env, windowsHide: true };
  if (shell === 'powershell')
    return collectOutput(spawn('powershell.exe', ['-NoProfile', '-Command', line], options), input);
  return collectOutput(
    shell === 'cmd'
      ? spawn('cmd.exe', ['/d', '/s', '/c', `"${line}"`], { ...options, windowsVerbatimArguments: true })
      : spawn('sh', ['-c', line], options),
    input,
  );
}

/** Loads the plugin as opencode does, and calls its handlers. It denies by throwing. */
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
  return collectOutput(spawn(process.execPath, args, { cwd: ground.folder, env, windowsHide: true }), '');
}

function collectOutput(child: ReturnType<typeof spawn>, input: string): Promise<Ran> {
  return new Promise((resolve) => {
    let said = '';
    const late = setTimeout(() => child.kill('SIGKILL'), lateMs);
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

/** Without git installed, the folder simply stays without a repository. */
async function git(ground: Ground, ...args: string[]): Promise<void> {
  await promisify(execFile)('git', args, { cwd: ground.folder, env: ground.env, windowsHide: true }).catch(
    () => undefined,
  );
}
