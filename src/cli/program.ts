/** The command line: maps verbs to tools. No verb makes a decision: humans decide in forms of the editor. */
import { Command, CommanderError } from 'commander';
import type { Workspace } from '../app/workspace/workspace.ts';
import type { State } from '../core/state/state.ts';
import { attestationVerbs } from './audit/attestations.ts';
import { auditVerb } from './audit/audit.ts';
import { checkVerb } from './audit/check.ts';
import { dashboardVerb } from './dashboard/dashboard.ts';
import { AppError } from '../app/workspace/errors.ts';
import { groupVerbs, oneScreen } from './kit/groups.ts';
import { habitVerbs } from './kit/habits.ts';
import { gateVerb } from './hold/gateVerb.ts';
import { hookVerb } from './hosts/hook.ts';
import type { ExitCode, Io } from './kit/io.ts';
import { inboxVerb } from './waiting/inbox.ts';
import { keysVerb } from './keys/keys.ts';
import { mcpVerb } from './hosts/mcp.ts';
import { memoryVerbs } from './memory/memory.ts';
import { restoreVerb } from './hold/restore.ts';
import { mirrorVerb } from './mirrors/mirror.ts';
import { movingVerbs } from './transfer/moving.ts';
import { openVerb } from './kit/open.ts';
import { questionVerbs } from './question/question.ts';
import { relationshipVerbs } from './work/relationship.ts';
import { requestVerbs } from './request/request.ts';
import { rfcVerbs } from './rfc/rfc.ts';
import { jsonOf, printError, runVerb } from './kit/runVerb.ts';
import type { Globals } from './kit/runVerb.ts';
import { openFolder } from './kit/session.ts';
import { serveVerb } from './serve/serve.ts';
import { setupVerb } from './hosts/setup.ts';
import type { Shown } from './kit/outputs.ts';
import type { InputNames } from '../tools/kit/inputNames.ts';
import { usageProblem } from './kit/usageErrors.ts';
import { teamVerbs } from './team/team.ts';
import type { Lines, Verbs } from './kit/verbs.ts';
import { shownIo } from './kit/terminal.ts';
import { keepApart } from './kit/together.ts';
import { reminderVerbs } from './waiting/reminders.ts';
import { watchVerb } from './waiting/watch.ts';
import { workVerbs } from './work/work.ts';

type Register = (program: Command, verbs: Verbs) => void;

/** The families of verbs by their words, in the order of the help. A function each: a family is loaded when it is used. */
export const families: readonly (readonly [words: string, register: () => Register])[] = [
  ['question', () => questionVerbs],
  ['inbox', () => inboxVerb],
  ['open', () => openVerb],
  ['watch', () => watchVerb],
  ['remind reminders', () => reminderVerbs],
  ['work', () => workVerbs],
  ['gate', () => gateVerb],
  ['restore', () => restoreVerb],
  ['check', () => checkVerb],
  ['relationship', () => relationshipVerbs],
  ['dashboard', () => dashboardVerb],
  ['rfc', () => rfcVerbs],
  ['briefing post resolve supersede search', () => memoryVerbs],
  ['request responsibility', () => requestVerbs],
  ['setup', () => setupVerb],
  ['mcp', () => mcpVerb],
  ['serve', () => serveVerb],
  ['hook', () => hookVerb],
  ['keys', () => keysVerb],
  ['team', () => teamVerbs],
  ['audit', () => auditVerb],
  ['attestations', () => attestationVerbs],
  ['mirror', () => mirrorVerb],
  ['import export history', () => movingVerbs],
];

/** The family of the verb that is called; all of them for help, for errors and for whatever else is not plain. */
function familiesFor(argv: readonly string[]): (() => Register)[] {
  const verb = verbIn(argv);
  const named = families.filter(([words]) => words.split(' ').some((word) => word === verb));
  return (named.length > 0 ? named : families).map(([, register]) => register);
}

/** Null if anything but `--workspace DIR` and `--json` is before the verb. */
function verbIn(argv: readonly string[]): string | null {
  for (let place = 0; place < argv.length; place++) {
    const word = argv[place] ?? '';
    if (word === '--workspace') place++;
    else if (word !== '--json') return word.startsWith('-') ? null : word;
  }
  return null;
}

/** @param argv without the program's own name */
export async function main(argv: readonly string[], outside: Io, version: string): Promise<ExitCode> {
  const io = shownIo(outside);
  let code: ExitCode = 0;
  const isJson = argv.includes('--json');
  const verbs: Verbs = {
    io,
    globals: (command) => command.optsWithGlobals<Globals>(),
    async run(command, tool, input, options) {
      const globals = verbs.globals(command);
      try {
        code = await runVerb(io, globals, { ...options, tool: await tool(), input: withoutUndefined(input()) });
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
      // Printed below, with what was probably meant.
      outputError: () => undefined,
    });
  for (const register of familiesFor(argv)) register()(program, verbs);
  groupVerbs(program);
  habitVerbs(program, verbs);
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
    // A call without a verb prints the help, which is no object.
    if (isJson || error.code !== 'commander.help') {
      const usage = new AppError('bad_input', usageProblem(failed, error, argv), { cause: error });
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
