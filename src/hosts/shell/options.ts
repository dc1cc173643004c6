/** Matches a program's arguments against the options that are known to be harmless: everything else is not. */
import { computed, mayBeOption } from './word.ts';
import type { Word } from './word.ts';

export interface Options {
  /** Letters of options without a value. */
  readonly flags: string;
  /** Letters of options with a value. */
  readonly valued: string;
  /** Full names of long options. `name=` takes a value; the others may have one after `=`. */
  readonly long: ReadonlySet<string>;
  /** Most operands. */
  readonly operands: number;
  /** No option of the program changes anything, so that a computed argument cannot either. */
  readonly anyValue: boolean;
  /** Every one of these options must be given. */
  readonly required: readonly string[];
}

/** @param line `flags|valued|long names|operands=N any required=--name`, each part may be empty */
export function options(line: string): Options {
  const [flags = '', valued = '', long = '', more = ''] = line.split('|').map((part) => part.trim());
  return {
    flags: flags.replaceAll(' ', ''),
    valued: valued.replaceAll(' ', ''),
    long: new Set(long.split(' ').filter((name) => name !== '')),
    operands: Number(/operands=(\d+)/.exec(more)?.[1] ?? Infinity),
    anyValue: /\bany\b/.test(more),
    required: [...more.matchAll(/required=(\S+)/g)].map(([, name]) => name ?? ''),
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
  const texts = args.map(({ text }) => text);
  const isGiven = (names: string) => names.split(',').some((name) => texts.includes(name));
  return operands.length <= allowed.operands && allowed.required.every(isGiven) ? operands : null;
}

type Used = 'alone' | 'takes the next' | null;

function longOption(text: string, { long }: Options): Used {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text.slice(2) : text.slice(2, equals);
  if (long.has(`${name}=`)) return equals < 0 ? 'takes the next' : 'alone';
  return long.has(name) ? 'alone' : null;
}

function shortOptions(text: string, { flags, valued }: Options): Used {
  for (let at = 1; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === computed) return null;
    if (valued.includes(letter)) return at === text.length - 1 ? 'takes the next' : 'alone';
    if (!flags.includes(letter)) return null;
  }
  return 'alone';
}
