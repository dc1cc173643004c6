/**
 * Resolves which files a call reaches, in the gate's paths. Anything uncertain is reported as such, and any hold then
 * applies.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { realPathOf } from '../app/workspace/paths.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { cleanPath, PathError, requirePathText } from '../core/kit/paths.ts';
import type { HookCall, ToolUse } from '../hosts/call.ts';
import { errorCode } from '../store/journal/files.ts';

export interface Reach {
  /** Relative to the workspace's worktree. */
  readonly inside: readonly string[];
  /** Elsewhere, relative to the store's root: in another of its worktrees, or in none. */
  readonly elsewhere: readonly string[];
  /** As written; their location is unknown. */
  readonly unresolved: readonly string[];
}

/** URLs of remote resources. */
const remote = /^(?:https?|wss?|ssh|git|ftp|mailto|data):/i;
const scheme = /^[a-z][a-z0-9+.-]+:/i;

/** @param worktrees absolute roots of the worktrees the session may work in */
export function reachOf(
  workspace: Workspace,
  { cwd }: Pick<HookCall, 'cwd'>,
  tool: ToolUse,
  worktrees: readonly string[],
): Reach {
  const inside = new Set<string>();
  const elsewhere = new Set<string>();
  const unresolved = new Set<string>();
  const { isAbsolute, resolve, sep } = path;

  for (const file of tool.files) reached(file, ['.'], (why) => why !== 'remote');
  // Most words of a command are not paths; ignore those that cannot be one.
  for (const { path: file, bases } of tool.named) reached(file, bases, (why) => why === 'unknown');
  if (tool.wholeTree) for (const worktree of worktrees) place(worktree);
  return { inside: [...inside], elsewhere: [...elsewhere], unresolved: [...unresolved] };

  function reached(
    raw: string,
    bases: readonly string[],
    counts: (why: 'remote' | 'text' | 'unknown') => boolean,
  ): void {
    const fail = (why: 'remote' | 'text' | 'unknown') => {
      if (counts(why)) unresolved.add(raw.slice(0, 200));
    };
    if (remote.test(raw)) {
      fail('remote');
      return;
    }
    try {
      requirePathText(raw);
      const file = /^file:/i.test(raw) ? fileURLToPath(raw) : raw;
      if (scheme.test(file) && !/^[a-z]:/i.test(file)) {
        fail('text');
        return;
      }
      for (const from of startsOf(file, bases)) {
        if (from === null) fail('unknown');
        else place(from);
      }
    } catch (error) {
      const code = errorCode(error);
      if (!(error instanceof PathError) && code === undefined) throw error;
      fail(
        error instanceof PathError || code === 'ENAMETOOLONG' || code === 'ERR_INVALID_FILE_URL_PATH'
          ? 'text'
          : 'unknown',
      );
    }
  }

  /** Not `path.join`, which would resolve `link/..` to the folder that contains the link. */
  function startsOf(file: string, bases: readonly string[]): (string | null)[] {
    if (isAbsolute(file)) return [file];
    return bases.map((base) => {
      if (isAbsolute(base)) return `${base}${sep}${file}`;
      return cwd === null ? null : `${cwd}${sep}${base}${sep}${file}`;
    });
  }

  /** Records both the path as written and the real path: a hold on either applies. */
  function place(absolute: string): void {
    for (const name of new Set([resolve(absolute), realPathOf(workspace.options.fs, absolute)])) {
      const { root, worktree } = workspace.location;
      const here = path.relative(worktree, name);
      if (here === '') inside.add('.');
      else if (!climbs(here)) inside.add(cleanPath(here));
      else elsewhere.add(path.relative(root, name).split(sep).join('/') || '.');
    }
  }

  function climbs(relative: string): boolean {
    return relative === '..' || relative.startsWith(`..${sep}`) || isAbsolute(relative);
  }
}
