/** What an administrator's rules add to the hosts' files for the whole machine. */
import path from 'node:path';
import { parse } from 'smol-toml';
import { system32 } from './batch.ts';
import { hookTimeout } from './frame.ts';
import { realOf } from './git.ts';
import { entryPart, hooksPart } from './jsonParts.ts';
import type { JsonObject } from './jsonText.ts';
import { machineLauncherPath, onDisk, placesOf } from './machine.ts';
import type { Machine, MachineHost } from './machine.ts';
import { contextOption } from './machineLauncher.ts';
import { SetupError } from './names.ts';
import type { Part } from './part.ts';
import { blockPart, wholePart } from './textParts.ts';

/** Events of hooks that only add context; the last ones look which held files a call has changed. */
const contextEvents = ['SessionStart', 'UserPromptSubmit', 'Stop', 'PostToolUse', 'PostToolUseFailure'] as const;

/** @throws SetupError when the file on the disk cannot be read */
export function machineParts(machine: Machine, host: MachineHost): Part[] {
  const file = onDisk(machine, placesOf(machine)[host]);
  const frame = { host, file, root: realOf(path.dirname(file)), kind: 'hook' } as const;
  switch (host) {
    case 'claude-code':
      return claudeParts(machine, frame);
    case 'codex':
      return [codexPart(machine, frame)];
    case 'copilot-cli':
      return [copilotPart(machine, frame)];
    case 'cursor':
      return [cursorPart(machine, frame)];
  }
}

type Frame = Pick<Part, 'host' | 'file' | 'root' | 'kind'>;

/** A program and its arguments, without a shell: no file that a shell reads first can answer instead. */
export function machineCommand(
  machine: Machine,
  host: MachineHost,
  { denying }: { readonly denying: boolean },
): { readonly command: string; readonly args: readonly string[] } {
  const launcher = machineLauncherPath(machine);
  const args = ['hook', host, ...(denying ? [] : [contextOption])];
  return machine.platform === 'win32'
    ? { command: `${system32}\\cmd.exe`, args: ['/d', '/c', launcher, ...args] }
    : { command: launcher, args };
}

/**
 * Variables of the settings of users and projects that make the system's loader run other code in the hook. Managed
 * settings take precedence, so an empty value here undoes them.
 */
const loaders = [
  'LD_PRELOAD',
  'LD_AUDIT',
  'LD_LIBRARY_PATH',
  'DYLD_INSERT_LIBRARIES',
  'DYLD_LIBRARY_PATH',
  'BASH_ENV',
  'ENV',
];

/** Only managed hooks run: a hook of a project could change the input of a tool after this one has seen it. */
function claudeParts(machine: Machine, frame: Frame): Part[] {
  const group = (event: string, denying: boolean): [string, JsonObject] => {
    const hook = { type: 'command', ...machineCommand(machine, 'claude-code', { denying }), timeout: hookTimeout };
    return [event, { ...(event.includes('Tool') ? { matcher: '*' } : {}), hooks: [hook] }];
  };
  const groups = [group('PreToolUse', true), ...contextEvents.map((event) => group(event, false))];
  const hooks = hooksPart({ ...frame, strictJson: true }, Object.fromEntries(groups));
  const variables = machine.platform === 'win32' ? [] : loaders;
  const settings = [
    entryPart({ ...frame, kind: 'other' }, ['allowManagedHooksOnly'], true),
    ...variables.map((name) => entryPart({ ...frame, kind: 'other' }, ['env', name], '')),
  ];
  // Before the hooks: they are what shows whose the settings are.
  return [...settings.map((part) => besideHooks(part, hooks)), hooks];
}

/** A setting is ours only in a file with our hooks: otherwise the administrator chose it, and keeps it. */
function besideHooks(part: Part, hooks: Part): Part {
  const isOurs = (text: string | null) => hooks.state(text) !== 'missing';
  return {
    ...part,
    state: (text) => (isOurs(text) ? part.state(text) : 'missing'),
    strip: (text) => (isOurs(text) ? part.strip(text) : text),
  };
}

function copilotPart(machine: Machine, frame: Frame): Part {
  const hook = (denying: boolean) => {
    const { command: exec, args } = machineCommand(machine, 'copilot-cli', { denying });
    return { type: 'command', exec, args, timeoutSec: hookTimeout };
  };
  const hooks = { preToolUse: [hook(true)], postToolUse: [hook(false)], agentStop: [hook(false)] };
  return wholePart(frame, `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`);
}

/** Cursor denies as well when the hook fails. */
function cursorPart(machine: Machine, frame: Frame): Part {
  const hook = (denying: boolean) => ({
    command: shellLine(machine, 'cursor', { denying }),
    timeout: hookTimeout,
    ...(denying ? { failClosed: true } : {}),
  });
  const looking = hook(false);
  return hooksPart(
    frame,
    { preToolUse: hook(true), postToolUse: looking, postToolUseFailure: looking, stop: looking },
    { version: 1 },
  );
}

function shellLine(machine: Machine, host: MachineHost, how: { readonly denying: boolean }): string {
  const { command, args } = machineCommand(machine, host, how);
  return [command, ...args].map((word) => (/^[\w/:.\\-]+$/.test(word) ? word : `"${word}"`)).join(' ');
}

/**
 * Lines before the first table, so that they end none of the administrator's own. Codex has only the form with a shell;
 * it takes the one that its own environment names (docs/setup.md).
 */
function codexPart(machine: Machine, frame: Frame): Part {
  const hook = (denying: boolean) =>
    `{ type = "command", command = ${JSON.stringify(shellLine(machine, 'codex', { denying }))}, timeout = ${String(hookTimeout)} }`;
  const lines = [
    'allow_managed_hooks_only = true',
    'features.hooks = true',
    `hooks.PreToolUse = [{ matcher = "*", hooks = [${hook(true)}] }]`,
    `hooks.PostToolUse = [{ matcher = "*", hooks = [${hook(false)}] }]`,
    `hooks.Stop = [{ hooks = [${hook(false)}] }]`,
  ];
  return blockPart(frame, {
    lines,
    place(text) {
      try {
        parse([...lines, text].join('\n'));
      } catch (error) {
        const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
        throw new SetupError(
          `${frame.file} cannot take these lines (${why}). If it has its own [hooks] or [features], add them there by hand: ${lines.join('; ')}. Nothing was written.`,
          { cause: error },
        );
      }
      return 0;
    },
  });
}
