/** Runs `holdpoint setup`. */
import { AppError } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { openHolders } from '../../core/hold/holds.ts';
import { applySetup, planSetup, type FileChange } from '../../hosts/setup/plan.ts';
import { foundHosts } from '../../hosts/setup/found.ts';
import { askGitNow } from '../../hosts/setup/git.ts';
import { launcherPath, readOrNull } from '../../hosts/setup/launcher.ts';
import {
  isSetupName,
  setupNames,
  setupTitle,
  type SetupName,
  type Place,
  posixCommand,
} from '../../hosts/setup/place.ts';
import { thisMachineOf } from '../../hosts/setup/machine.ts';
import { checkRules, uncoveredWorktrees } from '../../hosts/setup/check.ts';
import type { ExitCode, Io } from '../kit/io.ts';
import { canaryHold, ensureLauncher, launcherTarget } from './setupCanary.ts';
import { changeText, checkText } from './setupText.ts';
import type { Shown } from '../kit/outputs.ts';
import fs from 'node:fs';
import path from 'node:path';
import { UnreadableCall } from '../../hosts/call.ts';
import { formCanary, genericForm, withForm } from '../../hosts/payload/form.ts';
import { canaryCalls, onGround, tryHook, type Ground } from '../../hosts/setup/canary.ts';
import type { HostForm } from '../../hosts/host.ts';
import { partsOf } from '../../hosts/setup/hostFiles.ts';

// `holdpoint setup --check --live HOST`: a person tries a host whose program needs an account. The agent works in a
// temporary folder with a hold; this watches what becomes of the held file, and what the agent writes down of Holdpoint's
// words.

// The looks that a person tries with `setup --check --live`: what the agent is asked to do, and the file in which it
// writes down what it got. Words that only Holdpoint says prove that the hook ran and that the agent read its result.

type LookName = 'before_call' | 'after_call' | 'before_stop';

interface Script {
  readonly file: string;
  readonly text: string;
  /** How a shell starts it. */
  readonly command: string;
  /** The line that it appends to the held file. */
  readonly line: string;
}

interface LiveGround extends Ground {
  readonly script: Script;
}

interface Look {
  readonly title: string;
  readonly prompt: (ground: LiveGround) => string;
  /** Where the agent writes what it got. */
  readonly file: string;
  readonly isSeen: (written: string, ground: LiveGround) => boolean;
  readonly proven: string;
  /** What to do if it was not seen. `hasRun`: whether the script had changed the held file. */
  readonly missing: (hasRun: boolean) => string;
}

/** The name says nothing of what it changes, so nothing stops it. */
function scriptOf(platform: string, secret: string): Script {
  const line = `tidied ${secret}`;
  return platform === 'win32'
    ? { file: 'tidy.cmd', text: `@echo ${line}>>held.txt\r\n`, command: './tidy.cmd', line }
    : { file: 'tidy.sh', text: `#!/bin/sh\necho '${line}' >>held.txt\n`, command: './tidy.sh', line };
}

/** `ran`: the script did, and nothing else. `changed`: the agent did, though the file is held. */
function heldFileState(text: string, { script }: LiveGround): 'same' | 'ran' | 'changed' {
  const [first, ...more] = text.split(/\r?\n/);
  const added = more.filter((line) => line !== '');
  if (first !== 'a' || added.some((line) => line !== script.line)) return 'changed';
  return added.length > 0 ? 'ran' : 'same';
}

const notRun = 'The agent did not run the script, so there was nothing to notice. Send it the prompt again.';

const changedWords = 'held.txt is held by Q-1 and was changed';
const stopWords = 'before you stop';

const looks: Readonly<Record<LookName, Look>> = {
  before_call: {
    title: 'before a call',
    prompt: () =>
      'Change the first line of held.txt to "b". If you are stopped, write the reason that you got, word for word, into reason.txt.',
    file: 'reason.txt',
    isSeen: (written, { secret }) => written.includes(secret),
    proven: 'The edit was denied, and the agent got the reason.',
    missing: () =>
      'Open exactly that folder, trust it, and leave the setting chat.useHooks on. If the agent never tried the edit, send the prompt again.',
  },
  after_call: {
    title: 'after a call',
    prompt: ({ script }) =>
      `Run ${script.command} in a terminal. If a message about a file comes with its result, write the message, word for word, into after.txt.`,
    file: 'after.txt',
    isSeen: (written) => written.includes(changedWords),
    proven: 'The agent read that the script changed a held file.',
    missing: (hasRun) =>
      hasRun
        ? 'The script changed held.txt, so this version does not run postToolUse of .github/hooks/holdpoint-agent-host.json, or does not pass its result on. The gate still names such changes, and denies commits of them.'
        : notRun,
  },
  before_stop: {
    title: 'before a stop',
    prompt: () =>
      'Then end your turn. Only if a message keeps you from ending it, write that message, word for word, into stop.txt, and end your turn.',
    file: 'stop.txt',
    isSeen: (written) => written.includes(changedWords) && written.includes(stopWords),
    proven: 'The agent read of the change once more instead of stopping.',
    missing: (hasRun) =>
      hasRun
        ? 'If the agent has ended its turn, this version does not run agentStop of .github/hooks/holdpoint-agent-host.json, or does not pass its reason on. When an agent stops, look at the changes in the form of the question yourself.'
        : notRun,
  },
};

const waitMs = 10 * 60_000;
const pollMs = 200;

interface LiveHost {
  readonly host: SetupName;
  readonly title: string;
  readonly looks: readonly LookName[];
}

/** Which set-up a name of `--live` tries. */
const liveHosts: Readonly<Record<string, LiveHost>> = {
  'vscode-copilot': {
    host: 'vscode',
    title: 'VS Code, in a new session of the Copilot agent (Agent Host)',
    looks: ['before_call', 'after_call', 'before_stop'],
  },
  ...Object.fromEntries(
    (['cursor', 'windsurf', 'kiro', 'antigravity'] as const).map((host) => [
      host,
      { host, title: setupTitle(host), looks: ['before_call'] as const },
    ]),
  ),
};

type Result = 'proven' | 'broken' | 'not proven';

async function liveCheck(io: Io, place: Place, name: string): Promise<Shown & { code: ExitCode }> {
  const live = Object.hasOwn(liveHosts, name) ? liveHosts[name] : undefined;
  if (!live) throw new AppError('bad_input', `--live ${name}: must be one of ${Object.keys(liveHosts).join(', ')}`);
  ensureLauncher(io, place);
  return onGround(place, canaryHold(io), async (canary) => {
    for (const part of partsOf({ ...place, workspace: canary.folder }, live.host).filter(
      ({ kind }) => kind !== 'other',
    ))
      write(part.file, part.add(readOrNull(part.file)?.toString('utf8') ?? null));
    const ground: LiveGround = { ...canary, script: scriptOf(io.platform, canary.secret) };
    if (live.looks.includes('after_call'))
      fs.writeFileSync(path.join(ground.folder, ground.script.file), ground.script.text, { mode: 0o755 });
    io.err(instructions(live, ground));
    const seen = await watch(io, live, ground);
    return report(name, live, seen);
  });
}

function instructions({ title, looks: tried }: LiveHost, ground: LiveGround): string {
  const prompt = tried.map(
    (look, index) => `   ${tried.length > 1 ? `${String(index + 1)}. ` : ''}${looks[look].prompt(ground)}`,
  );
  return [
    `1. Open the folder ${ground.folder} in ${title}.`,
    '2. Send its agent this prompt:',
    ...prompt,
    'Waiting for its result, 10 minutes at most. When the agent has finished, Ctrl-C shows what was seen.',
  ].join('\n');
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/** What was seen until everything was, the held file was changed, or its person ended it. */
interface Seen {
  readonly isBroken: boolean;
  readonly hasRun: boolean;
  readonly looks: ReadonlySet<LookName>;
}

async function watch(io: Io, { looks: tried }: LiveHost, ground: LiveGround): Promise<Seen> {
  // The agent may write or remove them in the meantime.
  const text = (name: string) => readOrNull(path.join(ground.folder, name))?.toString('utf8') ?? '';
  const seen = new Set<LookName>();
  const end = Date.now() + waitMs;
  let hasRun = false;
  for (;;) {
    // Also once more after Ctrl-C: the agent may just have written something.
    const isOver = Date.now() >= end || io.signal.aborted;
    const state = heldFileState(text('held.txt'), ground);
    hasRun ||= state === 'ran';
    if (state === 'changed') return { isBroken: true, hasRun, looks: seen };
    for (const look of tried.filter((one) => !seen.has(one) && looks[one].isSeen(text(looks[one].file), ground))) {
      seen.add(look);
      if (seen.size < tried.length) io.err(`Seen: the look ${looks[look].title}.`);
    }
    if (isOver || seen.size === tried.length) break;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return { isBroken: false, hasRun, looks: seen };
}

function report(name: string, { title, looks: tried }: LiveHost, seen: Seen): Shown & { code: ExitCode } {
  const result: Result = seen.isBroken ? 'broken' : seen.looks.size === tried.length ? 'proven' : 'not proven';
  const first = {
    proven: `Proven: ${title} did not change held.txt, and its agent got the reason.`,
    broken: `Broken: ${title} changed held.txt, which an open question holds.`,
    'not proven': `Not proven: ${seen.looks.size === 0 ? 'nothing' : 'not everything'} was seen of ${title}.`,
  }[result];
  const lines = tried.map((look) => {
    const { title: when, proven, missing } = looks[look];
    return seen.looks.has(look)
      ? `The look ${when}: proven. ${proven}`
      : `The look ${when}: not seen. ${missing(seen.hasRun)}`;
  });
  return {
    text: [first, ...lines].join('\n'),
    schema: 'setup',
    data: {
      live: name,
      result,
      looks: Object.fromEntries(tried.map((look) => [look, seen.looks.has(look) ? 'proven' : 'not seen'])),
    },
    code: result === 'proven' ? 0 : 1,
  };
}

// `holdpoint setup --command FORM.json`: the hook command for a host that setup does not know, tried with a canary hold.

/** @throws AppError for a description that is not valid */
async function genericCommand(io: Io, place: Place, file: string): Promise<Shown & { code: ExitCode }> {
  if (io.platform === 'win32')
    throw new AppError('bad_input', '--command: Windows is not supported for hosts that setup does not know');
  const form = read(io, file);
  ensureLauncher(io, place);
  const line = (workspace: string) =>
    posixCommand({
      host: 'generic',
      launcher: place.launcher,
      workspace,
      denying: true,
      form: JSON.stringify(form),
      ...(form.deny ? { denial: form.deny } : {}),
    });
  const trouble = await onGround(place, canaryHold(io), (ground) =>
    tryHook(ground, {
      hook: { kind: 'command', shell: 'posix', line: line(ground.folder) },
      calls: canaryCalls(withForm(form, 'Another host'), ground.folder),
      denial: form.deny,
    }),
  );
  const command = line(place.workspace);
  const tested = trouble
    ? `Not usable: the canary failed (${trouble.code}: ${trouble.detail}).`
    : 'Tested just now: an edit to a held file was blocked, reading was not. Register this command before every tool:';
  return {
    text: trouble ? tested : `${tested}\n${command}`,
    schema: 'setup',
    data: { command, works: trouble === null },
    code: trouble ? 1 : 0,
  };
}

function read(io: Io, file: string): HostForm {
  try {
    const form = genericForm(fs.readFileSync(path.resolve(io.cwd, file), 'utf8'));
    formCanary(form, 'held.txt');
    return form;
  } catch (error) {
    const why = error instanceof UnreadableCall ? error.message : 'it cannot be read';
    throw new AppError('bad_input', `--command ${file}: ${why}`);
  }
}

export interface SetupOptions {
  readonly host: readonly string[];
  readonly remove?: boolean;
  readonly dryRun?: boolean;
  readonly check?: boolean;
  readonly machine?: boolean;
  /** A file of public keys; only with `machine`. */
  readonly keys?: string;

  /** The host that a person tries. */
  readonly live?: string;
  /** A file that describes a host that setup does not know. */
  readonly command?: string;
}

export async function setup(io: Io, workspace: Workspace, options: SetupOptions): Promise<Shown & { code: ExitCode }> {
  const { remove = false, dryRun = false, check = false } = options;
  const given = options.host.map((name) => {
    if (!isSetupName(name)) throw new AppError('bad_input', `--host ${name}: must be one of ${setupNames.join(', ')}`);
    return name;
  });
  const here = placeOf(io, workspace);
  if (options.command !== undefined) return genericCommand(io, here, options.command);
  if (options.live !== undefined) return liveCheck(io, here, options.live);
  const place = { ...here, git: askGitNow(here) };
  if (check) {
    const names = given.length > 0 ? given : setupNames;
    const checks = await checkRules(place, names, canaryHold(io), {
      start: true,
      target: launcherTarget(io),
      machine: thisMachineOf(io.platform),
    });
    const bad = checks.some(({ host, verdict }) => verdict === 'broken' || (verdict === 'off' && given.includes(host)));
    const uncovered = uncoveredWorktrees(place, checks);
    return {
      text: checkText(checks, uncovered),
      schema: 'setup',
      data: { hosts: checks, uncovered },
      code: bad ? 1 : 0,
    };
  }
  const names = given.length > 0 ? given : remove ? setupNames : [...foundHosts(place).keys()];
  if (names.length === 0)
    throw new AppError(
      'not_found',
      `found no folder or program of an agent. Name one: --host ${setupNames.join(', ')}`,
    );
  const changes = planSetup(place, remove ? { remove: names } : { add: names });
  if (!dryRun && changes.length > 0) {
    if (remove) refuseWhileHeld(workspace);
    else ensureLauncher(io, place);
  }
  // Without changes too: folders that setup created are left where its files were deleted by hand.
  if (!dryRun && (remove || changes.length > 0)) applySetup(place, changes);
  return { ...shown(names, changes, { remove, dryRun }), code: 0 };
}

/** Without hooks an agent can bypass its holds: while there are any, only a human can remove hooks, in the editor. */
function refuseWhileHeld(workspace: Workspace): void {
  const { state, problem } = workspace.standing();
  const held = state ? openHolders(state).map(({ id }) => id) : [];
  if (!problem && held.length === 0) return;
  const why = problem ? 'the state of this workspace is UNKNOWN' : `${held.slice(0, 5).join(', ')} waits for a human`;
  throw new AppError(
    'denied',
    `${why}, so hooks cannot be removed from here. A human can do that in the editor: "Holdpoint: Set Up Agents…".`,
  );
}

function placeOf(io: Io, workspace: Workspace): Place {
  return {
    workspace: workspace.options.folder,
    home: io.home,
    userFolder: workspace.userFolder,
    launcher: launcherPath(workspace.userFolder),
    platform: io.platform,
    env: io.env,
  };
}

function shown(
  names: readonly SetupName[],
  changes: readonly FileChange[],
  { remove, dryRun }: { remove: boolean; dryRun: boolean },
): Shown {
  const hosts = names.map(setupTitle).join(', ');
  const done = changes.length === 0 ? 'nothing to change' : dryRun ? 'would write this' : 'written';
  const next = remove || dryRun || changes.length === 0 ? [] : ['Test it: holdpoint setup --check'];
  return {
    text: [`${remove ? 'Remove' : 'Set up'} ${hosts}: ${done}.`, ...changes.map(changeText), ...next].join('\n'),
    schema: 'setup',
    data: {
      hosts: names,
      written: !dryRun,
      files: changes.map(({ file, before, after }) => ({
        file,
        before: before?.toString('utf8') ?? null,
        after: after?.toString('utf8') ?? null,
      })),
    },
  };
}
