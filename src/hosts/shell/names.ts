/** Words of a command that may be names of files. */
import { acting, computed, opaque, together } from './word.ts';
import type { Effect, Folders, NamedPath, Word } from './word.ts';

/** Words that are files for certain, or only perhaps. */
export type Role = 'files' | 'perhaps';

/** Only the program knows which of its words are files that it changes, so all are. */
export function namesEverything(words: readonly Word[], bases: Folders, role: Role = 'perhaps'): Effect {
  const unknown = words.find(({ text, unknown: kind }) => kind !== undefined && mayBePath(text));
  const paths = words.flatMap((word) => {
    const perhaps = role === 'perhaps' && !/[./\\]/.test(word.text);
    return namesOf(word).map((path): NamedPath => ({ path, bases, ...(perhaps ? { perhaps } : {}) }));
  });
  const text = words.map((word) => word.text).join(' ');
  return together([{ ...acting, paths, text }, unknown ? opaque(`"${shown(unknown.text)}"`) : acting]);
}

function shown(text: string): string {
  return text.replaceAll(computed, '…').slice(0, 80);
}

/** A computed part at the end of `--title=…` is no path; one that is or ends a path is. */
function mayBePath(text: string): boolean {
  return !/^(?:https?:|[^/]*\s)/.test(text);
}

/**
 * `--out=src/a.js`, `-osrc/a.js`, `@src/a.js` and `src/a.js:/mnt` name a file too. Programs match quoted wildcards
 * themselves.
 */
function namesOf({ text }: Word): string[] {
  // A text of several words: only what looks like a path is one.
  if (/\s/.test(text))
    return text
      .split(/[\s'"`()<>;|&=,:]+/)
      .filter((part) => /\w[/\\]|[/\\]\w|\w\.\w/.test(part) && !part.includes('://'))
      .map(beforeWildcard);
  const names = [text, ...[...text.matchAll(/[=:,@]/g)].map(({ index }) => text.slice(index + 1))];
  const attached = /^-[A-Za-z](.+)$/.exec(text)?.[1];
  if (attached !== undefined && !text.startsWith('--')) names.push(attached);
  const ended = names.flatMap((name) => [name, ...name.split(/[,:]/).slice(0, 1)]);
  return [...new Set(ended.map(beforeWildcard))].filter((name) => name !== '' && !/^-+$/.test(name));
}

function beforeWildcard(name: string): string {
  const wildcard = name.search(new RegExp(`[*?[{(${computed}]`));
  if (wildcard < 0) return name;
  const end = Math.max(name.lastIndexOf('/', wildcard), name.lastIndexOf('\\', wildcard));
  if (end < 0) return '.';
  return end === 0 ? '/' : name.slice(0, end);
}
