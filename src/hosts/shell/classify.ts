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
  type Word,
} from './word.ts';
import { scriptEffect } from './script.ts';
import { effectOf, plainName } from './effects.ts';
import { gitEffect, gitParts } from './git.ts';
import { asksHoldpoint, onlyReadsOnWindows } from './reading.ts';

// What a command line of PowerShell or cmd does to files, by the same tables as in other shells.

/**
 * What means the same in PowerShell and cmd: blanks, discarded streams, redirections, and words without special signs. cmd
 * does not quote with single quotes, and some signs stay special within double quotes. For PowerShell, typographic quotes,
 * dashes and blanks are plain ones.
 */
const token =
  /[ \t]+|(?:\d?[<>]&(?:\d|-)|[\d*]?>[ \t]*(?:\$null|\/dev\/null))(?=[ \t\r\n;|&<>]|$)|(?<redirect>(?:\d?(?:>>|>\||>|<)|&>>?)(?![<>&(]))|(?<word>(?!~)(?:"[^"`$&|<>^%;\r\n\u201c-\u201f]*"|[^\s"\u0000-\u001f\u007f;|<>`$(){}#&'^%@,\u0085\u2013-\u2015\u2018-\u201f])+)|(?<other>[^])/gi;
/** They change the folder for what follows, as do `cd..`, `cd/d` and the name of a drive. */
const moving = /^\s*(?:(?:cd|chdir|pushd|popd|set-location|sl|push-location|pop-location)(?![\w-])|[a-z]:(?:\s|$))/im;
const evaluating = /^(?:iex|invoke-\w+|icm|start-\w*job|sajb|forfiles|wmic|schtasks|mshta|rundll32|ihy)$/;

type RunPosix = (script: string) => Effect;

function windowsEffect(command: string, bases: Folders, runPosix: RunPosix): Effect {
  // The signs in odd places separate commands.
  const pieces = command.trim().split(/(&&|\|\|?|;|\s*\r?\n\s*)/);
  const effects = pieces.flatMap((piece, at) =>
    at % 2 === 0 ? windowsCommand(piece, pieces[at - 1] === '|', bases, runPosix) : [],
  );
  const found = { ...mergeEffects(effects), text: command };
  const moves = pieces.some((piece) => moving.test(piece));
  return moves && !found.readOnly ? { ...opaque('a change of folder'), text: command } : found;
}

/** @param isFed it gets the output of another command: text or, in PowerShell, files */
function windowsCommand(piece: string, isFed: boolean, bases: Folders, runPosix: RunPosix): Effect {
  const tokens = [...piece.matchAll(token)].map(({ groups = {} }) => groups);
  const [first, ...args] = tokens.flatMap(({ word }): Word[] =>
    word === undefined ? [] : [{ text: word.replaceAll('"', ''), glob: /[*?[]/.test(word.replaceAll(/"[^"]*"/g, '')) }],
  );
  if (first === undefined || tokens.some(({ other }) => other !== undefined)) return opaque('syntax');
  const slashed = args.map((word) => ({ ...word, text: word.text.replaceAll('\\', '/') }));
  const read = tokens.some(({ redirect }) => redirect !== undefined)
    ? null
    : windowsReading(
        first,
        args,
        gitEffect(slashed, bases, () => acting),
      );
  if (read) return read;
  const program = plainName(first.text.replaceAll('\\', '/')).replace(/\.(?:com|cmd|bat|ps1)$/, '');
  const writes = /^(?:tee|tee-object|out-file)$/.test(program) && args[0]?.text.startsWith('-') === false;
  return mergeEffects([
    // For cmd, `;` only separates words.
    namesEverything([first, ...args], bases),
    effectOf(
      {
        ...{ words: [{ text: program, glob: false }, ...slashed], writes: [], inputs: [] },
        ...{ bases, stdin: isFed ? null : undefined },
      },
      runPosix,
    ),
    evaluating.test(program) || (isFed && !writes) ? opaque(`what ${program} runs or gets`) : acting,
  ]);
}

/** Null for a command that may change something. */
function windowsReading(first: Word, args: readonly Word[], git: Effect): Effect | null {
  const program = first.glob ? '' : first.text.toLowerCase().replace(/\.exe$/, '');
  if (program === 'git') return git.readOnly && gitParts(args).subcommand !== null ? git : null;
  return onlyReadsOnWindows(program, args) || (program === 'holdpoint' && asksHoldpoint(args)) ? harmless : null;
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
}

export function classify(command: string, style: ShellStyle, terminal: Terminal = {}): Effect {
  if (command.trim() === '') return opaque('an empty command');
  if (style === 'any') {
    const onWindows = classify(command, 'windows', terminal);
    // A command that certainly only reads in PowerShell and cmd does so in other shells too: their syntax is refused there.
    return onWindows.readOnly ? onWindows : mergeEffects([onWindows, classify(command, 'posix', terminal)]);
  }
  const { isInteractive = false, isTyped = false, home } = terminal;
  const bases = isInteractive ? [null] : ['.'];
  if (style === 'windows') return windowsEffect(command, bases, (script) => classify(script, 'posix', terminal));
  if (isInteractive && usesHistory(command)) return { ...opaque('history expansion (!)'), text: command };
  const read = (text: string) =>
    scriptEffect(text, {
      bases,
      depth: 0,
      environment: new Map([...(home === undefined ? [] : [['HOME', home] as const]), ['PWD', '.']]),
      ...(isTyped ? { stdin: null } : {}),
    });
  const comment = /(^|[\s;&|(])#/gm;
  // Interactive zsh has no comments.
  const found =
    isInteractive && comment.test(command)
      ? mergeEffects([read(command), read(command.replaceAll(comment, '$1\\#'))])
      : read(command);
  const effect = withHidden(command, found, bases, isInteractive);
  return effect.opaque === null ? effect : { ...effect, readOnly: false, text: command };
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
