/**
 * Parses a command line of PowerShell or cmd into words where that is certain. Covers a small part of their syntax;
 * everything else (substitution, expansion, groups, background jobs, reserved words) gives `null`, for which the caller
 * must assume the worst.
 */
import type { SimpleCommand, Word } from './word.ts';

export interface WindowsCommand extends SimpleCommand {
  /** Gets the output of another command: text or, in PowerShell, files. */
  readonly isFed: boolean;
}

/** Separators between simple commands. */
const separators = /^(?:&&|\|\||;|\||\r?\n)/;
/** Closes, duplicates or discards a stream without touching a file. With further characters it would name a file. */
const copied = /^(?:\d?[<>]&(?:\d|-)|[\d*]?>[ \t]*\$null)(?=[ \t\r\n;|&<>]|$)/i;
const redirection = /^(?:\d?(?:>>|>\||>|<)|&>>?)/;
/** Characters that start unsupported syntax. For PowerShell, typographic quotes, dashes and blanks are plain ones. */
const special = /^(?:[`$(){}#&'^%@,\u0085\u2013-\u2015\u2018-\u201f]|(?![ \t\r\n])\s)/;
/** cmd does not quote with single quotes, and some characters stay special within double quotes. */
const withinQuotes = /[`$&|<>^%;\r\n\u201c-\u201f]/;
const reserved = new Set(
  'if then else elif fi for while until do done case esac function select time coproc in ! [[ { } eval exec source .'.split(
    ' ',
  ),
);

/** @returns null if it cannot be parsed with certainty */
export function readCommands(line: string): WindowsCommand[] | null {
  const commands: WindowsCommand[] = [];
  let words: Word[] = [];
  let writes: Word[] = [];
  let rest = line;
  let target: 'write' | 'read' | null = null;
  /** `&&`, `||` and `|` require another command. */
  let expected = false;
  let isFed = false;

  const end = (): boolean => {
    if (target !== null) return false;
    if (words.length === 0) return writes.length === 0;
    if (reserved.has(words[0]?.text.toLowerCase() ?? '') || words[0]?.text.startsWith('=')) return false;
    commands.push({ words, writes, isFed });
    words = [];
    writes = [];
    return true;
  };

  while (rest !== '') {
    const blank = /^[ \t]+/.exec(rest)?.[0];
    if (blank !== undefined) {
      rest = rest.slice(blank.length);
      continue;
    }
    const separator = separators.exec(rest)?.[0];
    if (separator !== undefined) {
      if (words.length === 0 && expected && separator.trim() !== '') return null;
      if (!end()) return null;
      isFed = separator === '|' || (isFed && expected);
      expected = separator === '&&' || separator === '||' || separator === '|' || (expected && words.length === 0);
      rest = rest.slice(separator.length);
      continue;
    }
    const copy = copied.exec(rest)?.[0];
    if (copy !== undefined) {
      rest = rest.slice(copy.length);
      continue;
    }
    const redirect = redirection.exec(rest)?.[0];
    if (redirect !== undefined) {
      const next = rest[redirect.length];
      if (target !== null || next === '<' || next === '>' || next === '&' || next === '(') return null;
      target = redirect.endsWith('<') ? 'read' : 'write';
      rest = rest.slice(redirect.length);
      continue;
    }
    const word = readWord(rest);
    if (word === null) return null;
    rest = rest.slice(word.length);
    if (target === 'write') {
      if (word.word.text !== '/dev/null') writes.push(word.word);
    } else if (target === null) words.push(word.word);
    target = null;
    expected = false;
  }
  return end() && !expected && commands.length > 0 ? commands : null;
}

function readWord(text: string): { readonly word: Word; readonly length: number } | null {
  let at = 0;
  let read = '';
  let glob = false;
  let quoted = false;
  for (;;) {
    const sign = text[at];
    if (sign === undefined || /[ \t\r\n;|<>]/.test(sign)) break;
    if (sign === '"') {
      const piece = readQuoted(text.slice(at));
      if (piece === null) return null;
      read += piece.text;
      at += piece.length;
      quoted = true;
      continue;
    }
    if (special.test(sign)) return null;
    if (/[\u0000-\u001f\u007f]/.test(sign)) return null;
    if (sign === '~' && read === '' && !quoted) return null;
    if (sign === '*' || sign === '?' || sign === '[') glob = true;
    read += sign;
    at++;
  }
  return read === '' && !quoted ? null : { word: { text: read, glob }, length: at };
}

function readQuoted(text: string): { readonly text: string; readonly length: number } | null {
  const end = text.indexOf('"', 1);
  const read = text.slice(1, end);
  return end < 0 || withinQuotes.test(read) ? null : { text: read, length: end + 1 };
}
