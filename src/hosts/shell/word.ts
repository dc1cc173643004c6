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
  /** Its environment may make known programs do other things. */
  readonly tampered: boolean;
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
  /** If it does not exist, the command may make a folder of it, with files in it. */
  readonly isFilled?: boolean;
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
  /** Letters of options without a value. */
  readonly flags: string;
  readonly valued: string;
  /** Full names of long options. `name=` takes a value; the others may have one after `=`. */
  readonly long: ReadonlySet<string>;
  /** Most operands. */
  readonly operands: number;
  /** No option of the program changes anything, so that a computed argument cannot either. */
  readonly anyValue: boolean;
}

/** @param line `flags|valued|long names|operands=N any`, each part may be empty */
export function options(line: string): Options {
  const [flags = '', valued = '', long = '', more = ''] = line.split('|').map((part) => part.trim());
  return {
    flags: flags.replaceAll(' ', ''),
    valued: valued.replaceAll(' ', ''),
    long: new Set(long.split(' ').filter((name) => name !== '')),
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
    const used = text.startsWith('--') ? longOption(text, allowed) : shortOptions(text, allowed);
    if (used === null) return null;
    if (used === 'takes the next') at++;
  }
  return operands.length <= allowed.operands ? operands : null;
}

type Used = 'alone' | 'takes the next' | null;

function longOption(text: string, { long }: Options): Used {
  const [name = '', value] = text.slice(2).split('=');
  if (long.has(`${name}=`)) return value === undefined ? 'takes the next' : 'alone';
  return long.has(name) ? 'alone' : null;
}

function shortOptions(text: string, { flags, valued }: Options): Used {
  for (let at = 1; at < text.length; at++) {
    const letter = text.charAt(at);
    if (valued.includes(letter)) return at === text.length - 1 ? 'takes the next' : 'alone';
    if (!flags.includes(letter)) return null;
  }
  return 'alone';
}
