/**
 * Classifies a terminal command: whether it only reads, only calls Holdpoint, or changes something, and which files it
 * names.
 */
import { withHidden } from './names.ts';
import { scriptEffect } from './script.ts';
import { windowsEffect } from './windows.ts';
import { opaque, together, type Effect } from './word.ts';

/**
 * `posix`: sh, bash, zsh. `windows`: PowerShell or cmd, whose quoting and escapes differ, so even less is parsed. `any`:
 * the host does not say, so the worse of both counts.
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
    return onWindows.readOnly ? onWindows : together([onWindows, classify(command, 'posix', terminal)]);
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
      ? together([read(command), read(command.replaceAll(comment, '$1\\#'))])
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
