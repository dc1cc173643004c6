/** The environment of hooks of an administrator's rules. */
import path from 'node:path';

/**
 * Variables that would lead to another user-level folder. The account decides on it, so that `HOME` in a host's settings
 * does not.
 */
const leading = ['HOME', 'USERPROFILE', 'LOCALAPPDATA', 'XDG_STATE_HOME', 'HOLDPOINT_STATE_FOLDER'];

type Environment = Readonly<Record<string, string | undefined>>;

/** @param home of the account that this program runs as */
export function withoutLeading(env: Environment, home: string): Environment {
  const kept = Object.entries(env).filter(([name]) => !leading.includes(name.toUpperCase()));
  return { ...Object.fromEntries(kept), HOME: home };
}

/** What `storesFolder` (store/journal/stateFile.ts) is there. Written again, because that one loads what all programs share. */
export function accountStores(platform: NodeJS.Platform, home: string): string {
  const { join } = platform === 'win32' ? path.win32 : path.posix;
  const folder =
    platform === 'win32'
      ? join(home, 'AppData', 'Local')
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : join(home, '.local', 'state');
  return join(folder, 'holdpoint', 'stores');
}
