/** Finds holds whose files a command mentions anywhere in its text: `python -c "open('src/auth.js', 'w')"`. */
import { folding } from '../core/kit/paths.ts';
import { fileScopes, openHolders, type Holder } from '../core/hold/holds.ts';
import type { CurrentState } from '../core/state/state.ts';

/** Shorter names, and those that may be plain words, are used only as the text of a quotation or after a slash. */
const shortest = 4;

/** @param ignoreCase true where the file system folds case */
export function findMentions(state: CurrentState, command: string, ignoreCase: boolean): Map<Holder, string> {
  if (command === '') return new Map();
  const fold = folding(ignoreCase);
  // A backslash in a text of another language is written twice.
  const text = fold(command.replaceAll(/[\\/]+/g, '/'));
  const known = new Map<string, boolean>();
  const isNamed = (scope: string) => {
    const before = known.get(scope);
    if (before !== undefined) return before;
    const named = names(text, fold(scope));
    known.set(scope, named);
    return named;
  };
  const found = new Map<Holder, string>();
  for (const holder of openHolders(state)) {
    const scope = fileScopes(state, holder).find(isNamed);
    if (scope !== undefined) found.set(holder, scope);
  }
  return found;
}

function names(text: string, scope: string): boolean {
  const wildcard = scope.search(/[*?]/);
  const literal = (wildcard < 0 ? scope : scope.slice(0, wildcard)).replace(/\/$/, '');
  if (literal === '') return false;
  const isPlain = literal.length < shortest || !/[./]/.test(literal);
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + literal.length] ?? ' ';
    if ((isPlain ? /['"`/=]/ : /[^\w-]/).test(before) && (wildcard >= 0 || !/[\w-]/.test(after))) return true;
  }
  return false;
}

/** Whether a command's text may name a file that matches the glob, by the longest part of it without wildcards. */
export function mayMention(command: string, glob: string): boolean {
  const [longest = ''] = glob
    .split(/[*?]+/)
    .map((part) => part.replaceAll(/^\/|\/$/g, ''))
    .sort((one, other) => other.length - one.length);
  return command.replaceAll('\\', '/').toLowerCase().includes(longest.toLowerCase());
}

/** Whether something held may have this name, seen from a folder that is unknown. */
export function isHeldName(state: CurrentState, name: string): boolean {
  const wanted = name.toLowerCase();
  const mayHold = (scope: string) => {
    const segments = scope.toLowerCase().split('/');
    // What is held below a folder may have any name.
    return segments.includes(wanted) || /[*?]/.test(scope) || !segments.at(-1)?.includes('.');
  };
  return openHolders(state).some((holder) => fileScopes(state, holder).some(mayHold));
}
