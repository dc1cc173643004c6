/** The command line: maps verbs to tools. No verb makes a decision: humans decide in forms of the editor. */
import { Command, CommanderError, type HelpConfiguration, Argument } from 'commander';
import type { Workspace } from '../app/workspace/workspace.ts';
import type { State } from '../core/state/state.ts';
import { AppError } from '../app/workspace/errors.ts';
import type { ExitCode, Io } from './kit/io.ts';
import { printError, runVerb, type Globals } from './kit/runVerb.ts';
import { jsonOf, type Shown } from './kit/outputs.ts';
import { openFolder } from './kit/openFolder.ts';
import type { InputNames } from '../tools/kit/inputProblems.ts';
import { usageProblem } from './kit/usageErrors.ts';
import type { Lines, Verbs } from './kit/verbs.ts';
import { visibleText } from '../core/kit/visible.ts';
import type { seldomVerbs } from './seldomVerbs.ts';
import { verbsOf } from './toolVerbs.ts';
import { listResponsibilities } from '../app/request/views.ts';
import { plural } from '../core/kit/text.ts';
import { responsibilityLine } from '../tools/request/reading.ts';

// `holdpoint responsibility list`.

function responsibilityList(responsibility: Command, { read }: Verbs): void {
  responsibility
    .command('list')
    .description('the responsibilities of this workspace')
    .action((_options: unknown, command: Command) =>
      read(command, async (workspace) => {
        const responsibilities = listResponsibilities((await workspace.store()).read());
        const head = plural(responsibilities.length, 'responsibility', 'responsibilities');
        return {
          text: [head, ...responsibilities.map(responsibilityLine)].join('\n'),
          schema: 'responsibility_list',
          data: { responsibilities, total: responsibilities.length },
        };
      }),
    );
}

// Options that do not go together, or only with another one: an error before the verb runs, so that none is ignored.

interface Rules {
  /** The first option of a list goes with none of the others. */
  readonly apart: readonly (readonly [option: string, ...others: string[]])[];
  /** The first option is for the second one only. */
  readonly needs: readonly (readonly [option: string, other: string])[];
}

const byVerb: Readonly<Record<string, Rules>> = {
  setup: {
    apart: [
      ['--command', '--host', '--remove', '--machine', '--keys', '--dry-run', '--check'],
      ['--check', '--remove', '--keys', '--dry-run'],
      ['--remove', '--keys'],
    ],
    needs: [['--keys', '--machine']],
  },
};

/** Checks the options of each verb of this program that has such rules. */
function keepApart(program: Command): void {
  program.hook('preAction', (_, verb) => {
    const problem = problemOf(byVerb[verb.name()], (option) => isGiven(verb, option));
    if (problem !== null) verb.error(`error: ${problem}`);
  });
}

function problemOf(rules: Rules | undefined, isThere: (option: string) => boolean): string | null {
  for (const [option, ...others] of rules?.apart ?? []) {
    const other = isThere(option) ? others.find(isThere) : undefined;
    if (other !== undefined) return `${option} and ${other} do not go together: give one of them`;
  }
  const alone = rules?.needs.find(([option, other]) => isThere(option) && !isThere(other));
  return alone ? `${alone[0]}: only with ${alone[1]}` : null;
}

/** @throws Error for an option that the verb does not have */
function isGiven(verb: Command, flag: string): boolean {
  const option = verb.options.find(({ long }) => long === flag);
  if (!option) throw new Error(`${verb.name()} has no option ${flag}`);
  return verb.getOptionValueSource(option.attributeName()) === 'cli';
}

// Verbs of humans that people try. Each says where a human does this.

const human = 'Only a human can decide, in the editor or a browser: "holdpoint open Q-12" opens the form.';

/** Keyed by the parent verb; `''` is the program itself. */
const decisions: Readonly<Record<string, readonly string[]>> = {
  '': ['answer', 'approve', 'reject', 'release', 'unblock'],
  question: ['answer', 'approve', 'reject', 'release', 'dismiss', 'cancel', 'close'],
  rfc: ['approve', 'reject', 'withdraw', 'comment'],
};

/** Hidden from help, which lists only real verbs. */
function decisionVerbs(program: Command, { io, globals, exit }: Verbs): void {
  for (const [verb, words] of Object.entries(decisions)) {
    const parent = verb === '' ? program : program.commands.find((command) => command.name() === verb);
    for (const word of words) {
      const command = parent?.command(word, { hidden: true }).allowUnknownOption();
      command?.addArgument(new Argument('[any...]')).action(() => {
        const asked = command.args.find((arg) => /^(?:Q|RFC)-\d{1,9}$/.test(arg)) ?? 'Q-12';
        printError(io, globals(command), new AppError('bad_input', human.replace('Q-12', asked)));
        exit(1);
      });
    }
  }
}

type Register = (program: Command, verbs: Verbs) => unknown;

/** Loads what registers a verb, when it is used. */
type Load = () => Promise<Register>;

const ofTools = (word: string) => () => Promise.resolve(verbsOf(word));
const seldom = (name: keyof typeof seldomVerbs) => async () => (await import('./seldomVerbs.ts')).seldomVerbs[name];

async function rfcVerbs(): Promise<Register> {
  const reviewVerb = await seldom('reviewVerb')();
  return (program, verbs) => {
    reviewVerb(verbsOf('rfc')(program, verbs), verbs);
  };
}

const responsibilityVerbs: Register = (program, verbs) => {
  responsibilityList(verbsOf('responsibility')(program, verbs), verbs);
};

const reminders = seldom('reminderVerbs');
const moving = seldom('movingVerbs');

/** Every verb, in the order of the help, with the few words that the help of all has. */
const groups: Readonly<Record<string, Readonly<Record<string, readonly [summary: string, load: Load]>>>> = {
  'Ask and wait:': {
    question: ['ask a human, wait for the answer, reply, park, withdraw', ofTools('question')],
    inbox: ['what is waiting for a human, in all workspaces', seldom('inboxVerb')],
    open: ['open the form of an item in the editor; decides nothing', seldom('openVerb')],
    watch: ['print each notification as it happens', seldom('watchVerb')],
    remind: ['send reminders while no editor does', reminders],
    reminders: ['how you are reminded, and what was sent', reminders],
  },
  'Work and gate:': {
    work: ['register, update, show and list tasks and workflows', ofTools('work')],
    gate: ['whether work, files or this session may continue', seldom('gateVerb')],
    restore: ['put held files back as they were; releases nothing', seldom('restoreVerb')],
    check: ['did humans decide what a change needs? For CI', seldom('checkVerb')],
    relationship: ['how items are connected', seldom('relationshipVerbs')],
    dashboard: ['what is held, who is waiting, and how healthy the queue is', seldom('dashboardVerb')],
  },
  'RFCs:': {
    rfc: ['propose a design, revise it, wait for the decision', rfcVerbs],
  },
  'Memory:': {
    briefing: ['what to know before working here', ofTools('briefing')],
    post: ['record what others need to know', ofTools('post')],
    search: ['search the notes, or read one', ofTools('search')],
    resolve: ['close a note that is no longer true', ofTools('resolve')],
    supersede: ['replace a note by another note', ofTools('supersede')],
  },
  'Requests:': {
    request: ['ask another responsibility, respond, wait', ofTools('request')],
    responsibility: ['register what you are responsible for; list all', () => Promise.resolve(responsibilityVerbs)],
  },
  'People and setup:': {
    setup: ['make agent hosts ask Holdpoint before each tool call', seldom('setupVerb')],
    mcp: ['serve the tools over MCP', seldom('mcpVerb')],
    serve: ['serve the forms to browsers on this machine', seldom('serveVerb')],
    hook: ["answer a host's hook", seldom('hookVerb')],
    keys: ['the public keys that are trusted on this machine', seldom('keysVerb')],
    team: ['one journal for a team: set it up, join it, see how it is', seldom('teamVerbs')],
  },
  'Data:': {
    audit: ['who decided what, verified from the first record', seldom('auditVerb')],
    attestations: ['signed decisions as files in the repository', seldom('attestationVerbs')],
    mirror: ['write items as Markdown files', seldom('mirrorVerb')],
    import: ['take in another program or workspace', moving],
    export: ['export everything in this workspace', moving],
    history: ['what was imported', moving],
  },
};

export const verbLoads: ReadonlyMap<string, Load> = new Map(
  Object.values(groups).flatMap((verbs) => Object.entries(verbs).map(([verb, [, load]]) => [verb, load] as const)),
);

/** Adds the verb that is called, with others of its file. The help of all, and an error, need only the names. */
async function addVerbs(program: Command, verbs: Verbs, argv: readonly string[]): Promise<void> {
  const called = verbIn(argv);
  const named = called === 'help' ? [...verbLoads.values()] : [verbLoads.get(called ?? '')].filter((load) => !!load);
  for (const load of new Set(named)) (await load())(program, verbs);
  for (const name of verbLoads.keys())
    if (!program.commands.some((command) => command.name() === name)) program.command(name);
}

/** The first word that is neither an option nor the folder of `--workspace`; null without one. */
function verbIn(argv: readonly string[]): string | null {
  return argv.find((word, place) => !word.startsWith('-') && argv[place - 1] !== '--workspace') ?? null;
}

/** The help of all: by what verbs are for, with a few words each, on one screen. */
function groupVerbs(program: Command): void {
  for (const [group, verbs] of Object.entries(groups))
    for (const [name, [summary]] of Object.entries(verbs)) {
      const command = program.commands.find((one) => one.name() === name);
      command?.helpGroup(group).summary(summary);
      if (command?.description() === '') command.description(summary);
    }
  program.addHelpCommand(
    new Command('help').argument('[command]').summary('explain a verb').helpGroup('People and setup:'),
  );
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
  const verbs: Verbs = {
    io,
    globals: (command) => command.optsWithGlobals<Globals>(),
    async run(command, operation, input, options) {
      const globals = verbs.globals(command);
      try {
        code = await runVerb(io, globals, { ...options, tool: operation, input: withoutUndefined(input()) });
      } catch (error) {
        printError(io, globals, error, { names: options?.inputNames ?? optionNames(command) });
        code = 1;
      }
    },
    look: (command, show) => look(command, (workspace, state) => show(state, workspace.person())),
    read: look,
    async inFolder(command, show, failed = () => 1) {
      const globals = verbs.globals(command);
      try {
        const workspace = openFolder(io, globals.workspace);
        try {
          const shown = await show(workspace);
          if ('lines' in shown) for (const line of shown.lines) io.out(line);
          else io.out(globals.json ? jsonOf(shown) : shown.text);
        } finally {
          workspace.close();
        }
      } catch (error) {
        printError(io, globals, error, { names: optionNames(command) });
        code = failed(error);
      }
    },
    exit(wanted) {
      code = wanted;
    },
  };
  async function look(
    command: Command,
    show: (workspace: Workspace, state: State) => Shown | Promise<Shown | Lines>,
  ): Promise<void> {
    let isUnknown = false;
    await verbs.inFolder(
      command,
      (workspace) => {
        const { problem, state } = workspace.standing();
        isUnknown = problem !== null;
        if (problem) throw new Error(problem.message);
        return show(workspace, state);
      },
      () => (isUnknown ? 2 : 1),
    );
  }
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
  await addVerbs(program, verbs, argv);
  groupVerbs(program);
  decisionVerbs(program, verbs);
  let failed = program;
  inheritSettings(program, (command) =>
    command.exitOverride((error) => {
      failed = command;
      throw error;
    }),
  );
  program.configureHelp(oneScreen);
  keepApart(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    // A malformed gate call must deny: hosts treat exit 1 as "continue".
    const denies = argv.includes('gate') || argv.includes('hook');
    // A call without a verb prints the help, which is not an object.
    if (isJson || error.code !== 'commander.help') {
      const usage = new AppError('bad_input', usageProblem(failed, error), { cause: error });
      printError(io, { json: isJson }, usage, { result: denies ? 'denied' : 'error' });
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

/** An error of a use case calls its inputs as the options of the verb are called: `since` is `--since`. */
function optionNames({ options }: Command): InputNames {
  return new Map(options.flatMap(({ long }) => (long ? [[long.slice(2).replaceAll('-', '_'), long]] : [])));
}

/** Omits options that were not given, so that the tool's own defaults and checks apply. */
function withoutUndefined(input: object): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(input)) as Record<string, unknown>;
}
