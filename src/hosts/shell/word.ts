/** Words of a command, the simple commands that a command line runs, and what they do to files. */

export interface Word {
  /** Parts that the shell computes are `computed`. */
  readonly text: string;
  /** Contains an unquoted wildcard, which the shell replaces with file names. */
  readonly glob: boolean;
  /**
   * The shell computes a part of it: one word if quoted; `split` may become several words, options among them. Of a
   * `number`, all that is computed is digits.
   */
  readonly unknown?: 'quoted' | 'split' | 'number' | undefined;
  /** As the script has it, if the shell computes a part of it. */
  readonly source?: string;
}

/** Stands for text that the shell computes. No argument of a program can contain it. */
export const computed = '\u0000';

/** A folder; null where it is unknown. */
export type Folders = readonly (string | null)[];

/** A simple command and its surroundings in a script. */
export interface Step {
  /** The first is the program. */
  readonly words: readonly Word[];
  /** Targets of output redirections. */
  readonly writes: readonly Word[];
  /** Files on standard input; a program may open them again to write. */
  readonly inputs: readonly Word[];
  /** Text on standard input: a here-document, or null where a pipe or a computed text feeds it. */
  readonly stdin?: string | null | undefined;
  readonly bases: Folders;
}

export interface NamedPath {
  /** As written, cut at the first wildcard: `src/*.js` is `src`, because it may match any file there. */
  readonly path: string;
  /** Folders it may be relative to, themselves relative to the command's start folder; several after a `cd`. */
  readonly bases: Folders;
  /** It need not be a path: where the folder is unknown, it matters only if it has the name of something held. */
  readonly perhaps?: boolean;
  /** The folder around the matches of a wildcard or of something computed. */
  readonly isCut?: boolean;
  /** The command removes or moves it, and so all that is in it. */
  readonly isRemoved?: boolean;
}

/** What a command does to files. */
export interface Effect {
  /** True only if certain. */
  readonly readOnly: boolean;
  /** Words that may be paths of files that change: all of them, if only the program knows which are. */
  readonly paths: readonly NamedPath[];
  /** Changes files throughout the worktree without naming them (`git reset`). */
  readonly wholeTree: boolean;
  /** Any file may be affected; says why it could not be read. Null: nothing. */
  readonly opaque: string | null;
  /** The text of that part as it was given; empty if there is no such part, or it is not known yet. */
  readonly part: string;
  /** Words that were not understood: they may mention files in any form. */
  readonly text: string;
  /** Programs whose own settings can make them run others, or change files. */
  readonly configured: readonly Configured[];
}

export interface Configured {
  readonly program: 'git' | 'curl';
  readonly folders: Folders;
}

export const harmless: Effect = {
  readOnly: true,
  paths: [],
  wholeTree: false,
  opaque: null,
  part: '',
  text: '',
  configured: [],
};
/** Changes no file by its arguments, but runs other programs or reaches others. */
export const acting: Effect = { ...harmless, readOnly: false };

export function opaque(why: string, part = ''): Effect {
  return { ...acting, opaque: why, part };
}

export function mergeEffects(effects: readonly Effect[]): Effect {
  const unread = effects.find((effect) => effect.opaque !== null);
  return {
    readOnly: effects.every(({ readOnly }) => readOnly),
    paths: effects.flatMap(({ paths }) => paths),
    wholeTree: effects.some(({ wholeTree }) => wholeTree),
    opaque: unread?.opaque ?? null,
    part: unread?.part ?? '',
    text: effects.map(({ text }) => text).join('\n'),
    configured: effects.flatMap(({ configured }) => configured),
  };
}

/** Starts with something that the shell replaces, so it may become an option. */
export function mayBeOption({ text, glob, unknown }: Word): boolean {
  return text.startsWith(computed) || unknown === 'split' || (glob && /^[*?[]/.test(text));
}

export function isKnown({ glob, unknown }: Word): boolean {
  return !glob && unknown === undefined;
}

/** For patterns over several words: blanks separate words, and are in none. */
export function lineOf(texts: readonly string[]): string {
  return texts.map((text) => text.replaceAll(/\s/g, '\u0001')).join(' ');
}

export interface Options {
  /** An option without a value, or together with it. */
  readonly whole: RegExp;
  /** An option whose value is the next word. */
  readonly valued: RegExp;
  /** Most operands. */
  readonly operands: number;
  /** No option of the program changes anything, so that a computed argument cannot either. */
  readonly anyValue: boolean;
}

/**
 * @param line `flags|valued|long names|operands=N any`, each part may be empty. A long `name=` takes a value; the others
 *   may have one after `=`. Abbreviated names are not on the list
 */
export function options(line: string): Options {
  const [flags = '', valued = '', long = '', more = ''] = line.split('|').map((part) => part.trim());
  const flag = `-[${flags.replaceAll(new RegExp(`[${valued}]`, 'g'), '')}]*`;
  const names = long.replaceAll('.', '\\.').split(' ');
  const others = names.filter((name) => !name.endsWith('=')).join('|');
  const valuedNames = names.flatMap((name) => (name.endsWith('=') ? name.slice(0, -1) : [])).join('|');
  return {
    whole: new RegExp(`^(?:${flag}(?:[${valued}].+)?|--(?!=)(?:(?:${others})(?:=.*)?|(?:${valuedNames})=.*))$`, 's'),
    valued: new RegExp(`^(?:${flag}[${valued}]|--(?:${valuedNames}))$`),
    operands: Number(/operands=(\d+)/.exec(more)?.[1] ?? Infinity),
    anyValue: /\bany\b/.test(more),
  };
}

/** The operands; null if an argument is not allowed. */
export function operandsOf(args: readonly Word[], allowed: Options): Word[] | null {
  const operands: Word[] = [];
  let onlyOperands = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    const { text } = word;
    if (!allowed.anyValue && !onlyOperands && mayBeOption(word)) return null;
    // It may become several words, of which the last ones may be written.
    if ((word.unknown === 'split' || word.glob) && allowed.operands !== Infinity) return null;
    if (onlyOperands || text === '-' || !text.startsWith('-')) {
      operands.push(word);
      continue;
    }
    if (text === '--') {
      onlyOperands = true;
      continue;
    }
    if (allowed.valued.test(text)) at++;
    else if (!allowed.whole.test(text)) return null;
  }
  return operands.length <= allowed.operands ? operands : null;
}

// Words of a command that may be names of files.

/** Words that are files for certain, or only perhaps. */
export type Role = 'files' | 'perhaps';

/** Only the program knows which of its words are files that it changes, so all are. */
export function namesEverything(words: readonly Word[], bases: Folders, role: Role = 'perhaps'): Effect {
  const isSure = role === 'files';
  // A computed part at the end of `--title=…` is not a path; one that is or ends a path is.
  const unknown = words.find((word) => isSure && word.unknown !== undefined && !/^(?:https?:|[^/]*\s)/.test(word.text));
  const paths = words.flatMap((word) => {
    const perhaps = !isSure && !/[./\\]/.test(word.text);
    // A wildcard in quotes, or a word that the shell computes: only the program knows which files of the folder it means.
    const found = namesOf(word).filter(({ path, isCut }) => isSure || word.glob || !isCut || path !== '.');
    return found.map(({ path, isCut }): NamedPath => ({
      ...{ path, bases },
      ...(perhaps ? { perhaps } : {}),
      ...(isCut ? { isCut } : {}),
    }));
  });
  return mergeEffects([
    { ...acting, paths, text: words.map((word) => word.text).join(' ') },
    unknown ? opaque('the shell computes the name of a file that it changes', unknown.source) : acting,
  ]);
}

/**
 * What is removed or moved takes along all that is in it.
 * @param matched what wildcards match: a shell's leave out hidden files
 */
export function removalEffect(effect: Effect, matched: 'visible' | 'hidden' = 'visible'): Effect {
  const isKept = ({ isCut }: NamedPath) => isCut === true && matched === 'visible';
  return { ...effect, paths: effect.paths.map((one) => (isKept(one) ? one : { ...one, isRemoved: true })) };
}

/** With these options, `*` means the folder of the store too. In a terminal that stays open, they last. */
export function withHidden(script: string, effect: Effect, bases: Folders, lasts: boolean): Effect {
  if (!/dotglob|globdots|GLOBIGNORE|\*\(\w*D/i.test(script.replaceAll(/['"\\_]/g, ''))) return effect;
  const store = effect.opaque !== null || lasts ? [{ path: '.holdpoint', bases }] : [];
  return removalEffect({ ...effect, paths: [...effect.paths, ...store] }, 'hidden');
}

interface CutName {
  readonly path: string;
  /** It ended in a wildcard, or in something computed: this is a folder around what it names. */
  readonly isCut: boolean;
}

/**
 * `--out=src/a.js`, `-osrc/a.js`, `@src/a.js` and `src/a.js:/mnt` name a file too. Programs match quoted wildcards
 * themselves. In a text of several words, held names are looked for as they are (hook/heldNames.ts).
 */
function namesOf({ text }: Word): CutName[] {
  const marked = [text, ...[...text.matchAll(/[=:,@]/g)].map(({ index }) => text.slice(index + 1))];
  const attached = /^-[A-Za-z](.+)$/.exec(text)?.[1] ?? '';
  const isText = /\s/.test(text);
  const parts = isText ? [text] : [...marked, attached].flatMap((name) => [name, name.replace(/[,:].*$/s, '')]);
  const found = [...parts.map(beforeWildcard), ...parts.flatMap(storesIn)];
  const named = found.filter(({ path }) => path !== '' && !/^-+$/.test(path));
  return [...new Map(named.map((one) => [`${String(one.isCut)} ${one.path}`, one])).values()];
}

/** `rm -rf .h*` means the folder of the store too, which no other wildcard matches. */
function storesIn(name: string): CutName[] {
  const parts = name.split('/');
  const at = parts.findIndex((part) => /^\.[^/]*[*?[]/.test(part));
  const pattern = parts[at]
    ?.replaceAll(/[.+^$()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll(/\?|\[[^\]]*\]?/g, '.');
  if (pattern === undefined || !new RegExp(`^${pattern}$`, 'i').test('.holdpoint')) return [];
  return [{ path: [...parts.slice(0, at), '.holdpoint'].join('/'), isCut: false }];
}

const wildcards = new RegExp(`[*?[{(${computed}]`);

/** `src/*.js` is `src`, because it may match any file there. */
export function beforeWildcard(name: string): CutName {
  const wildcard = name.search(wildcards);
  if (wildcard < 0) return { path: name, isCut: false };
  const end = Math.max(name.lastIndexOf('/', wildcard), name.lastIndexOf('\\', wildcard));
  return { path: end < 0 ? '.' : end === 0 ? '/' : name.slice(0, end), isCut: true };
}

// Variables and builtins of a script: which values matter, and which change what commands do.

/** Plain names for values. All others may change what programs do, or what the shell itself does. */
export const plainVariable =
  /^(?:[a-zA-Z]|f\d|files?|dirs?|folder|names?|line|out|output|result|res|count|num|idx|item|msg|branch|url|host|port|version|base|target|src|dst|tmp|pkg|key|val|value|data|text|ids?|pids?|log|sha|ref|ext|words?|root|total|sum|ok|rc|ret|code|start|end|PORT|NODE_ENV|CI|DEBUG|FORCE_COLOR|NO_COLOR|LOG_LEVEL|TZ|LANG|LC_ALL|COLUMNS|RUST_BACKTRACE|RUST_LOG|VERBOSE|VERSION|NAME|COUNT|RESULT|OUT|FILES?|DIR|BRANCH|SHA|TAG|URL|DATE)$/;
/** They decide which folder, which words or which other programs a command has. */
export const steeringVariable =
  /^(?:CDPATH|cdpath|HOME|PWD|OLDPWD|IFS|BASH_ENV|ENV|ZDOTDIR|GIT_(?!(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$|TERMINAL_PROMPT$|OPTIONAL_LOCKS$)\w*|PROMPT_COMMAND|HISTFILE|HISTFILESIZE|PS\d|SHELLOPTS|BASHOPTS|GLOBIGNORE|EXECIGNORE|precmd|preexec|chpwd|PERL5OPT|PERL5DB|RUBYOPT)$/;

/** They set variables, to their arguments or to what they read. */
export const setsVariables =
  /^(?:export|declare|typeset|local|readonly|unset|read|let|mapfile|readarray|getopts|integer|float)$/;
/** They change how the shell reads what follows. */
export const setsOptions = /^(?:set|shopt|setopt|unsetopt|emulate|zmodload)$/;

/** Commands that a name in quotes would hide. */
export function isBuiltin(program: string): boolean {
  return (
    setsVariables.test(program) ||
    setsOptions.test(program) ||
    /^(?:printf|eval|trap|cd|pushd|popd|select|coproc|enable|vared|source|\.)$/.test(program)
  );
}
