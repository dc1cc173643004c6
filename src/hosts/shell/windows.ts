/** What a command line of PowerShell or cmd does to files. */
import { effectOf, plainName } from './commands.ts';
import { gitEffect, gitParts } from './git.ts';
import { isInterpreter } from './interpreters.ts';
import { namesEverything } from './names.ts';
import { asks } from './ownVerbs.ts';
import { onlyReadsOnWindows } from './reading.ts';
import { readCommands } from './windowsWords.ts';
import type { WindowsCommand } from './windowsWords.ts';
import { acting, harmless, opaque, together } from './word.ts';
import type { Effect, Folders, Word } from './word.ts';

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
