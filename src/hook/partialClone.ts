/** Fetching what a partial clone lacks: git does it also while it only reads, and settings say by which programs. */
import type { Setting } from './gitSettings.ts';

const runs =
  /^(?:remote\..*\.(?:uploadpack|vcs)|core\.(?:gitproxy|askpass)|credential\.(?:.*\.)?helper|gc\.recentobjectshook|url\.(?!https:\/\/).*\.insteadof)$/;
/** Helpers of git itself, and of programs that their users install. */
const plainHelper =
  /^(?:|store|cache(?: --timeout[= ]\d+)?|osxkeychain|manager(?:-core)?|libsecret|wincred|!(?:\/(?:usr|usr\/local|opt\/homebrew)\/bin\/)?gh auth git-credential)$/;

export const fetchingHooks = ['pre-auto-gc', 'reference-transaction'];

/** Remotes from which git fetches objects that are missing. Empty unless the repository is a partial clone. */
export function promisorsIn(settings: readonly Setting[]): Set<string> {
  return new Set(
    settings.flatMap(([key, value]) => {
      if (key === 'extensions.partialclone') return [value];
      const [, name, what] = /^remote\.(.*)\.(promisor|partialclonefilter)$/.exec(key) ?? [];
      return name === undefined || (what === 'promisor' && value === 'false') ? [] : [name];
    }),
  );
}

/**
 * Null where only git itself fetches: over https. Ssh and local addresses are reached through programs.
 * @param ofMachine settings that only administrators write
 */
export function fetchingRuns(settings: readonly Setting[], ofMachine: () => readonly Setting[]): string | null {
  const remotes = promisorsIn(settings);
  if (remotes.size === 0) return null;
  for (const remote of remotes) {
    const addresses = settings.filter(([key]) => key === `remote.${remote}.url`);
    if (addresses.length === 0 || addresses.some(([, value]) => !/^https:\/\/[^/]/.test(value)))
      return `git fetches what this partial clone lacks from ${remote}, which runs a program`;
  }
  const suspects = settings.filter(
    ([key, value]) => runs.test(key) && !(key.endsWith('.helper') && plainHelper.test(value)),
  );
  if (suspects.length === 0) return null;
  const known = new Set(ofMachine().map((setting) => setting.join('\n')));
  const found = suspects.find((setting) => !known.has(setting.join('\n')));
  return found ? `git has the setting ${found[0]}, which runs a program when a partial clone fetches` : null;
}
