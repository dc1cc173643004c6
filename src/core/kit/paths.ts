/** Workspace-relative paths: `/`-separated on every OS, never outside the workspace. Pure: no file system access. */
import { limits } from './limits.ts';

/** Why a path was refused, in words for the caller. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

/** @throws PathError for text that cannot be a path: empty, too long, control characters, broken Unicode */
export function requirePathText(raw: string): void {
  const text = raw.trim();
  if (text === '') throw new PathError('must not be empty');
  if (text.length > limits.path) throw new PathError(`must be at most ${String(limits.path)} characters`);
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new PathError('contains control characters');
  if (/[\uD800-\uDFFF]/u.test(text)) throw new PathError('contains half of a surrogate pair (not valid Unicode)');
}

/**
 * Refuses more than records do, which keep the rules under which they were written: some programs take the control
 * characters from U+0080 on for blanks at the ends of a name.
 * @throws PathError
 */
export function requireCertainPath(raw: string): void {
  requirePathText(raw);
  if (/[\u0080-\u009f\u2028\u2029]/.test(raw)) throw new PathError('contains control characters');
}

/**
 * `src\\a\\..\\b.ts` or `./src/b.ts` to `src/b.ts`; the root itself is `.`.
 * @throws PathError for absolute paths, paths that climb out, empty ones and control characters
 */
export function cleanPath(raw: string): string {
  requirePathText(raw);
  const slashed = raw.trim().replaceAll('\\', '/');
  if (slashed.startsWith('/') || /^[A-Za-z]:/.test(slashed))
    throw new PathError('must be inside the workspace, written relative to its root');
  const parts: string[] = [];
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) throw new PathError('must be inside the workspace: it climbs out with ..');
  }
  const clean = parts.length === 0 ? '.' : parts.join('/');
  // The rest may itself start like an absolute path or with a blank; repeat until stable.
  return clean === raw ? clean : cleanPath(clean);
}

export function isPath(raw: string): boolean {
  try {
    cleanPath(raw);
    return true;
  } catch {
    return false;
  }
}

/**
 * Converts a path between worktrees: `.` for the other worktree itself or a folder around it, null for paths outside
 * it. Worktrees may be nested.
 * @param path cleaned, relative to `worktree`
 * @param worktree relative to the store's root, as is `other`; `.` is the root itself
 */
export function seenFrom(other: string, worktree: string, path: string): string | null {
  const base = segments(other);
  const place = [...segments(worktree), ...segments(path)];
  const [outer, inner] = place.length <= base.length ? [place, base] : [base, place];
  const rest = inner.slice(outer.length);
  if (rest[0] === '..' || outer.some((segment, index) => segment !== inner[index])) return null;
  return outer === place ? '.' : rest.join('/');
}

function segments(path: string): string[] {
  return path === '.' ? [] : path.split('/');
}

export const stateFolderVariable = 'HOLDPOINT_STATE_FOLDER';

// Path globs of holds. Three wildcards: `*` (within a segment), `**` (any number of segments), `?` (one character). A
// pattern also holds everything below a match, so `src/auth` holds `src/auth/login.ts`. Matching time is proportional
// to pattern length times path length, whatever an agent writes: no backtracking.

const unsupported = /[[\]{}()!]/;

/**
 * A cleaned hold pattern. Input may not hold the whole workspace; only a human can.
 * @throws PathError
 */
export function cleanGlob(raw: string): string {
  const pattern = cleanPath(raw);
  if (unsupported.test(pattern)) throw new PathError('may use only * ** and ? as wildcards');
  if (pattern.split('/').some((segment) => segment.includes('**') && segment !== '**'))
    throw new PathError('may use ** only as a whole segment, as in src/**/test');
  if (holdsEverything(pattern))
    throw new PathError(
      'would hold the whole workspace: name folders or files. Only a human can hold everything, in Holdpoint’s form of the question or RFC ("Hold all files…")',
    );
  return pattern;
}

/** A pattern for one path. Characters that patterns may not have match any character, so it never holds less. */
export function escapeGlob(path: string): string {
  return path.replaceAll(new RegExp(unsupported, 'g'), '?');
}

function holdsEverything(pattern: string): boolean {
  return pattern === '.' || pattern.split('/').every((segment) => /^[*?]+$/.test(segment));
}

/**
 * Whether `pattern` matches `path` (cleaned, workspace-relative) or a folder above it.
 * @param ignoreCase true where the file system folds case: there `SRC/a` is `src/a`
 */
export function globHolds(pattern: string, path: string, ignoreCase = false): boolean {
  if (pattern === path) return true;
  const fold = folding(ignoreCase);
  return holds(fold(pattern), fold(path));
}

/**
 * Tests patterns against `path` and everything below it, because moving a folder moves that too; built once for a path
 * and thousands of patterns.
 * @param isFolder whether it is a folder, or may be one. If not, only what a pattern names before its first wildcard
 *   counts as below it. In a folder, any name can match a wildcard: `src/a` is a folder around `src/?/held.js`
 */
export function holding(path: string, ignoreCase: boolean, isFolder = false): (pattern: string) => boolean {
  return makeTest(path, ignoreCase, (pattern, given) => isAbove(pattern, given) || holds(pattern, given, isFolder));
}

/** Whether a pattern holds the path itself, not only something below it: as `globHolds`. */
export function holdingItself(path: string, ignoreCase: boolean): (pattern: string) => boolean {
  return makeTest(path, ignoreCase, (pattern, given) => holds(pattern, given));
}

type Test = (pattern: string, path: string) => boolean;

function makeTest(path: string, ignoreCase: boolean, test: Test): (pattern: string) => boolean {
  const fold = folding(ignoreCase);
  const given = fold(path);
  return (pattern) => test(fold(pattern), given);
}

/** The form in which patterns and paths are compared. */
export function folding(ignoreCase: boolean): (text: string) => string {
  return (text) => (ignoreCase ? text.normalize('NFC').toLowerCase() : text.normalize('NFC'));
}

function isAbove(pattern: string, path: string): boolean {
  return path === '.' || pattern.startsWith(`${path}/`);
}

/** @param orBelow also where only something below `path` can match */
function holds(pattern: string, path: string, orBelow = false): boolean {
  return beginsAlike(pattern, path) && segmentsHold(pattern.split('/'), path.split('/'), orBelow);
}

/** Fast rejection: the segments before the first wildcard must equal the path's. */
function beginsAlike(pattern: string, path: string): boolean {
  const wildcard = pattern.search(/[*?]/);
  const plain = wildcard < 0 ? pattern.length : pattern.lastIndexOf('/', wildcard);
  if (plain <= 0) return true;
  return path.startsWith(pattern.slice(0, plain)) && (path.length === plain || path[plain] === '/');
}

function segmentsHold(wanted: readonly string[], given: readonly string[], orBelow: boolean): boolean {
  // reached[i]: the first i pattern segments can end before the current path segment
  let reached = new Set([0]);
  for (const segment of given) {
    skipStars(wanted, reached);
    if (reached.has(wanted.length)) return true;
    const next = new Set<number>();
    for (const at of reached) {
      const want = wanted[at];
      if (want === undefined) continue;
      if (want === '**') next.add(at);
      else if (segmentMatches(want, segment)) next.add(at + 1);
    }
    reached = next;
  }
  skipStars(wanted, reached);
  // Further segments can match what is left of the pattern.
  return orBelow ? reached.size > 0 : reached.has(wanted.length);
}

function skipStars(wanted: readonly string[], reached: Set<number>): void {
  for (const at of reached) if (wanted[at] === '**') reached.add(at + 1);
}

function segmentMatches(pattern: string, text: string): boolean {
  let at = 0;
  let position = 0;
  let star = -1;
  let resume = 0;
  while (position < text.length) {
    const sign = pattern[at];
    if (sign === '*') {
      star = at++;
      resume = position;
    } else if (sign !== undefined && (sign === '?' || sign === text[position])) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++resume;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
