/** The content of a file in the last commit, from git. Runs no configured programs. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Null without git, or if the commit does not have the file. @param absolute the file's path */
export function gitContent(env: NodeJS.ProcessEnv): (absolute: string) => Buffer | null {
  return (absolute) => {
    // Variables set by a surrounding git command refer to another repository.
    const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
    try {
      return execFileSync(
        'git',
        [
          ...['-C', path.dirname(absolute), '-c', 'core.fsmonitor=false'],
          ...['cat-file', 'blob', `HEAD:./${path.basename(absolute)}`],
        ],
        {
          env: { ...clean, GIT_OPTIONAL_LOCKS: '0', GIT_NO_REPLACE_OBJECTS: '1' },
          maxBuffer: 1 << 28,
          stdio: ['ignore', 'pipe', 'ignore'],
          timeout: 5_000,
          windowsHide: true,
        },
      );
    } catch {
      return null;
    }
  };
}
