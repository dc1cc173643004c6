/** The command line: the help, and which verb is called. No verb makes a decision: humans decide in forms of the editor. */
import { Argument, Command, CommanderError, type HelpConfiguration } from 'commander';
import { AppError } from '../app/workspace/errors.ts';
import { firstLine } from '../core/kit/text.ts';
import { visibleText } from '../core/kit/visible.ts';
import type { ExitCode, Globals, Io } from './kit/io.ts';
import { printError } from './kit/outputs.ts';
import { helpGroups, register, type Verb } from './kit/verb.ts';
import { operationVerbs } from './operationVerbs.ts';

/** The verbs that begin with a word; without one, all. Those that are called seldom are loaded when one of them is. */
export async function verbsOf(word: string | null): Promise<readonly Verb[]> {
  const isOf = ({ words }: Verb) => word === null || wordOf(words) === word;
  const found = operationVerbs.filter(isOf);
  if (word !== null && found.length > 0) return found;
  return [...found, ...(await import('./seldomVerbs.ts')).seldomVerbs.filter(isOf)];
}

function wordOf(words: string): string {
  return words.split(' ', 1)[0] ?? '';
}

/** Adds the verb that is called, and all for the help and for an error. */
async function addVerbs(program: Command, argv: readonly string[], add: (verb: Verb) => void): Promise<void> {
  const called = verbIn(argv);
  const found = called === null ? [] : await verbsOf(called);
  const verbs = found.length > 0 ? found : await verbsOf(null);
  const inOrder = helpGroups.flatMap((group) => verbs.filter(({ help }) => help?.[0] === group));
  for (const { words, help: [group, summary] = [] } of inOrder) {
    const isSibling = (other: Verb) => wordOf(other.words) === wordOf(words);
    for (const verb of verbs.filter(isSibling)) add(verb);
    const command = program.commands.find((one) => one.name() === wordOf(words));
    command?.helpGroup(`${group ?? ''}:`).summary(summary ?? '');
    if (command?.description() === '') command.description(summary ?? '');
  }
  program.addHelpCommand(
    new Command('help').argument('[command]').summary('explain a verb').helpGroup('People and setup:'),
  );
}

/** The first word that is neither an option nor the folder of `--workspace`; null without one, and after `--help`. */
function verbIn(argv: readonly string[]): string | null {
  const isWord = (word: string, place: number) => !word.startsWith('-') && argv[place - 1] !== '--workspace';
  const first = argv.find((word, place) => isWord(word, place) || word === '--help' || word === '-h') ?? '-';
  return first.startsWith('-') ? null : first;
}

// Verbs of humans that people try. Each says where a human does this.

/** Keyed by the parent verb; `''` is the program itself. */
const decisions: Readonly<Record<string, readonly string[]>> = {
  '': ['answer', 'approve', 'reject', 'release', 'unblock'],
  question: ['answer', 'approve', 'reject', 'release', 'dismiss', 'cancel', 'close'],
  rfc: ['approve', 'reject', 'withdraw', 'comment'],
};

/** Hidden from help, which lists only real verbs. */
function addDecisions(program: Command): void {
  for (const [verb, words] of Object.entries(decisions)) {
    const parent = verb === '' ? program : program.commands.find((command) => command.name() === verb);
    for (const word of words) {
      const command = parent?.command(word, { hidden: true }).allowUnknownOption();
      command?.addArgument(new Argument('[any...]')).action(() => {
        const asked = command.args.find((arg) => /^(?:Q|RFC)-\d{1,9}$/.test(arg)) ?? 'Q-12';
        const where = `Only a human can decide, in the editor or a browser: "holdpoint open ${asked}" opens the form.`;
        throw new AppError('bad_input', where);
      });
    }
  }
}

/** For the program, not for its verbs. */
const oneScreen: HelpConfiguration = {
  subcommandTerm: (command) => command.name(),
  formatItemList: (heading, items) => (items.length === 0 ? [] : [heading, ...items]),
};

/** @param argv without the program's own name */
export async function main(argv: readonly string[], outside: Io, version: string): Promise<ExitCode> {
  // Texts of agents, paths and arguments may contain escape sequences: they are shown, whichever verb prints them.
  const io: Io = {
    ...outside,
    out: (text) => outside.out(visibleText(text)),
    err: (text) => outside.err(visibleText(text)),
  };
  let code: ExitCode = 0;
  const isJson = argv.includes('--json');
  const program = new Command('holdpoint')
    .description('Coding agents stop for humans. Humans answer in the editor or a browser, never here.')
    .version(version)
    .option('--workspace <dir>', 'the workspace folder (default: the current one)')
    .option('--json', 'print JSON')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr(text) {
        if (!isJson) io.err(text.trimEnd());
      },
      // Printed below, with the probable meaning.
      outputError: () => undefined,
    });
  await addVerbs(program, argv, (verb) => {
    register(program, verb, { io, version }, (done) => {
      code = done;
    });
  });
  addDecisions(program);
  let failed = program;
  inheritSettings(program, (command) =>
    command.exitOverride((error) => {
      failed = command;
      throw error;
    }),
  );
  program.configureHelp(oneScreen);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (!(error instanceof CommanderError || error instanceof AppError)) throw error;
    // A malformed gate call must deny: hosts treat exit 1 as "continue".
    const denies = argv.includes('gate') || argv.includes('hook');
    // A call without a verb prints the help, which is not an object.
    if (isJson || error.code !== 'commander.help') {
      const globals: Globals = { json: isJson };
      const usage =
        error instanceof AppError ? error : new AppError('bad_input', usageProblem(failed, error), { cause: error });
      printError(io, globals, usage, { result: denies ? 'denied' : 'error' });
    }
    return denies ? 2 : 1;
  }
}

function inheritSettings(command: Command, prepare: (child: Command) => void): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    prepare(child);
    inheritSettings(child, prepare);
  }
}

/**
 * How a verb was called wrongly, and where to read more, on one line.
 * @param command the one that was called wrongly
 * @param error what commander says is wrong with it
 */
function usageProblem(command: Command, error: CommanderError): string {
  const help = `See ${pathOf(command)} --help`;
  if (error.code === 'commander.help') return `a command is missing. ${help}`;
  const said = error.message.replace(/^error: /, '').replace(/\.$/, '');
  if (error.code === 'commander.invalidArgument') return `${invalidArgument(said)}. ${help}`;
  if (error.code === 'commander.conflictingOption')
    return `${said.match(/(?<=')--[\w-]+/g)?.join(' and ') ?? ''} do not go together: give one of them`;
  const option = command.options.find(({ flags }) => said.includes(`'${flags}'`));
  if (option && /OptionValue$|optionMissing/.test(error.code))
    return `${said}: ${option.description.split('. ', 1)[0] ?? ''}`;
  return `${said.replace('\n', ' ')}. ${help}`;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function invalidArgument(said: string): string {
  const [, option = '', given = '', why = ''] =
    /^option '([^ ']+)[^']*' argument '(.*)' is invalid\. (.*)$/s.exec(said) ?? [];
  return option === '' ? said : `${option}: "${firstLine(given, 100)}" is invalid. ${why}`;
}
