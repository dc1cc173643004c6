/** The root of the files of a git repository, which settings of the repository can move elsewhere. */
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../app/workspace/errors.ts';
import type { AskGit } from './gitNames.ts';

/**
 * The root that git takes for the folder's repository. Refuses one that is not that of the folder's files: names of files
 * in commits would lead to other files.
 * @throws AppError `bad_input`
 */
export function topOf(git: AskGit, folder: string): string {
  const top = git(['rev-parse', '--show-toplevel']).replace(/\r?\n$/, '');
  const [root, place] = [realPath(top), realPath(folder)];
  const expected = repositoryAround(place);
  const isRoot = expected === null ? contains(root, place) : path.relative(expected, root) === '';
  if (isRoot) return top;
  throw new AppError(
    'bad_input',
    `git takes ${top} for the root of the repository of ${folder}. Remove core.worktree from its settings, and GIT_WORK_TREE from the environment`,
  );
}

/** The innermost folder around this one that git takes for a worktree without other settings. */
function repositoryAround(folder: string): string | null {
  for (let at = folder; ; at = path.dirname(at)) {
    if (fs.lstatSync(path.join(at, '.git'), { throwIfNoEntry: false }) !== undefined) return at;
    if (path.dirname(at) === at) return null;
  }
}

function contains(folder: string, other: string): boolean {
  const inside = path.relative(folder, other);
  return inside.split(path.sep)[0] !== '..' && !path.isAbsolute(inside);
}

function realPath(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch (cause) {
    throw new AppError('bad_input', `${folder} cannot be looked up`, { cause });
  }
}
