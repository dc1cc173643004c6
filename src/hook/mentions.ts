/** Finds holds whose files a command mentions anywhere in its text: `python -c "open('src/auth.js', 'w')"`. */
import { fileScopes, openHolders } from '../core/hold/holds.ts';
import type { Holder } from '../core/hold/holds.ts';
import type { State } from '../core/state/state.ts';

/** Shorter names match too much. Characters. */
const shortest = 4;

export function mentioned(state: State, command: string): Map<Holder, string> {
  if (command === '') return new Map();
  const text = command.replaceAll('\\', '/');
  const known = new Map<string, boolean>();
  const found = new Map<Holder, string>();
  for (const holder of openHolders(state))
    for (const scope of fileScopes(state, holder)) {
      let named = known.get(scope);
      if (named === undefined) known.set(scope, (named = names(text, scope)));
      if (named && !found.has(holder)) found.set(holder, scope);
    }
  return found;
}

function names(text: string, scope: string): boolean {
  const wildcard = scope.search(/[*?]/);
  const literal = (wildcard < 0 ? scope : scope.slice(0, wildcard)).replace(/\/$/, '');
  if (literal.length < shortest || !/[./]/.test(literal)) return false;
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + literal.length] ?? ' ';
    if (!/[\w-]/.test(before) && (wildcard >= 0 || !/[\w-]/.test(after))) return true;
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
