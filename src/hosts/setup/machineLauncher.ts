/**
 * The administrator's launcher. Hosts start it for every user and folder, some of them without a shell, so it turns
 * every failure into exit code 2 itself. It takes nothing from the environment that could change the answer: the search
 * path is the system's, and the hook finds the user's folder by the account (hook/machine.ts).
 */
import { notInCurrentFolder, system32 } from './batch.ts';
import { posixQuoted } from './commandLine.ts';
import { cleared, clearedOnWindows, watchedHook } from './launcher.ts';
import { lastLine, lastLineOnWindows } from './lastLine.ts';

export interface MachineTarget {
  /** Absolute path of a Node that only administrators can change. */
  readonly node: string;
  readonly electron: boolean;
  /** The folder with the bundles. */
  readonly programs: string;
}

const broken =
  'Holdpoint cannot tell whether this may go on, so it is denied. Ask the administrator of this machine to run: holdpoint setup --machine --check';

/** Last argument of hooks that only add context: their failure stops nothing. */
export const contextOption = '--context';

export function posixMachineLauncher({ node, electron, programs }: MachineTarget): string {
  return `#!/bin/sh
# Written by "holdpoint setup --machine". Hosts of agents call it before each tool call.
unset ${cleared.join(' ')}
PATH=/usr/bin:/bin:/usr/sbin:/sbin
node=${posixQuoted(node)}
programs=${posixQuoted(programs)}
export PATH node programs${electron ? '\nexport ELECTRON_RUN_AS_NODE=1' : ''}
run() {
/bin/sh -c ${posixQuoted(watchedHook)} sh "$@" --machine
}
start() {
shift
case "$*" in
  *' ${contextOption}') run "$@" || exit 0 ;;
  *) run "$@" || { [ $? -eq 2 ] || echo '${broken}' >&2; exit 2; } ;;
esac
}
${lastLine}
`;
}

export function windowsMachineLauncher({ node, electron, programs }: MachineTarget): string {
  const program = `"${node}" "${programs}\\hook.mjs" %2 %3 --machine`;
  return [
    '@echo off',
    'rem Written by "holdpoint setup --machine". Hosts of agents call it before each tool call.',
    'setlocal',
    ...clearedOnWindows.map((name) => `set "${name}="`),
    `set "${notInCurrentFolder.join('=')}"`,
    `set "PATH=${system32};C:\\Windows"`,
    ...(electron ? ['set "ELECTRON_RUN_AS_NODE=1"'] : []),
    program,
    `if "%~3"=="${contextOption}" exit /b 0`,
    'if "%ERRORLEVEL%"=="0" exit /b 0',
    `if not "%ERRORLEVEL%"=="2" echo ${broken}>&2`,
    'exit /b 2',
    lastLineOnWindows,
    '',
  ].join('\r\n');
}
