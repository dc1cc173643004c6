/** How git is asked about commits, whatever the files and settings say that agents can write. */
import os from 'node:os';

/** For every call: no program of a configuration runs, and none of these settings changes what git prints. */
export const settings = [
  ...['core.fsmonitor=false', 'core.quotePath=false', 'core.commitGraph=false', 'log.showSignature=false'],
  ...['log.showRoot=true', 'diff.ignoreSubmodules=none', 'diff.relative=false'],
].flatMap((setting) => ['-c', setting]);

/** For comparisons. Every change of a submodule counts, whatever .gitmodules says of it. */
export const comparing = ['-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=none'];

/**
 * Variables for every call. A repository can contain replacements for its commits. Git may fetch what is missing through
 * programs that settings name; no such transport is allowed.
 */
export const gitVariables: Readonly<Record<string, string>> = {
  ...{ GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: os.devNull },
  ...{ GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' },
};

/** Why git failed, in words; its own are only quoted where we know none. */
export function gitFailure(cause: unknown, folder: string): string {
  const [said = ''] = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim().split('\n') : [];
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return 'git is not installed';
  if (said.includes('not a git repository')) return `${folder} is not in a git repository`;
  if (said.includes('dubious ownership'))
    return `git does not read ${folder}, because another user owns it (see safe.directory in git config --help)`;
  return `git could not read it${said === '' ? '' : `, and said "${said.replace(/^(?:fatal|error): /, '')}"`}`;
}
