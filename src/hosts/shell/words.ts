/**
 * Parses a command line into words where that is certain. Covers a small part of shell syntax; everything else
 * (substitution, expansion, here-documents, groups, background jobs, reserved words) gives `null`, for which the caller
 * must assume the worst.
 */

/** `posix`: sh, bash, zsh. `windows`: PowerShell or cmd, whose quoting and escapes differ, so even less is parsed. */
export type ShellStyle = 'posix' | 'windows';

export interface Word {
  readonly text: string;
  /** Contains an unquoted wildcard, which the shell replaces with file names. */
  readonly glob: boolean;
}

export interface SimpleCommand {
  readonly words: readonly Word[];
  /** Targets of output redirections. */
  readonly writes: readonly Word[];
}

/** Separators between simple commands. */
const separators = /^(?:&&|\|\||;|\||\r?\n)/;
/** Closes or duplicates a file descriptor without touching a file. With further characters it would name a file. */
const copied = /^\d?[<>]&(?:\d|-)(?=[ \t\r\n;|&<>]|$)/;
const redirection = /^(?:\d?(?:>>|>\||>|<)|&>>?)/;
/** Characters that start unsupported syntax. */
const special = { posix: /^[`$(){}#&]/, windows: /^[`$(){}#&'^%@,]/ } as const;
/** cmd does not quote with single quotes, and some characters stay special within double quotes. */
const withinQuotes = { posix: /[`]|\$[\w({@*#?!$-]/, windows: /[`$&|<>^%;\r\n]/ } as const;
const reserved = new Set(
  'if then else elif fi for while until do done case esac function select time coproc in ! [[ { } eval exec source .'.split(
    ' ',
  ),
);

/** @returns null if it cannot be parsed with certainty */
export function readCommands(line: string, style: ShellStyle): SimpleCommand[] | null {
  const commands: SimpleCommand[] = [];
  let words: Word[] = [];
  let writes: Word[] = [];
  let rest = line;
  let target: 'write' | 'read' | null = null;
  /** `&&`, `||` and `|` require another command. */
  let expected = false;

  const end = (): boolean => {
    if (target !== null) return false;
    if (words.length === 0) return writes.length === 0;
    if (reserved.has(words[0]?.text ?? '') || words[0]?.text.startsWith('=')) return false;
    commands.push({ words, writes });
    words = [];
    writes = [];
    return true;
  };

  while (rest !== '') {
    const blank = /^(?:[ \t]+|\\\r?\n)/.exec(rest)?.[0];
    if (blank !== undefined && (style === 'posix' || !blank.startsWith('\\'))) {
      rest = rest.slice(blank.length);
      continue;
    }
    const separator = separators.exec(rest)?.[0];
    if (separator !== undefined) {
      if (words.length === 0 && expected && separator.trim() !== '') return null;
      if (!end()) return null;
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
    const word = readWord(rest, style);
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

function readWord(text: string, style: ShellStyle): { readonly word: Word; readonly length: number } | null {
  let at = 0;
  let read = '';
  let glob = false;
  let quoted = false;
  for (;;) {
    const sign = text[at];
    if (sign === undefined || /[ \t\r\n;|<>]/.test(sign)) break;
    if (sign === '"' || (sign === "'" && style === 'posix')) {
      const piece = readQuoted(text.slice(at), sign, style);
      if (piece === null) return null;
      read += piece.text;
      at += piece.length;
      quoted = true;
      continue;
    }
    if (sign === '\\' && style === 'posix') {
      const next = text[at + 1];
      if (next === undefined || next === '\n' || next === '\r') return null;
      read += next;
      at += 2;
      quoted = true;
      continue;
    }
    if (special[style].test(sign)) return null;
    if (/[\u0000-\u001f\u007f]/.test(sign)) return null;
    if (sign === '~' && read === '' && !quoted) return null;
    if (sign === '*' || sign === '?' || sign === '[') glob = true;
    read += sign;
    at++;
  }
  return read === '' && !quoted ? null : { word: { text: read, glob }, length: at };
}

function readQuoted(
  text: string,
  quote: string,
  style: ShellStyle,
): { readonly text: string; readonly length: number } | null {
  let read = '';
  for (let at = 1; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (sign === quote) return { text: read, length: at + 1 };
    if (quote === '"') {
      if (
        withinQuotes[style].test(text.slice(at, at + 2)) &&
        withinQuotes[style].exec(text.slice(at, at + 2))?.index === 0
      )
        return null;
      if (sign === '\\' && style === 'posix' && /["\\]/.test(text[at + 1] ?? '')) {
        read += text[++at] ?? '';
        continue;
      }
      if (sign === '\\' && style === 'posix' && /[$`\n\r]/.test(text[at + 1] ?? '')) return null;
    }
    read += sign;
  }
  return null;
}
