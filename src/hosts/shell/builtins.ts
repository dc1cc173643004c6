/** Commands that a shell runs itself, and that change how it reads the rest of the script. */

type Change =
  /** It sets variables or options, and does nothing else. */
  | 'settings'
  /** It sets variables to values that cannot be followed. */
  | 'computed'
  /** It replaces commands. */
  | 'replaced'
  /** It changes how the shell reads the text that follows. */
  | 'options'
  /** It runs a script in this shell. */
  | 'script';

const changes = new Map<string, Change>([
  ...each('settings', ['export', 'declare', 'typeset', 'local', 'readonly', 'unset']),
  ...each('options', ['set', 'shopt', 'setopt', 'unsetopt', 'emulate', 'zmodload']),
  ...each('computed', ['read', 'let', 'mapfile', 'readarray', 'getopts', 'integer', 'float']),
  ...each('replaced', ['enable', 'vared']),
  ...each('script', ['.', 'source']),
]);

export function changeOf(program: string): Change | undefined {
  return changes.get(program);
}

function each(change: Change, programs: readonly string[]): readonly (readonly [string, Change])[] {
  return programs.map((program) => [program, change]);
}

/** Options of bash with which a script is read as it was, or that only add names of files. */
const plainOptions = /^(?:-[supqo]+|globstar|nullglob|dotglob|failglob|nocaseglob|inherit_errexit|pipefail|lastpipe)$/;

const plainSet = /^[-+][euxfnvmabhECT]*o?$|^(?:pipefail|errexit|nounset|xtrace|verbose|noclobber|errtrace)$/;

export function areKnownOptions(program: string, words: readonly string[]): boolean {
  if (program === 'set') return words[0] === '--' || words.every((word) => plainSet.test(word));
  return program === 'shopt' && words.every((word) => plainOptions.test(word));
}

/** Those with which later lines are read, and names and variables found, as before. */
export function onlySetsOptions(program: string, words: readonly string[]): boolean {
  return program === 'set' && words.every((word) => /^[-+][eux]+o?$|^pipefail$/.test(word));
}

/** Commands that a name in quotes would hide from `setsAny`. */
export function isBuiltin(program: string): boolean {
  return changes.has(program) || /^(?:printf|eval|trap|cd|pushd|popd|select|coproc)$/.test(program);
}
