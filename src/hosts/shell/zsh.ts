/** Where zsh, the shell of many terminals, replaces text that bash leaves as it is. */
import type { WordPart } from 'unbash';
import { computed, isKnown } from './word.ts';
import type { Word } from './word.ts';

/** `$=x` splits, `$~x` runs the commands of glob qualifiers, `$^x` expands an array. */
export const zshExpansion = /(?<!\\)\$[=~^]+[\w{(]/;

/** `<1-9>` stands for numbers in names of files; bash reads from a file of that name. */
export function isNumberGlob(target: string): boolean {
  return /^\d*-\d*$/.test(target);
}

/**
 * A letter after `$x:` is a modifier in zsh: `$x:h` is its folder, `$x:s/a/b/` replaces in it. The values count as
 * computed, except where the modifier leaves them as they are.
 */
export function modified(values: readonly Word[], part: WordPart, next: WordPart | undefined): readonly Word[] {
  if (part.type !== 'SimpleExpansion' || next?.type !== 'Literal') return values;
  const letter = /^:([a-zA-Z&])/.exec(next.text)?.[1];
  if (letter === undefined) return values;
  return values.map((value) => {
    const isSame =
      (letter === 't' && !value.text.includes('/')) || (letter === 'l' && value.text === value.text.toLowerCase());
    return !isKnown(value) || isSame ? value : { text: computed, glob: false, unknown: 'quoted' };
  });
}
