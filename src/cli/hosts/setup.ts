/** `holdpoint setup`: adds hooks and MCP servers to the hosts' own files. Prints what it writes; `--remove` undoes it. */
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { openHolders } from '../../core/hold/holds.ts';
import { applySetup, planSetup, type FileChange } from '../../hosts/setup/plan.ts';
import { foundHosts } from '../../hosts/setup/hostFiles.ts';
import { askGitNow } from '../../hosts/setup/git.ts';
import { launcherPath } from '../../hosts/setup/launcher.ts';
import {
  isSetupName,
  setupNames,
  setupTitle,
  type SetupName,
  type Place,
  posixCommand,
} from '../../hosts/setup/place.ts';
import { thisMachineOf } from '../../hosts/setup/machine.ts';
import { checkRules, uncoveredWorktrees, type Uncovered } from '../../hosts/setup/check.ts';
import { findingWords, type HostCheck } from '../../hosts/setup/findings.ts';
import { hostNames } from '../../core/kit/limits.ts';
import type { Io } from '../kit/io.ts';
import { verb, type Printed } from '../kit/verb.ts';
import { canaryHold, changeText, ensureLauncher, launcherTarget } from './programs.ts';
import { setupMachine } from './machineRun.ts';
import { UnreadableCall } from '../../hosts/call.ts';
import { formCanary, genericForm, withForm } from '../../hosts/payload/form.ts';
import { canaryCalls, onGround, tryHook } from '../../hosts/setup/canary.ts';
import type { HostForm } from '../../hosts/host.ts';

// `holdpoint setup --command FORM.json`: the hook command for a host that setup does not know, tried with a canary hold.

/** @throws AppError for a description that is not valid */
async function genericCommand(io: Io, place: Place, file: string): Promise<Printed> {
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

const input = z.strictObject({
  host: z
    .array(z.string())
    .default([])
    .describe(`${hostNames.join(', ')} or git`),
  remove: z
    .boolean()
    .default(false)
    .describe('remove what setup wrote; files that were not edited since are restored byte for byte'),
  machine: z
    .boolean()
    .default(false)
    .describe('as an administrator: rules for every user of this machine, which agents cannot edit'),
  keys: z
    .string()
    .optional()
    .describe('with --machine: the only public keys to trust here, as "holdpoint keys" prints them'),
  dry_run: z.boolean().default(false).describe('show what would be written without writing it'),
  check: z
    .boolean()
    .default(false)
    .describe('test each hook with a canary hold. Exit 1: one of them does not deny the edit'),
  command: z
    .string()
    .optional()
    .describe('print the hook command for any other host, from a description of its calls in JSON, and test it'),
});
type SetupOptions = z.output<typeof input>;

export const setupVerb = verb({
  words: 'setup',
  about: 'make agent hosts ask Holdpoint before each tool call; default: the hosts in use here',
  input,
  hints: {
    host: '--host <name>',
    command: { flags: '--command <file>', apart: ['host', 'remove', 'machine', 'keys', 'dry-run', 'check'] },
    check: { apart: ['remove', 'keys', 'dry-run'] },
    remove: { apart: ['keys'] },
    keys: '--keys <file>',
  },
  run({ io, workspace, version }, options) {
    if (options.keys !== undefined && !options.machine) throw new AppError('bad_input', '--keys: only with --machine');
    return options.machine ? setupMachine(io, version, options) : setup(io, workspace, options);
  },
});

async function setup(io: Io, workspace: Workspace, options: SetupOptions): Promise<Printed> {
  const { remove, dry_run: dryRun, check } = options;
  const given = options.host.map((name) => {
    if (!isSetupName(name)) throw new AppError('bad_input', `--host ${name}: must be one of ${setupNames.join(', ')}`);
    return name;
  });
  const here = placeOf(io, workspace);
  if (options.command !== undefined) return genericCommand(io, here, options.command);
  const place = { ...here, git: askGitNow(here) };
  if (check) {
    const names = given.length > 0 ? given : setupNames;
    const checks = await checkRules(place, names, canaryHold(io), {
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
  return reportOf(names, changes, { remove, dryRun });
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

function reportOf(
  names: readonly SetupName[],
  changes: readonly FileChange[],
  { remove, dryRun }: { remove: boolean; dryRun: boolean },
): Printed {
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

function checkText(checks: readonly HostCheck[], uncovered: readonly Uncovered[]): string {
  const said = checks
    .map(({ host, verdict, by, findings }) => {
      const level =
        verdict === 'off' ? 'not set up' : by === 'administrator' ? "enforced, an administrator's" : verdict;
      return [`${setupTitle(host)}: ${level}`, ...findings.map((finding) => `  ${findingWords(finding)}`)].join('\n');
    })
    .join('\n');
  const others = uncovered.map(
    ({ folder, hosts }) =>
      `Not covered: ${folder}, for ${hosts.map(setupTitle).join(', ')}. Run there: holdpoint setup`,
  );
  return [said, ...others].join('\n');
}
