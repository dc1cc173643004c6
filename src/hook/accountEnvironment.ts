/** The environment of hooks of an administrator's rules. */

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
