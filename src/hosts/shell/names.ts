/** Words of a command that may be names of files. */
import {
  acting,
  computed,
  opaque,
  mergeEffects,
  type Effect,
  type Folders,
  type NamedPath,
  type Word,
} from './word.ts';

/** Words that are files for certain, or only perhaps. */
export type Role = 'files' | 'perhaps';

/**
 * Only the program knows which of its words are files that it changes, so all are.
 * @param fills whether it may make folders of them, with files in them
 */
export function namesEverything(words: readonly Word[], bases: Folders, role: Role = 'perhaps', fills = false): Effect {
  const isSure = role === 'files';
  // A computed part at the end of `--title=…` is not a path; one that is or ends a path is.
  const unknown = words.find((word) => isSure && word.unknown !== undefined && !/^(?:https?:|[^/]*\s)/.test(word.text));
  const paths = words.flatMap((word) => {
    const perhaps = !isSure && !/[./\\]/.test(word.text);
    // A wildcard in quotes, or a word that the shell computes: only the program knows which files of the folder it means.
    const found = namesOf(word).filter(({ path, isCut }) => isSure || word.glob || !isCut || path !== '.');
    return found.map(({ path, isCut }): NamedPath => ({
      ...{ path, bases },
      ...(perhaps ? { perhaps } : {}),
      ...(isCut ? { isCut } : {}),
      ...(fills ? { isFilled: true } : {}),
    }));
  });
  return mergeEffects([
    { ...acting, paths, text: words.map((word) => word.text).join(' ') },
    unknown ? opaque('the shell computes the name of a file that it changes', unknown.source) : acting,
  ]);
}

/**
 * What is removed or moved takes along all that is in it.
 * @param matched what wildcards match: a shell's leave out hidden files
 */
export function removalEffect(effect: Effect, matched: 'visible' | 'hidden' = 'visible'): Effect {
  const isKept = ({ isCut }: NamedPath) => isCut === true && matched === 'visible';
  return { ...effect, paths: effect.paths.map((one) => (isKept(one) ? one : { ...one, isRemoved: true })) };
}

/** With these options, `*` means the folder of the store too. In a terminal that stays open, they last. */
export function withHidden(script: string, effect: Effect, bases: Folders, lasts: boolean): Effect {
  if (!/dotglob|globdots|GLOBIGNORE|\*\(\w*D/i.test(script.replaceAll(/['"\\_]/g, ''))) return effect;
  const store = effect.opaque !== null || lasts ? [{ path: '.holdpoint', bases }] : [];
  return removalEffect({ ...effect, paths: [...effect.paths, ...store] }, 'hidden');
}

interface CutName {
  readonly path: string;
  /** It ended in a wildcard, or in something computed: this is a folder around what it names. */
  readonly isCut: boolean;
}

/**
 * `--out=src/a.js`, `-osrc/a.js`, `@src/a.js` and `src/a.js:/mnt` name a file too. Programs match quoted wildcards
 * themselves. Of a text of several words, only what looks like a path is one.
 */
function namesOf({ text }: Word): CutName[] {
  const isText = /\s/.test(text);
  const marked = [text, ...[...text.matchAll(/[=:,@]/g)].map(({ index }) => text.slice(index + 1))];
  const attached = /^-[A-Za-z](.+)$/.exec(text)?.[1] ?? '';
  const parts = isText
    ? text.split(/[\s'"`()<>;|&=,:]+/).filter((part) => /\w[/\\]|[/\\]\w|\w\.\w/.test(part) && !part.includes('://'))
    : [...marked, attached].flatMap((name) => [name, name.replace(/[,:].*$/s, '')]);
  const found = [...parts.map(beforeWildcard), ...(isText ? [] : parts.flatMap(storesIn))];
  const named = found.filter(({ path }) => path !== '' && !/^-+$/.test(path));
  return [...new Map(named.map((one) => [`${String(one.isCut)} ${one.path}`, one])).values()];
}

/** `rm -rf .h*` means the folder of the store too, which no other wildcard matches. */
function storesIn(name: string): CutName[] {
  const parts = name.split('/');
  const at = parts.findIndex((part) => /^\.[^/]*[*?[]/.test(part));
  const pattern = parts[at]
    ?.replaceAll(/[.+^$()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll(/\?|\[[^\]]*\]?/g, '.');
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
