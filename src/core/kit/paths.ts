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

/** A path and its parent directories, the root (`.`) last. */
export function withParents(path: string): string[] {
  const found: string[] = [];
  for (let at = path; at !== '.' && at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) found.push(at);
  return [...found, '.'];
}

export const stateFolderVariable = 'HOLDPOINT_STATE_FOLDER';
