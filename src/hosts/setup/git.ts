/** Where git runs hooks, what is written there, and what it must not commit. */
import { execFile, execFileSync, type StdioOptions } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { posixQuoted } from './launcher.ts';
import { blockPart, linePart, type Part } from './parts.ts';
import { SetupError, type AskedGit, type GitPlaces, type Place } from './place.ts';

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

/** The other worktrees of the repository, by absolute paths; none where git cannot say. */
export function otherWorktrees(place: Asked): string[] {
  const places = gitPlaces(place);
  // Only a repository with several has this folder.
  if (!places || !fs.existsSync(path.join(places.common, 'worktrees'))) return [];
  try {
    const args = ['-C', place.workspace, 'worktree', 'list', '--porcelain', '-z'];
    const out = execFileSync('git', args, { ...optionsFor(place), stdio: quietly });
    return [...out.matchAll(/(?:^|\0)worktree ([^\0]+)/g)]
      .map(([, folder = '']) => path.resolve(folder))
      .filter((folder) => folder !== places.top && fs.existsSync(path.join(folder, '.git')));
  } catch {
    return [];
  }
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
  const wanted = managedFolder(absolute(hooks));
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
function managedFolder(hooks: string): string {
  return path.basename(hooks) === '_' && path.basename(path.dirname(hooks)) === '.husky' ? path.dirname(hooks) : hooks;
}

interface GitHook {
  readonly name: string;
  readonly asked: string;
  /** Only while this file of the repository exists. */
  readonly during?: string;
}

const needed: readonly GitHook[] = [
  { name: 'pre-commit', asked: '--staged' },
  { name: 'commit-msg', asked: '--message-file "$1"' },
];

/**
 * Git runs neither of the others for merges, `am`, `cherry-pick` and `rebase`. It runs `prepare-commit-msg` for each
 * commit that is picked, but also for commits that skip their hooks on purpose.
 */
const further: readonly GitHook[] = [
  { name: 'pre-merge-commit', asked: '--staged' },
  { name: 'pre-applypatch', asked: '--staged' },
  { name: 'prepare-commit-msg', asked: '--staged', during: 'CHERRY_PICK_HEAD' },
];

/** Hooks that ask the gate before a commit, about staged files and about ids in the message. */
export function gitParts(place: Place): Part[] {
  const places = gitPlaces(place);
  if (!places) throw new SetupError(`${place.workspace} is not in a git repository, or git is not installed.`);
  const { hooks, shared } = places;
  return [...needed, ...further.filter(({ name }) => canBeAddedTo(place, places, name))].map((hook) => ({
    ...hookPart(place, places, hook),
    root: realOf(shared ? places.top : hooks),
  }));
}

/** A hook of the user in another language stays as it is. */
function canBeAddedTo(place: Place, places: GitPlaces, name: string): boolean {
  const file = path.join(places.hooks, name);
  try {
    return !fs.existsSync(file) || obstacle(place, places, { file, text: fs.readFileSync(file, 'utf8') }) === null;
  } catch {
    return false;
  }
}

/** Why a check cannot be added to an existing hook. */
function obstacle(
  place: Place,
  { shared }: GitPlaces,
  { file, text }: { readonly file: string; readonly text: string },
): 'language' | 'mode' | null {
  const first = firstLine(text);
  if (first !== '' && !/^#!.*\b(sh|bash|dash|ash|ksh|zsh)\b/.test(first)) return 'language';
  return place.platform !== 'win32' && !shared && (fs.statSync(file).mode & 0o111) === 0 ? 'mode' : null;
}

function firstLine(text: string): string {
  return /^#!.*(?:\r?\n|$)/.exec(text)?.[0] ?? '';
}

function hookPart(place: Place, places: GitPlaces, { name, asked, during }: GitHook): Part {
  const { hooks, shared } = places;
  const file = path.join(hooks, name);
  const frame = { host: 'git', file, root: hooks, kind: 'hook', mode: 0o755 } as const;
  const launcher = place.platform === 'win32' ? place.launcher.replaceAll('\\', '/') : place.launcher;
  const isThere = '[ -x "$holdpoint_gate" ]; then';
  return blockPart(frame, {
    head: '#!/bin/sh\n',
    lines: [
      `holdpoint_gate=${posixQuoted(launcher)}`,
      ...(during === undefined
        ? [`if ${isThere}`]
        : [`if ! [ -e "$(git rev-parse --git-path ${during})" ]; then`, '  :', `elif ${isThere}`]),
      `  "$holdpoint_gate" --workspace "$(git rev-parse --show-toplevel)" gate ${asked} || exit 1`,
      'else',
      ...(shared
        ? [`  echo "Holdpoint is not on this machine: this commit was not checked." >&2`]
        : [
            `  echo "Holdpoint is not where it was, so this commit cannot be checked. Open the folder in VS Code once: that puts it back." >&2`,
            '  exit 1',
          ]),
      'fi',
    ],
    place(text) {
      const found = obstacle(place, places, { file, text });
      if (found === 'language')
        throw new SetupError(
          `${file} is not a shell script (${firstLine(text).trim()}). Add this check to it: holdpoint gate ${asked.replace('"$1"', 'FILE')}, and stop when it fails; nothing was written.`,
        );
      if (found === 'mode')
        throw new SetupError(
          `${file} is not executable, so git does not run it. Make it executable or move it away, then set up again; nothing was written.`,
        );
      return firstLine(text).length;
    },
  });
}

/**
 * Files that contain paths of this machine must not be committed: they are excluded through the repository's local
 * `info/exclude`, which is never committed.
 */
export function excludePart(place: Place, host: Part['host'], file: string): Part[] {
  const places = gitPlaces(place);
  if (!places) return [];
  const from = path.relative(places.top, realOf(file)).split(path.sep).join('/');
  if (from.startsWith('../')) return [];
  const { common } = places;
  const frame = { host, file: path.join(common, 'info', 'exclude'), root: realOf(common), kind: 'other' } as const;
  return [linePart(frame, `/${from.replace(/[ *?[\\#!]/g, '\\$&')}`)];
}

/** The real path of the existing part, then the rest. */
export function realOf(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realOf(parent), path.basename(file));
  }
}
