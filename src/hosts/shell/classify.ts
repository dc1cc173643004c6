/**
 * Classifies a terminal command: whether it only reads, only calls Holdpoint, or changes something, and which files it
 * names.
 */
import {
  withHidden,
  namesEverything,
  opaque,
  mergeEffects,
  type Effect,
  acting,
  harmless,
  type Folders,
  type Step,
  type Word,
} from './word.ts';
import { scriptEffect } from './script.ts';
import { effectOf, plainName } from './effects.ts';
import { gitEffect, gitParts } from './git.ts';
import { isInterpreter } from './interpreters.ts';
import { asksHoldpoint, onlyReadsOnWindows } from './reading.ts';

// What a command line of PowerShell or cmd does to files, by the same tables as in other shells.

/** Fed: it gets the output of another command, which is text or, in PowerShell, files. */
type Command = Pick<Step, 'words'> & { readonly isRedirected: boolean; readonly isFed: boolean };

/**
 * The parts of a command line of PowerShell or cmd, where that is certain: blanks, separators, closed, duplicated or
 * discarded streams, redirections, and words without special signs. cmd does not quote with single quotes, and some signs
 * stay special within double quotes; for PowerShell, typographic quotes, dashes and blanks are plain ones.
 */
const part =
  /([ \t]+)|(&&|\|\||;|\||\r?\n)|((?:\d?[<>]&(?:\d|-)|[\d*]?>[ \t]*(?:\$null|\/dev\/null))(?=[ \t\r\n;|&<>]|$))|((?:\d?(?:>>|>\||>|<)|&>>?)(?![<>&(]))|(?!~)((?:"[^"`$&|<>^%;\r\n\u201c-\u201f]*"|[^\s"\u0000-\u001f\u007f;|<>`$(){}#&'^%@,\u0085\u2013-\u2015\u2018-\u201f])+)/iy;
const reserved =
  /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|function|select|time|coproc|in|!|\[\[|\{|\}|eval|exec|source|\.|=.*)$/i;

/** Null if it cannot be parsed with certainty: then the caller must assume the worst. */
function readCommands(line: string): Command[] | null {
  const commands: Command[] = [];
  let words: Word[] = [];
  let isRedirected = false;
  /** `&&`, `||` and `|` require another command. */
  let expected = false;
  let isFed = false;
  const end = (): boolean => {
    if (reserved.test(words[0]?.text ?? '')) return false;
    if (words.length === 0) return !isRedirected;
    commands.push({ words, isRedirected, isFed });
    [words, isRedirected] = [[], false];
    return true;
  };
  for (let at = 0; at < line.length; at = part.lastIndex) {
    part.lastIndex = at;
    const found = part.exec(line);
    if (!found) return null;
    const [, , separator, , redirect, word] = found;
    if (separator !== undefined) {
      const isEmpty = words.length === 0;
      if ((isEmpty && expected && separator.trim() !== '') || !end()) return null;
      isFed = separator === '|' || (isFed && expected);
      expected = /^[&|]/.test(separator) || (expected && isEmpty);
    } else if (redirect !== undefined) isRedirected = true;
    else if (word !== undefined) {
      words.push({ text: word.replaceAll('"', ''), glob: /[*?[]/.test(word.replaceAll(/"[^"]*"/g, '')) });
      expected = false;
    }
  }
  return end() && !expected && commands.length > 0 ? commands : null;
}

/** They change the folder for what follows, as do `cd..`, `cd/d` and the name of a drive. */
const moving = /^(?:(?:cd|chdir|pushd|popd|set-location|sl|push-location|pop-location)(?![\w-])|[a-z]:$)/i;
/** Commands of cmd itself: their names end at a sign, as in `del/q` and `del.\\a.js`. */
const builtIn =
  /^(?:assoc|call|cd|chdir|copy|del|dir|echo|erase|md|mkdir|mklink|move|popd|pushd|rd|ren|rename|rmdir|start|type)(?=[^\w-])/i;
const evaluating =
  /^(?:iex|invoke-expression|icm|invoke-command|start-job|sajb|start-threadjob|forfiles|wmic|schtasks|mshta|rundll32|invoke-history|ihy)$/;
function windowsEffect(command: string, bases: Folders, runPosix: (script: string) => Effect): Effect {
  const commands = readCommands(command);
  if (commands === null) return { ...opaque('syntax'), text: command };
  const readings = commands.map((one) => reading(one, bases));
  const isRead = !readings.includes(null);
  if (!isRead && commands.some((one) => moving.test(programOf(one))))
    return { ...opaque('a change of folder'), text: command };
  return mergeEffects([
    ...commands.map((one, at) => readings[at] ?? changes(one, bases, runPosix)),
    { ...(isRead ? harmless : acting), text: command },
  ]);
}

function programOf({ words }: Command): string {
  const [first] = words;
  return first === undefined || first.glob ? '' : first.text;
}

/** Null for a command that may change something. */
function reading(command: Command, bases: Folders): Effect | null {
  const program = programOf(command)
    .toLowerCase()
    .replace(/\.exe$/, '');
  const args = command.words.slice(1);
  if (command.isRedirected) return null;
  if (program === 'git') {
    const found = gitEffect(args.map(forwardSlashes), bases, () => acting);
    return found.readOnly && gitParts(args).subcommand !== null ? found : null;
  }
  return onlyReadsOnWindows(program, args) || (program === 'holdpoint' && asksHoldpoint(args)) ? harmless : null;
}

function changes(command: Command, bases: Folders, runPosix: (script: string) => Effect): Effect {
  const { isFed } = command;
  const text = programOf(command);
  const known = builtIn.exec(text)?.[0];
  const program = nameOf(known ?? text);
  const args = [...(known === undefined ? [] : [plainWord(text.slice(known.length))]), ...command.words.slice(1)];
  const words = [plainWord(program), ...args.map(forwardSlashes)];
  return mergeEffects([
    // For cmd, `;` and `=` only separate words.
    namesEverything([plainWord(text), ...args, ...args.flatMap(atSigns)], bases),
    effectOf({ words, writes: [], inputs: [], bases, tampered: false, ...(isFed ? { stdin: null } : {}) }, runPosix),
    evaluating.test(program) ? opaque(`what ${program} runs`) : acting,
    isFed && !(/^(?:tee|tee-object|out-file)$/.test(program) && args[0]?.text.startsWith('-') === false)
      ? opaque(`what ${program} gets from the command before it`)
      : acting,
  ]);
}

function nameOf(program: string): string {
  return plainName(program.replaceAll('\\', '/')).replace(/\.(?:com|cmd|bat|ps1)$/, '');
}

function plainWord(text: string): Word {
  return { text, glob: false };
}

/** Programs that run others are listed by their plain names. */
function forwardSlashes(word: Word): Word {
  const name = nameOf(word.text);
  return { ...word, text: isInterpreter(name) ? name : word.text.replaceAll('\\', '/') };
}

function atSigns({ text }: Word): Word[] {
  return text.split('=').slice(0, -1).map(plainWord);
}

/**
 * `posix`: sh, bash, zsh. `windows`: PowerShell or cmd, whose quoting and escapes differ, so even less is parsed.
 * `any`: the host does not say, so the worse of both is assumed.
 */
export type ShellStyle = 'posix' | 'windows' | 'any';

export interface Terminal {
  /** A person's kind of terminal, which keeps its folder from call to call: the host does not tell where it is. */
  readonly isInteractive?: boolean | undefined;
  /** What its programs read from standard input may be typed later. */
  readonly isTyped?: boolean | undefined;
  readonly home?: string | undefined;
  readonly cdPath?: boolean | undefined;
}

export function classify(command: string, style: ShellStyle, terminal: Terminal = {}): Effect {
  if (command.trim() === '') return opaque('an empty command');
  if (style === 'any') {
    const onWindows = classify(command, 'windows', terminal);
    // A command that certainly only reads in PowerShell and cmd does so in other shells too: their syntax is refused there.
    return onWindows.readOnly ? onWindows : mergeEffects([onWindows, classify(command, 'posix', terminal)]);
  }
  const { isInteractive = false, isTyped = false, home, cdPath = false } = terminal;
  const bases = isInteractive ? [null] : ['.'];
  if (style === 'windows') return windowsEffect(command, bases, (script) => classify(script, 'posix', terminal));
  if (isInteractive && usesHistory(command)) return { ...opaque('history expansion (!)'), text: command };
  const read = (text: string) =>
    scriptEffect(text, {
      bases,
      isInteractive,
      tampered: false,
      depth: 0,
      environment: new Map([...(home === undefined ? [] : [['HOME', home] as const]), ['PWD', '.']]),
      cdPath,
      ...(isTyped ? { stdin: null } : {}),
    });
  const comment = /(^|[\s;&|(])#/gm;
  // Interactive zsh has no comments.
  const found =
    isInteractive && comment.test(command)
      ? mergeEffects([read(command), read(command.replaceAll(comment, '$1\\#'))])
      : read(command);
  const effect = withHidden(command, found, bases, isInteractive);
  if (effect.opaque !== null) return { ...effect, readOnly: false, text: command };
  // They decide what git does next: its hooks, and what a push updates.
  const steersGit = !effect.readOnly && effect.paths.some(({ path }) => /(?:^|\/)\.git\/(?:config|hooks)/i.test(path));
  return steersGit ? { ...effect, wholeTree: true } : effect;
}

/**
 * Interactive shells replace `!word` and a leading `^a^b^` by earlier commands, before anything else. In bash and zsh
 * alike, `!` stays as it is within single quotes, after a backslash, and before a blank, `=`, `(` or a closing quote.
 */
export function usesHistory(text: string): boolean {
  return text
    .split('\n')
    .some((line) => line.trimStart().startsWith('^') || /!(?![\s=("]|$)/.test(withoutQuoted(line)));
}

/** One line, because that is what the shell looks at. A single quote that does not close quotes nothing. */
function withoutQuoted(line: string): string {
  return line.replaceAll(/\\.|"(?:[^"\\]|\\.)*"|'[^']*'|\$!/g, (piece) => (piece.startsWith('"') ? piece : ''));
}
