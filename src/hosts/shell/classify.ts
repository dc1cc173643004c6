/**
 * Classifies a terminal command: whether it only reads, only calls Holdpoint, or changes something, and which files it
 * names.
 */
import { asks } from './ownVerbs.ts';
import { gitParts, onlyReads } from './programs.ts';
import { readCommands } from './words.ts';
import type { ShellStyle, SimpleCommand, Word } from './words.ts';

export interface NamedPath {
  /** As written, cut at the first wildcard: `src/*.js` is `src`, because it may match any file there. */
  readonly path: string;
  /** Folders it may be relative to, themselves relative to the command's start folder; several after a `cd`. */
  readonly bases: readonly string[];
}

export interface Classified {
  /** True only if certain. */
  readonly readOnly: boolean;
  /** Words that may be paths: all of them, because only the program knows which are. */
  readonly paths: readonly NamedPath[];
  /** Changes files throughout the worktree without naming them (`git reset`). */
  readonly wholeTree: boolean;
  /** Could not be parsed: any file may be affected. */
  readonly opaque: boolean;
}

const unread: Classified = { readOnly: false, paths: [], wholeTree: false, opaque: true };

export function classify(command: string, style: ShellStyle): Classified {
  const commands = readCommands(command, style);
  if (commands === null) return unread;
  const paths: NamedPath[] = [];
  let bases: readonly string[] = ['.'];
  let readOnly = true;
  let wholeTree = false;
  for (const simple of commands) {
    const moved = movedTo(simple);
    if (moved === null) return unread;
    if (moved !== undefined) bases = withFolder(bases, moved);
    const inside = simple.words.reduce(
      (all, word, index) => (isFolderFlag(word.text) ? withFolder(all, simple.words[index + 1]?.text ?? '.') : all),
      bases,
    );
    paths.push(...namedIn(simple, inside));
    wholeTree ||= reachesWholeTree(simple);
    readOnly &&= simple.writes.length === 0 && (reads(simple, style) || asksHoldpoint(simple));
  }
  return { readOnly, paths, wholeTree, opaque: false };
}

function programOf({ words }: SimpleCommand): string {
  const [first] = words;
  if (first === undefined || first.glob) return '';
  return first.text.replace(/^\/(?:usr\/)?bin\//, '');
}

function reads(simple: SimpleCommand, style: ShellStyle): boolean {
  return onlyReads(programOf(simple), simple.words.slice(1), style);
}

function asksHoldpoint(simple: SimpleCommand): boolean {
  if (programOf(simple) !== 'holdpoint') return false;
  const args = simple.words.slice(1);
  const verb = args.find(({ text }, index) => !text.startsWith('-') && args[index - 1]?.text !== '--workspace');
  if (verb === undefined) return args.every(({ text }) => text === '--help' || text === '--version');
  return !verb.glob && asks(verb.text, args);
}

/** Target of a `cd`; undefined for another command, null when the target is unknown. */
function movedTo(simple: SimpleCommand): string | null | undefined {
  const program = programOf(simple);
  if (program === 'popd') return null;
  if (program !== 'cd' && program !== 'pushd' && program.toLowerCase() !== 'set-location') return undefined;
  const [folder, ...more] = simple.words.slice(1);
  if (folder === undefined || more.length > 0 || folder.glob || folder.text.startsWith('-')) return null;
  return folder.text;
}

function isFolderFlag(text: string): boolean {
  return text === '-C' || text === '--directory' || text === '--prefix' || text === '--cwd';
}

const mostBases = 32;

/** The `cd` may fail, so both folders remain possible. */
function withFolder(bases: readonly string[], folder: string): readonly string[] {
  const absolute = /^(?:[\\/]|[A-Za-z]:)/.test(folder);
  const added = absolute ? [folder] : bases.map((base) => (base === '.' ? folder : `${base}/${folder}`));
  return [...new Set([...bases, ...added])].slice(0, mostBases);
}

/** Programs whose arguments are mostly names of scripts and targets. */
const runners = new Set('npm pnpm yarn bun make cargo go dotnet gradle mvn just rake'.split(' '));

function namedIn(simple: SimpleCommand, bases: readonly string[]): NamedPath[] {
  const program = programOf(simple);
  const args = runners.has(program)
    ? simple.words.slice(1).filter(({ text }) => /[./\\]/.test(text))
    : simple.words.slice(1);
  return [...args, ...simple.writes].flatMap((word) => namesOf(word).map((path) => ({ path, bases })));
}

/** `--out=src/a.js` and `-osrc/a.js` name a file too. */
function namesOf({ text, glob }: Word): string[] {
  const names = [text];
  const assigned = text.indexOf('=');
  if (assigned >= 0) names.push(text.slice(assigned + 1));
  const attached = /^-[A-Za-z](.+)$/.exec(text)?.[1];
  if (attached !== undefined && !text.startsWith('--')) names.push(attached);
  return names.map((name) => (glob ? beforeWildcard(name) : name)).filter((name) => name !== '' && !/^-+$/.test(name));
}

function beforeWildcard(name: string): string {
  const wildcard = name.search(/[*?[]/);
  if (wildcard < 0) return name;
  const end = Math.max(name.lastIndexOf('/', wildcard), name.lastIndexOf('\\', wildcard));
  if (end < 0) return '.';
  return end === 0 ? '/' : name.slice(0, end);
}

/** Git subcommands that do not touch files of the worktree. */
const gitLeavesFiles = new Set(
  'add commit push fetch tag branch remote config gc notes init clone archive bundle format-patch status log diff show'.split(
    ' ',
  ),
);

function reachesWholeTree(simple: SimpleCommand): boolean {
  if (programOf(simple) !== 'git' || reads(simple, 'posix')) return false;
  const { subcommand } = gitParts(simple.words.slice(1));
  return subcommand === null || !gitLeavesFiles.has(subcommand);
}
