/** Commands that a shell runs itself, and that change how it reads the rest of the script. */

type Change =
  /** It sets variables or options, and does nothing else. */
  | 'settings'
  /** It sets variables to values that cannot be followed, or replaces commands. */
  | 'computed'
  /** It runs a script in this shell. */
  | 'script';

const changes = new Map<string, Change>([
  ...each('settings', ['export', 'declare', 'typeset', 'local', 'readonly', 'unset', 'shopt', 'setopt']),
  ...each('computed', ['let', 'enable', 'mapfile', 'readarray', 'getopts']),
  ...each('script', ['.', 'source']),
]);

export function changeOf(program: string): Change | undefined {
  return changes.get(program);
}

function each(change: Change, programs: readonly string[]): readonly (readonly [string, Change])[] {
  return programs.map((program) => [program, change]);
}
