/** Globs and paths of a few names, some of which differ only by case or Unicode form, so that they often meet. */
import fc from 'fast-check';
import { holdGlob } from '../../src/core/kit/fields.ts';

const names = ['src', 'Src', 'a', 'ä', 'A\u0308', 'x.ts'] as const;

export const globs = (deepest: number) =>
  fc
    .array(fc.constantFrom(...names, '*', '**', 's*', 'x?'), { minLength: 1, maxLength: deepest })
    .map((parts) => parts.join('/'))
    .filter((text) => holdGlob.safeParse(text).success);

/** Of files, folders and worktrees. */
export const paths = (deepest: number) =>
  fc.oneof(
    fc.constantFrom('.', '../beside', '../beside/src', 'inner', 'inner/src'),
    fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: deepest }).map((parts) => parts.join('/')),
  );

export const worktrees = fc.constantFrom('.', '../beside', 'inner');
