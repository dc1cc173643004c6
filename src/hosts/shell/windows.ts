/** What a command line of PowerShell or cmd does to files. */
import { effectOf, plainName } from './commands.ts';
import { gitEffect, gitParts } from './git.ts';
import { isInterpreter } from './interpreters.ts';
import { namesEverything } from './names.ts';
import { asks } from './ownVerbs.ts';
import { onlyReadsOnWindows } from './reading.ts';
import {
  acting,
  harmless,
  opaque,
  together,
  type Effect,
  type Folders,
  type SimpleCommand,
  type Word,
} from './word.ts';

interface WindowsCommand extends SimpleCommand {
  /** Gets the output of another command: text or, in PowerShell, files. */
  readonly isFed: boolean;
}

/**
 * The parts of a command line of PowerShell or cmd, where that is certain: blanks, separators, closed, duplicated or
 * discarded streams, redirections, and words without special signs. cmd does not quote with single quotes, and some signs
 * stay special within double quotes; for PowerShell, typographic quotes, dashes and blanks are plain ones.
 */
const part =
  /([ \t]+)|(&&|\|\||;|\||\r?\n)|((?:\d?[<>]&(?:\d|-)|[\d*]?>[ \t]*\$null)(?=[ \t\r\n;|&<>]|$))|((?:\d?(?:>>|>\||>|<)|&>>?)(?![<>&(]))|(?!~)((?:"[^"`$&|<>^%;\r\n\u201c-\u201f]*"|[^\s"\u0000-\u001f\u007f;|<>`$(){}#&'^%@,\u0085\u2013-\u2015\u2018-\u201f])+)/iy;
const reserved = new Set(
  'if then else elif fi for while until do done case esac function select time coproc in ! [[ { } eval exec source .'.split(
    ' ',
  ),
);

/** Null if it cannot be parsed with certainty: then the caller must assume the worst. */
function readCommands(line: string): WindowsCommand[] | null {
  const commands: WindowsCommand[] = [];
  let words: Word[] = [];
  let writes: Word[] = [];
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
    } else if (redirect !== undefined) {
      if (target !== null) return null;
      target = redirect.endsWith('<') ? 'read' : 'write';
    } else if (word !== undefined) {
      const read = { text: word.replaceAll('"', ''), glob: /[*?[]/.test(word.replaceAll(/"[^"]*"/g, '')) };
      if (target === null) words.push(read);
      else if (target === 'write' && read.text !== '/dev/null') writes.push(read);
      target = null;
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
/** They run text, or a command for each file. */
const evaluating =
  /^(?:iex|invoke-expression|icm|invoke-command|start-job|sajb|start-threadjob|forfiles|wmic|schtasks|mshta|rundll32|invoke-history|ihy)$/;
/** Programs that write their input to the file named by their first argument. */
const collecting = /^(?:tee|tee-object|out-file)$/;
/** Without a second name they write into the current folder. */
const copying = /^(?:copy|move|xcopy|copy-item|cpi|cp|move-item|mi|mv)$/;
const renaming = /^(?:ren|rename|rename-item|rni)$/;

export function windowsEffect(command: string, bases: Folders, runPosix: (script: string) => Effect): Effect {
  const commands = readCommands(command);
  if (commands === null) return { ...opaque('syntax'), text: command };
  const readings = commands.map((one) => reading(one, bases));
  const isRead = !readings.includes(null);
  if (!isRead && commands.some((one) => moving.test(programOf(one))))
    return { ...opaque('a change of folder'), text: command };
  return together([
    ...commands.map((one, at) => readings[at] ?? changes(one, { bases, isFirst: at === 0, runPosix })),
    { ...(isRead ? harmless : acting), text: command },
  ]);
}

interface Surroundings {
  readonly bases: Folders;
  readonly isFirst: boolean;
  readonly runPosix: (script: string) => Effect;
}

function changes(command: WindowsCommand, { bases, isFirst, runPosix }: Surroundings): Effect {
  const { writes, isFed } = command;
  const [program, args] = partsOf(command);
  const known = args.map(slashed);
  const step = { words: [plain(program), ...known], writes, inputs: [], bases, tampered: false };
  return together([
    // For cmd, `;` and `=` only separate words.
    namesEverything([...(isFirst ? [] : command.words.slice(0, 1)), ...args.flatMap(atSigns), ...writes], bases),
    namesEverything(implied(program, known), bases, 'files'),
    effectOf({ ...step, ...(isFed ? { stdin: null } : {}) }, runPosix),
    evaluating.test(program) ? opaque(`what ${program} runs`) : acting,
    isFed && !isCollecting(program, args) ? opaque(`what ${program} gets from the command before it`) : acting,
  ]);
}

/** The name of the program as other lists have it, and its words. */
function partsOf(command: WindowsCommand): [program: string, args: readonly Word[]] {
  const text = programOf(command);
  const name = builtIn.exec(text)?.[0];
  const args = command.words.slice(1);
  if (name === undefined) return [nameOf(text), args];
  return [nameOf(name), [plain(text.slice(name.length)), ...args]];
}

function nameOf(program: string): string {
  return plainName(program.replaceAll('\\', '/')).replace(/\.(?:com|cmd|bat|ps1)$/, '');
}

function plain(text: string): Word {
  return { text, glob: false };
}

/** Programs that run others are listed by their plain names. */
function slashed(word: Word): Word {
  const name = nameOf(word.text);
  return { ...word, text: isInterpreter(name) ? name : word.text.replaceAll('\\', '/') };
}

function atSigns(word: Word): Word[] {
  return [word, ...word.text.split('=').slice(0, -1).map(plain)];
}

/** Files that no word names. */
function implied(program: string, args: readonly Word[]): Word[] {
  const names = args.filter(({ text }) => !/^[-/]/.test(text));
  const here = [plain('.')];
  // `del /s a.js` looks for it in all folders.
  if (/^(?:del|erase|attrib)$/.test(program) && args.some(({ text }) => /(?:^|\/)s(?:\/|$)/i.test(text))) return here;
  if (copying.test(program) && names.length < 2) return here;
  if (!renaming.test(program)) return [];
  // The new name is in the folder of the old one.
  const folders = names.map(({ text }) => text.replace(/[^/]*$/, ''));
  return folders.flatMap((folder) => names.map(({ text }) => plain(`${folder}${text}`)));
}

function isCollecting(program: string, [first]: readonly Word[]): boolean {
  return collecting.test(program) && first !== undefined && !first.text.startsWith('-');
}

function programOf({ words }: Pick<WindowsCommand, 'words'>): string {
  const [first] = words;
  return first === undefined || first.glob ? '' : first.text;
}

/** Null for a command that may change something. */
function reading(command: WindowsCommand, bases: Folders): Effect | null {
  if (command.writes.length > 0) return null;
  const program = programOf(command);
  const args = command.words.slice(1);
  if (/^git(?:\.exe)?$/i.test(program)) {
    const found = gitEffect(args.map(slashed), bases, () => acting);
    return found.readOnly && gitParts(args).subcommand !== null ? found : null;
  }
  if (program === 'holdpoint') {
    const verb = args.find(({ text }, index) => !text.startsWith('-') && args[index - 1]?.text !== '--workspace');
    return verb !== undefined && asks(verb.text, args) ? harmless : null;
  }
  return onlyReadsOnWindows(program, args) ? harmless : null;
}
