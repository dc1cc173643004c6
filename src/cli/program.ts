/** The command line: the help, and which verb is called. No verb makes a decision: humans decide in forms of the editor. */
import { Argument, Command, CommanderError, type HelpConfiguration } from 'commander';
import { AppError } from '../app/workspace/errors.ts';
import { firstLine } from '../core/kit/text.ts';
import { visibleText } from '../core/kit/visible.ts';
import type { ExitCode, Globals, Io } from './kit/io.ts';
import { printError } from './kit/outputs.ts';
import { register, type Verb } from './kit/verb.ts';
import { operationVerbs } from './operationVerbs.ts';

/** The first word of each verb, in the order of the help, with the few words that the help of all has. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Ask and wait:': {
    question: 'ask a human, wait for the answer, reply, park, withdraw',
    inbox: 'what is waiting for a human, in all workspaces',
    open: 'open the form of an item in the editor; decides nothing',
    watch: 'print each notification as it happens',
    remind: 'send reminders while no editor does',
    reminders: 'how you are reminded, and what was sent',
  },
  'Work and gate:': {
    work: 'register, update, show and list tasks and workflows',
    gate: 'whether work, files or this session may continue',
    restore: 'put held files back as they were; releases nothing',
    check: 'did humans decide what a change needs? For CI',
    relationship: 'how items are connected',
    dashboard: 'what is held, who is waiting, and how healthy the queue is',
  },
  'RFCs and requests:': {
    rfc: 'propose a design, revise it, wait for the decision',
    request: 'ask another responsibility, respond, wait',
    responsibility: 'register what you are responsible for; list all',
  },
  'Memory:': {
    briefing: 'what to know before working here',
    post: 'record what others need to know',
    search: 'search the notes, or read one',
    resolve: 'close a note that is no longer true',
    supersede: 'replace a note by another note',
  },
  'People and setup:': {
    setup: 'make agent hosts ask Holdpoint before each tool call',
    mcp: 'serve the tools over MCP',
    serve: 'serve the forms to browsers on this machine',
    hook: "answer a host's hook",
    keys: 'the public keys that are trusted on this machine',
    team: 'one journal for a team: set it up, join it, see how it is',
  },
  'Data:': {
    audit: 'who decided what, verified from the first record',
    attestations: 'signed decisions as files in the repository',
    mirror: 'write items as Markdown files',
    import: 'take in another program or workspace',
    export: 'export everything in this workspace',
    history: 'what was imported',
  },
};

export const verbNames = Object.values(groups).flatMap((verbs) => Object.keys(verbs));

/** The verbs that begin with a word; without one, all. Those that are called seldom are loaded when one of them is. */
export async function verbsOf(word: string | null): Promise<readonly Verb[]> {
  const isOf = ({ words }: Verb) => word === null || words.split(' ', 1)[0] === word;
  const found = operationVerbs.filter(isOf);
  if (word !== null && (found.length > 0 || !verbNames.includes(word))) return found;
  return [...found, ...(await import('./seldomVerbs.ts')).seldomVerbs.filter(isOf)];
}

/** Adds the verb that is called. The help of all, and an error, need only the names. */
async function addVerbs(program: Command, argv: readonly string[], add: (verb: Verb) => void): Promise<void> {
  const called = verbIn(argv);
  const found = called === null ? [] : await verbsOf(called === 'help' ? null : called);
  for (const [group, verbs] of Object.entries(groups))
    for (const [name, summary] of Object.entries(verbs)) {
      for (const verb of found) if (verb.words.split(' ', 1)[0] === name) add(verb);
      const command = program.commands.find((one) => one.name() === name) ?? program.command(name);
      command.helpGroup(group).summary(summary);
      if (command.description() === '') command.description(summary);
    }
  program.addHelpCommand(
    new Command('help').argument('[command]').summary('explain a verb').helpGroup('People and setup:'),
  );
}

/** The first word that is neither an option nor the folder of `--workspace`; null without one. */
function verbIn(argv: readonly string[]): string | null {
  return argv.find((word, place) => !word.startsWith('-') && argv[place - 1] !== '--workspace') ?? null;
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
