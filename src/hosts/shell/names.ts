/** Words of a command that may be names of files. */
import { acting, computed, opaque, together, type Effect, type Folders, type NamedPath, type Word } from './word.ts';

/** Words that are files for certain, or only perhaps. */
export type Role = 'files' | 'perhaps';

/**
 * Only the program knows which of its words are files that it changes, so all are.
 * @param fills whether it may make folders of them, with files in them
 */
export function namesEverything(words: readonly Word[], bases: Folders, role: Role = 'perhaps', fills = false): Effect {
  // An unknown program that names nothing held goes on: held files are compared after each call.
  const unknown =
    role === 'files' ? words.find(({ text, unknown: kind }) => kind !== undefined && mayBePath(text)) : undefined;
  const paths = words.flatMap((word) => {
    const perhaps = role === 'perhaps' && !/[./\\]/.test(word.text);
    // A wildcard in quotes, or a word that the shell computes: only the program knows which files of the folder it means.
    const isAny = ({ path, isCut }: CutName) => role === 'perhaps' && !word.glob && isCut && path === '.';
    const found = namesOf(word).filter((name) => !isAny(name));
    return found.map(({ path, isCut }): NamedPath => ({
      ...{ path, bases },
      ...(perhaps ? { perhaps } : {}),
      ...(isCut ? { isCut } : {}),
      ...(fills ? { isFilled: true } : {}),
    }));
  });
  const text = words.map((word) => word.text).join(' ');
  return together([
    { ...acting, paths, text },
    unknown ? opaque('the shell computes the name of a file that it changes', unknown.source) : acting,
  ]);
}

/**
 * What is removed or moved takes along all that is in it.
 * @param matched what wildcards match: a shell's leave out hidden files
 */
export function removed(effect: Effect, matched: 'visible' | 'hidden' = 'visible'): Effect {
  const isKept = ({ isCut }: NamedPath) => isCut === true && matched === 'visible';
  return { ...effect, paths: effect.paths.map((one) => (isKept(one) ? one : { ...one, isRemoved: true })) };
}

/** With these options, `*` means the folder of the store too. In a terminal that stays open, they last. */
export function withHidden(script: string, effect: Effect, bases: Folders, lasts: boolean): Effect {
  if (!/dotglob|globdots|GLOBIGNORE|\*\(\w*D/i.test(script.replaceAll(/['"\\_]/g, ''))) return effect;
  const store = effect.opaque !== null || lasts ? [{ path: '.holdpoint', bases }] : [];
  return removed({ ...effect, paths: [...effect.paths, ...store] }, 'hidden');
}

/** A computed part at the end of `--title=…` is no path; one that is or ends a path is. */
function mayBePath(text: string): boolean {
  return !/^(?:https?:|[^/]*\s)/.test(text);
}

/**
 * `--out=src/a.js`, `-osrc/a.js`, `@src/a.js` and `src/a.js:/mnt` name a file too. Programs match quoted wildcards
 * themselves.
 */
function namesOf({ text }: Word): CutName[] {
  // A text of several words: only what looks like a path is one.
  if (/\s/.test(text))
    return text
      .split(/[\s'"`()<>;|&=,:]+/)
      .filter((part) => /\w[/\\]|[/\\]\w|\w\.\w/.test(part) && !part.includes('://'))
      .map(beforeWildcard)
      .filter(seenFirst());
  const names = [text, ...[...text.matchAll(/[=:,@]/g)].map(({ index }) => text.slice(index + 1))];
  const attached = /^-[A-Za-z](.+)$/.exec(text)?.[1];
  if (attached !== undefined && !text.startsWith('--')) names.push(attached);
  const ended = names.flatMap((name) => [name, ...name.split(/[,:]/).slice(0, 1)]);
  return [...ended.map(beforeWildcard), ...ended.flatMap(storesIn)]
    .filter(({ path }) => path !== '' && !/^-+$/.test(path))
    .filter(seenFirst());
}

interface CutName {
  readonly path: string;
  /** It ended in a wildcard, or in something computed: this is a folder around what it names. */
  readonly isCut: boolean;
}

/** Keeps the first of equal names. A command can have thousands. */
function seenFirst(): (name: CutName) => boolean {
  const [whole, cut] = [new Set<string>(), new Set<string>()];
  return ({ path, isCut }) => {
    const known = isCut ? cut : whole;
    const isNew = !known.has(path);
    known.add(path);
    return isNew;
  };
}

/** `rm -rf .h*` means the folder of the store too, which no other wildcard matches. */
function storesIn(name: string): CutName[] {
  const parts = name.split('/');
  const at = parts.findIndex((part) => /^\.[^/]*[*?[]/.test(part));
  const pattern = parts[at]
    ?.replaceAll(/[.+^$()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
    .replaceAll(/\[[^\]]*\]?/g, '.');
  if (pattern === undefined || !new RegExp(`^${pattern}$`, 'i').test('.holdpoint')) return [];
  return [{ path: [...parts.slice(0, at), '.holdpoint'].join('/'), isCut: false }];
}

const wildcards = new RegExp(`[*?[{(${computed}]`);

/** `src/*.js` is `src`, because it may match any file there. */
export function beforeWildcard(name: string): CutName {
  const wildcard = name.search(wildcards);
  if (wildcard < 0) return { path: name, isCut: false };
  const end = Math.max(name.lastIndexOf('/', wildcard), name.lastIndexOf('\\', wildcard));
  return { path: end < 0 ? '.' : end === 0 ? '/' : name.slice(0, end), isCut: true };
}
