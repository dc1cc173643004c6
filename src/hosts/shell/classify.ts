/**
 * Classifies a terminal command: whether it only reads, only calls Holdpoint, or changes something, and which files it
 * names.
 */
import { usesHistory } from './history.ts';
import { namesEverything } from './names.ts';
import { gitEffect, gitParts } from './git.ts';
import { asks } from './ownVerbs.ts';
import { onlyReadsOnWindows } from './reading.ts';
import { scriptEffect } from './script.ts';
import { readCommands } from './windowsWords.ts';
import { acting, harmless, opaque, together } from './word.ts';
import type { Effect, SimpleCommand } from './word.ts';

/** `posix`: sh, bash, zsh. `windows`: PowerShell or cmd, whose quoting and escapes differ, so even less is parsed. */
export type ShellStyle = 'posix' | 'windows';

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
  if (style === 'windows') return windowsEffect(command);
  const { isInteractive = false, isTyped = false, home, cdPath = false } = terminal;
  if (isInteractive && usesHistory(command)) return { ...opaque('history expansion (!)'), text: command };
  const read = (text: string) =>
    scriptEffect(text, {
      bases: isInteractive ? [null] : ['.'],
      isInteractive,
      tampered: false,
      depth: 0,
      environment: new Map([...(home === undefined ? [] : [['HOME', home] as const]), ['PWD', '.']]),
      cdPath,
      ...(isTyped ? { stdin: null } : {}),
    });
  const comment = /(^|[\s;&|(])#/gm;
  // Interactive zsh has no comments.
  const effect =
    isInteractive && comment.test(command)
      ? together([read(command), read(command.replaceAll(comment, '$1\\#'))])
      : read(command);
  return effect.opaque === null ? effect : { ...effect, readOnly: false, text: command };
}

function windowsEffect(command: string): Effect {
  const commands = readCommands(command);
  if (commands === null) return { ...opaque('syntax'), text: command };
  if (
    commands.some((simple) =>
      /^(?:cd|pushd|popd|chdir|set-location|sl|push-location|pop-location)$/i.test(programOf(simple)),
    )
  )
    return { ...(commands.every(windowsReads) ? harmless : opaque('a change of folder')), text: command };
  return together([
    ...commands.map((simple) => {
      if (windowsReads(simple)) return harmless;
      const words = [...simple.words.slice(1), ...simple.writes];
      const named = namesEverything(words, ['.']);
      const isGit =
        programOf(simple)
          .toLowerCase()
          .replace(/\.exe$/, '') === 'git';
      const slashed = simple.words.slice(1).map((word) => ({ ...word, text: word.text.replaceAll('\\', '/') }));
      return isGit ? together([named, gitEffect(slashed, ['.'], () => named)]) : named;
    }),
    { ...(commands.every(windowsReads) ? harmless : acting), text: command },
  ]);
}

function programOf({ words }: SimpleCommand): string {
  const [first] = words;
  return first === undefined || first.glob ? '' : first.text;
}

function windowsReads(simple: SimpleCommand): boolean {
  if (simple.writes.length > 0) return false;
  const program = programOf(simple);
  const args = simple.words.slice(1);
  if (program.toLowerCase().replace(/\.exe$/, '') === 'git')
    return gitParts(args).subcommand !== null && gitEffect(args, ['.'], () => acting).readOnly;
  if (program === 'holdpoint') {
    const verb = args.find(({ text }, index) => !text.startsWith('-') && args[index - 1]?.text !== '--workspace');
    return verb !== undefined && asks(verb.text, args);
  }
  return onlyReadsOnWindows(program, args);
}
