/** Commit names that an agent can make ambiguous: anyone who can push a tag can push one named `origin/main`. */
import { AppError } from '../../app/workspace/errors.ts';

/** Runs git and returns its output. @throws AppError if git fails */
export type AskGit = (args: readonly string[]) => string;

/**
 * Refuses a name that is that of several commits: git would take one of them and only warn.
 * @param written a name, perhaps with more after it: `origin/main~3`
 * @throws AppError `bad_input`, with the name to write instead
 */
export function requireOneMeaning(git: AskGit, option: string, written: string): void {
  const name = /^(?:(?!@\{)[^~^:])*/.exec(written)?.[0] ?? '';
  // Git never takes a whole hash or HEAD for another ref.
  if (name === '' || name === '@' || name === 'HEAD' || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name)) return;
  const found = refsOf(git, name);
  if (name.startsWith('refs/')) {
    if (found.has(name)) return;
    throw new AppError('bad_input', `${option}: there is no ${name}`);
  }
  const meanings = new Set([commitOf(git, name), ...found.values()]);
  const isHash = found.size > 0 && isAbbreviatedHash(git, name);
  if (meanings.size === 1 && !isHash) return;
  const refs = [...found.keys()];
  const instead = refs.find((ref) => !ref.startsWith('refs/tags/')) ?? refs[0] ?? '';
  throw new AppError(
    'bad_input',
    `${option}: "${name}" is the name of different commits (${[...refs, ...(isHash ? ['a hash'] : [])].join(', ')}). Write ${isHash ? 'the whole hash or ' : ''}the whole name that you mean, such as ${instead}`,
  );
}

/** Refs that git looks for when it is given a name, with their commits: gitrevisions(7). */
function refsOf(git: AskGit, name: string): Map<string, string> {
  const names = name.startsWith('refs/')
    ? [name]
    : [...['', 'tags/', 'heads/', 'remotes/'].map((kind) => `refs/${kind}${name}`), `refs/remotes/${name}/HEAD`];
  const lines = git(['for-each-ref', '--format=%(refname) %(objecttype) %(objectname)', ...names]).split('\n');
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [ref = '', type = '', hash = ''] = line.split(' ');
      return names.includes(ref) ? [[ref, type === 'commit' ? hash : commitOf(git, ref)]] : [];
    }),
  );
}

function commitOf(git: AskGit, name: string): string {
  return git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]).trim();
}

/** Also of what `git describe` prints: `v1-3-g12ab34c`. */
function isAbbreviatedHash(git: AskGit, name: string): boolean {
  const hash = /^(?:.*-g)?([0-9a-f]{4,40})$/i.exec(name)?.[1];
  return hash !== undefined && git(['rev-parse', `--disambiguate=${hash}`]).trim() !== '';
}
