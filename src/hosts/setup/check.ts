/** Checks whether holds stop each host: from its files, and with the canary. */
import fs from 'node:fs';
import type { HookKind, HostName, SettingsReader, WayAround, CanaryTool } from '../host.ts';
import { hosts } from '../hosts.ts';
import {
  canaryCalls,
  onGround,
  tryAfterHook,
  tryGitHook,
  tryHook,
  type CanaryTrouble,
  type Ground,
  type Hold,
  collectOutput,
} from './canary.ts';
import { isStrictJson, settingsIn } from './fileData.ts';
import { otherWorktrees, realOf } from './git.ts';
import { forgetCompiled, launcherTrouble, type LauncherTarget, type LauncherTrouble } from './launcher.ts';
import { isMachineHost, onDisk, placesOf, type Machine } from './machine.ts';
import { lookAtMachine, tryMachine, type MachineCheck, type MachineFinding } from './machineCheck.ts';
import { opencodePlugin } from './opencodePlugin.ts';
import type { Part } from './parts.ts';
import { hookCommand, isWithin, programOf, SetupError, shellOf, type Place, type SetupName } from './place.ts';
import { partsIfAny, readPart } from './plan.ts';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { partsOf } from './hostFiles.ts';

// Runs the host itself in a canary's environment: with the hook that setup writes, a scripted model on this machine,
// and a separate home. Needs no account and sends nothing off the machine. If the hook does not stop the edit, Claude
// Code's own permissions do; Gemini CLI, which offers no edits without permission, changes the canary's file.

type HostRun =
  /** The program is not installed. */
  | null
  /** The host ran the hook, which denied the edit because of the hold. */
  | { readonly code: 'hostDenied'; readonly about: string }
  /** The host continued, or proceeded to its own permission check: it does not run the hook. */
  | { readonly code: 'hostGoesOn'; readonly about: string }
  /** The host did not attempt the edit. */
  | { readonly code: 'hostUnclear'; readonly about: string };

/** Hosts start slowly, especially the first time. Milliseconds. */
const lateMs = 90_000;

/** Null where the program is not installed, or needs an account. */
async function runHost(place: Place, host: SetupName, ground: Ground): Promise<HostRun> {
  if (host === 'git') return null;
  const { run: start, signs, canary } = hosts[host].setup;
  const program = start && programOf(place, signs.program);
  if (!start || program === undefined) return null;
  const part = partsOf({ ...place, workspace: ground.folder }, host).find(({ kind }) => kind === 'hook');
  if (!part) return null;
  write(part.file, part.add(null));
  for (const [file, content] of Object.entries(start.home?.(ground.folder) ?? {}))
    write(path.join(ground.home, file), JSON.stringify(content));
  const { read: reading, edit } = canary(path.join(ground.folder, 'held.txt'));
  const model = await startCanaryModel(dialects[start.model], [reading, edit]);
  try {
    const kept = Object.entries(ground.env).filter(([name]) => !start.cleared.test(name));
    const env = { ...Object.fromEntries(kept), ...start.env(model.url), NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
    const ran = await collectOutput(
      spawn(program, start.args, { cwd: ground.folder, env, windowsHide: true }),
      '',
      lateMs,
    );
    const [read, edited] = model.answers();
    if (read === undefined || edited === undefined || read.includes(ground.secret))
      return { code: 'hostUnclear', about: `${program}: ${ran.said.trim().slice(-200)}` };
    return { code: edited.includes(ground.secret) ? 'hostDenied' : 'hostGoesOn', about: program };
  } finally {
    await model.close();
  }
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

interface CanaryModel {
  /** On the loopback interface. */
  readonly url: string;
  /** The host's tool result for each call, oldest first. */
  answers(): readonly string[];
  close(): Promise<void>;
}

/** The streaming API of a host's own language model. */
interface Dialect {
  readonly url: RegExp;
  /** The texts of all tool results in a request. */
  results(body: unknown): string[];
  /** Sends a tool call, or the end of the turn. */
  stream(response: ServerResponse, call: CanaryTool | undefined): void;
}

/** @param calls one per turn, with the host's tool names */
async function startCanaryModel(dialect: Dialect, calls: readonly CanaryTool[]): Promise<CanaryModel> {
  let answers: readonly string[] = [];
  const server = createServer((request, response) => {
    reply(request, response).catch(() => response.destroy());
  });

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (!dialect.url.test(request.url ?? '')) {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"error":{"code":404,"type":"not_found_error","message":"not found"}}');
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { tools?: unknown[] };
    const offered = (body.tools ?? []).length > 0;
    const said = dialect.results(body);
    if (said.length > answers.length) answers = said;
    dialect.stream(response, offered ? calls[said.length] : undefined);
  }

  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    answers: () => answers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

// How it speaks to each host that can be started without an account.

/** The messages API of api.anthropic.com, for Claude Code. */
const anthropic: Dialect = {
  url: /^\/v1\/messages(?:\?|$)/,
  results: (body) => ((body as { messages?: unknown[] }).messages ?? []).flatMap(toolResults),
  stream,
};

function toolResults(message: unknown): string[] {
  const { content } = message as { content?: unknown };
  if (!Array.isArray(content)) return [];
  return (content as readonly { type?: unknown; content?: unknown }[])
    .filter(({ type }) => type === 'tool_result')
    .map((block) => JSON.stringify(block.content ?? ''));
}

function stream(response: ServerResponse, call: CanaryTool | undefined): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const usage = { input_tokens: 1, output_tokens: 1 };
  const id = `canary_${String(Date.now())}`;
  const head = { id, type: 'message', role: 'assistant', model: 'canary', content: [], stop_reason: null };
  send('message_start', { message: { ...head, stop_sequence: null, usage } });
  const [start, delta] = call
    ? [
        { type: 'tool_use', id, name: call[0], input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(call[1]) },
      ]
    : [
        { type: 'text', text: '' },
        { type: 'text_delta', text: 'Done.' },
      ];
  send('content_block_start', { index: 0, content_block: start });
  send('content_block_delta', { index: 0, delta });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}

/** The API of generativelanguage.googleapis.com, for Gemini CLI. */
const gemini: Dialect = {
  url: /^\/v1\w*\/models\/[^/]+:streamGenerateContent(?:\?|$)/,
  results: (body) =>
    ((body as { contents?: readonly { parts?: readonly { functionResponse?: unknown }[] }[] }).contents ?? []).flatMap(
      ({ parts = [] }) =>
        parts.flatMap(({ functionResponse }) =>
          functionResponse === undefined ? [] : [JSON.stringify(functionResponse)],
        ),
    ),
  stream(response, call) {
    const parts = call ? [{ functionCall: { name: call[0], args: call[1] } }] : [{ text: 'Done.' }];
    const candidate = { content: { role: 'model', parts }, finishReason: 'STOP', index: 0 };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.end(`data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\n\n`);
  },
};

const dialects = { anthropic, gemini };

/**
 * `off`: not set up. `enforced`: a held call was denied just now. `advisory`: works, but can be bypassed. `broken`:
 * partly set up, and does not stop what it should.
 */
export type Verdict = 'off' | 'enforced' | 'advisory' | 'broken';

/** The reason as a code and its subject; each head has its own words. */
export interface Finding {
  readonly code:
    | 'missing'
    | 'edited'
    | 'mcpMissing'
    | 'mcpEdited'
    | 'unreadable'
    | 'launcher'
    /** The launcher runs on another program than this one does. */
    | 'otherProgram'
    /** A file with comments or trailing commas, of a host that then ignores all of it. */
    | 'dropped'
    | 'disabled'
    | 'notDenied'
    | 'cannotTell'
    | 'deniesReading'
    | 'notClosed'
    | 'notWatched'
    | 'skippable'
    | NonNullable<WayAround>['code']
    | 'denied'
    /** The host itself was started and denied the call; or allowed it; or the result was unclear. */
    | 'hostDenied'
    | 'hostGoesOn'
    | 'hostUnclear'
    | MachineFinding['code'];
  readonly about: string;
}

export interface HostCheck {
  readonly host: SetupName;
  readonly verdict: Verdict;
  /** Set when an administrator's rules stop the host: agents cannot edit them. */
  readonly by?: 'administrator';
  readonly findings: readonly Finding[];
}

export interface CheckOptions {
  readonly target: LauncherTarget;
  /** Whether to start the hosts themselves, where that works without an account; takes some seconds. */
  readonly start?: boolean;
  /** Whose files hosts read too. */
  readonly machine: Machine;
}

/** Together with an administrator's rules, which apply to every folder. */
export async function checkRules(
  place: Place,
  names: readonly SetupName[],
  hold: Hold,
  options: CheckOptions,
): Promise<HostCheck[]> {
  const checks = await checkHosts(place, names, hold, options);
  const { machine } = options;
  const set = names
    .filter((name) => isMachineHost(name))
    .filter((host) => lookAtMachine(machine, host).verdict !== 'none');
  if (set.length === 0) return checks;
  return onGround(place, hold, async (ground) => {
    const tried = new Map<SetupName, MachineCheck>();
    for (const host of set) tried.set(host, await tryMachine(machine, host, ground));
    return checks.map((check) => withRules(check, tried.get(check.host)));
  });
}

async function checkHosts(
  place: Place,
  names: readonly SetupName[],
  hold: Hold,
  { target, start = false, machine }: CheckOptions,
): Promise<HostCheck[]> {
  const launcher = launcherTrouble(place.userFolder, target, place.platform);
  if (launcher?.code !== 'launcher') forgetCompiled(place.userFolder);
  const looked = names.map((host) => ({ host, ...look(place, host, launcher, machine) }));
  if (!looked.some(({ verdict }) => verdict === null))
    return looked.map((one) => ({ ...one, verdict: one.verdict ?? 'off' }));
  return onGround(place, hold, async (ground) => {
    const checks: HostCheck[] = [];
    for (const { host, verdict, findings, parts } of looked)
      checks.push({
        host,
        ...(verdict === null
          ? await tryCanary(place, { host, parts, findings, start, launcher, machine }, ground)
          : { verdict, findings }),
      });
    return checks;
  });
}

/** A worktree of the repository in which hosts that are set up here have no hook. */
export interface Uncovered {
  readonly folder: string;
  readonly hosts: readonly SetupName[];
}

/** Hooks of git are those of all worktrees, and an administrator's count in every folder; all others are files of one. */
export function uncoveredWorktrees(place: Place, checks: readonly HostCheck[]): Uncovered[] {
  const names = checks.flatMap(({ host, verdict, by }) =>
    verdict === 'off' || by === 'administrator' || host === 'git' ? [] : [host],
  );
  return otherWorktrees(place).flatMap((folder) => {
    const there = { ...place, workspace: folder };
    const missing = names.filter((host) => !hasHooks(there, host));
    return missing.length === 0 ? [] : [{ folder, hosts: missing }];
  });
}

function hasHooks(place: Place, host: SetupName): boolean {
  try {
    return partsIfAny(place, host).every((part) => part.kind !== 'hook' || part.state(readPart(part).text) === 'ours');
  } catch (error) {
    if (error instanceof SetupError) return false;
    throw error;
  }
}

interface Trial {
  readonly host: SetupName;
  readonly parts: readonly Part[];
  readonly findings: readonly Finding[];
  readonly start: boolean;
  readonly launcher: LauncherTrouble | null;
  readonly machine: Machine;
}

async function tryCanary(
  place: Place,
  { host, parts, findings, start, launcher, machine }: Trial,
  ground: Ground,
): Promise<Omit<HostCheck, 'host'>> {
  const trouble = await tryOut(place, host, parts, ground);
  if (trouble) return { verdict: 'broken', findings: [{ code: trouble.code, about: trouble.detail }, ...findings] };
  const around = wayAround(place, host, machine) ?? (launcher?.code === 'otherProgram' ? launcher : null);
  const denied: Finding = { code: 'denied', about: '' };
  const run = start ? await runHost(place, host, ground) : null;
  if (run?.code === 'hostGoesOn') return { verdict: 'broken', findings: [run, ...findings] };
  const shown = [...(around ? [around] : []), denied, ...(run ? [run] : []), ...findings];
  return { verdict: around ? 'advisory' : 'enforced', findings: shown };
}

/** Checks the files. A null verdict means they are correct and the hook should be tried. */
function look(
  place: Place,
  host: SetupName,
  launcher: LauncherTrouble | null,
  machine: Machine,
): { verdict: Verdict | null; findings: Finding[]; parts: Part[] } {
  const parts = partsIfAny(place, host);
  const findings: Finding[] = [];
  let any = false;
  let broken = false;
  for (const part of parts) {
    if (part.kind === 'other') continue;
    try {
      const { text } = readPart(part);
      const state = part.state(text);
      if (state !== 'missing') any = true;
      if (part.strictJson === true && state !== 'missing' && !isStrictJson(text)) {
        broken ||= part.kind === 'hook';
        findings.push({ code: 'dropped', about: part.file });
        continue;
      }
      if (state === 'ours') continue;
      if (part.kind === 'hook') broken = true;
      findings.push({ code: codeOf(part.kind, state), about: part.file });
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      // A host that cannot read its settings may continue without them.
      broken = true;
      if (!findings.some(({ about }) => about === error.message))
        findings.push({ code: 'unreadable', about: error.message });
    }
  }
  if (!any) return { verdict: 'off', findings: findings.filter(({ code }) => code === 'unreadable'), parts };
  if (launcher?.code === 'launcher') {
    broken = true;
    findings.unshift(launcher);
  }
  const disabled = disabledIn(place, host, machine);
  if (disabled !== null) {
    broken = true;
    findings.unshift({ code: 'disabled', about: disabled });
  }
  return { verdict: broken ? 'broken' : null, findings, parts };
}

function codeOf(kind: Part['kind'], state: 'missing' | 'edited'): Finding['code'] {
  if (kind === 'mcp') return state === 'missing' ? 'mcpMissing' : 'mcpEdited';
  return state;
}

async function tryOut(place: Place, host: SetupName, parts: readonly Part[], ground: Ground): Promise<CanaryTrouble> {
  const [part, agentHost] = parts.filter(({ kind }) => kind === 'hook');
  if (!part) return { code: 'notDenied', detail: '' };
  if (host === 'git') return tryGitHook(ground, fs.readFileSync(part.file, 'utf8'));
  const there = { ...place, workspace: ground.folder };
  const trouble = await tryAs(host);
  // VS Code's second file is for the Agent Host, in the form of the CLI.
  return trouble ?? (host === 'vscode' && agentHost ? tryAs('copilot-cli') : null);

  /** The host's file is exactly as setup writes it: so it would run this in the folder of the canary. */
  async function tryAs(name: HostName): Promise<CanaryTrouble> {
    const { deny: denial, setup } = hosts[name];
    const calls = canaryCalls(setup, ground.folder);
    if (setup.isPlugin)
      return tryHook(ground, { hook: { kind: 'plugin', text: opencodePlugin(there) }, calls, denial });
    const command = (kind: HookKind) =>
      ({ kind: 'command', shell: shellOf(place, name), line: hookCommand(there, name, kind) }) as const;
    const trouble = await tryHook(ground, { hook: command({ denying: true }), calls, denial });
    return trouble ?? (calls.after && tryAfterHook(ground, command({ denying: false, after: true }), calls.after));
  }
}

export function settingsReader(
  { workspace, home, env, platform }: Pick<Place, 'workspace' | 'home' | 'env' | 'platform'>,
  machine: Machine,
  host: HostName,
): SettingsReader {
  const folders = [workspace, realOf(workspace)];
  return {
    ...{ workspace, home, env, platform, folders },
    machineFile: isMachineHost(host) ? onDisk(machine, placesOf(machine)[host]) : null,
    settings: settingsIn,
    isBelow: (folder) => folders.some((one) => isWithin(one, folder)),
    isReallyBelow: (folder) => isWithin(realOf(workspace), realOf(folder)),
  };
}

/** How an agent could bypass a working hook, if it can. */
function wayAround(place: Place, host: SetupName, machine: Machine): Finding | null {
  if (host === 'git') return { code: 'skippable', about: 'git commit --no-verify' };
  return hosts[host].setup.wayAround?.(settingsReader(place, machine, host)) ?? null;
}

/** A settings file of the host that turns its hooks off. */
function disabledIn(place: Place, host: SetupName, machine: Machine): string | null {
  return host === 'git' ? null : (hosts[host].setup.disabledIn?.(settingsReader(place, machine, host)) ?? null);
}

/** Rules that work stop the host whatever its files in the folder say; what they lack besides the hook still counts. */
export function withRules(check: HostCheck, rules: MachineCheck | undefined): HostCheck {
  if (!rules || rules.verdict === 'none') return check;
  if (rules.verdict === 'broken') {
    const verdict = check.verdict === 'off' ? 'broken' : check.verdict;
    return { ...check, verdict, findings: [...rules.findings, ...check.findings] };
  }
  const rest = check.findings.filter(({ code }) => code === 'mcpMissing' || code === 'mcpEdited');
  return {
    host: check.host,
    verdict: 'enforced',
    by: 'administrator',
    findings: [{ code: 'denied', about: '' }, ...rest],
  };
}
