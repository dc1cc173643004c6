/** Asks git where a folder's hooks are, including relocated ones. */
import { execFile, execFileSync } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';
import path from 'node:path';

export interface GitPlaces {
  /** Real path of the worktree's root. */
  readonly top: string;
  /** The folder shared by all worktrees. */
  readonly common: string;
  /** The folder for hooks, according to git or the tool that manages its hooks. */
  readonly hooks: string;
  /** Hooks inside the worktree are probably committed, and run on other machines too. */
  readonly shared: boolean;
}

/** Git's answer about a folder; null without git, or outside a worktree. */
export interface AskedGit {
  readonly workspace: string;
  readonly places: GitPlaces | null;
}

interface Asked {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly git?: AskedGit | undefined;
}

/** Null without git, or outside a worktree. */
export function gitPlaces(place: Asked): GitPlaces | null {
  if (place.git?.workspace === place.workspace) return place.git.places;
  try {
    return placesIn(place, execFileSync('git', argumentsFor(place), { ...optionsFor(place), stdio: quietly }));
  } catch {
    return null;
  }
}

/** Asks once, for a place that many plans use. */
export function askGitNow(place: Asked): AskedGit {
  return { workspace: place.workspace, places: gitPlaces(place) };
}

/** Asks once, and in the background: each program that is started and waited for would block an editor. */
export async function askGit(place: Asked): Promise<AskedGit> {
  const { workspace } = place;
  return new Promise((resolve) => {
    execFile('git', argumentsFor(place), optionsFor(place), (error, out) => {
      resolve({ workspace, places: error ? null : placesIn(place, out) });
    });
  });
}

const quietly: StdioOptions = ['ignore', 'pipe', 'ignore'];

function argumentsFor({ workspace }: Asked): string[] {
  return ['-C', workspace, 'rev-parse', '--show-toplevel', '--git-common-dir', '--git-path', 'hooks'];
}

function optionsFor({ env }: Asked) {
  // Variables set by a surrounding git command refer to another repository.
  const clean = Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR)$/.test(name)),
  );
  return { encoding: 'utf8', env: clean, windowsHide: true } as const;
}

function placesIn({ workspace }: Asked, out: string): GitPlaces | null {
  const [top = '', common = '', hooks = ''] = out.split(/\r?\n/);
  if (top === '') return null;
  const absolute = (file: string) => path.resolve(workspace, file);
  const wanted = managed(absolute(hooks));
  const inside = path.relative(absolute(top), wanted);
  const own = path.relative(absolute(common), wanted);
  return {
    top: absolute(top),
    common: absolute(common),
    hooks: wanted,
    shared: !inside.startsWith('..') && !path.isAbsolute(inside) && (own.startsWith('..') || path.isAbsolute(own)),
  };
}

/** husky 9 points git to the generated folder `.husky/_`; users' hooks are in its parent. */
function managed(hooks: string): string {
  return path.basename(hooks) === '_' && path.basename(path.dirname(hooks)) === '.husky' ? path.dirname(hooks) : hooks;
}
