/** `holdpoint question create|show|list|await` (seed 000, "CLI Command Distribution"; its human verbs are forms in the editor). */
import type { Command } from 'commander';
import type { ToolResult } from '../../tools/kit/tool.ts';
import { collect, seconds } from '../kit/arguments.ts';
import type { ExitCode } from '../kit/io.ts';
import type { Verbs } from '../kit/verbs.ts';

/** Tools are loaded when they are called: a gate in the same program must not wait for them. */
const raiseQuestion = async () => (await import('../../tools/question/raiseQuestion.ts')).raiseQuestion;
const awaitAnswer = async () => (await import('../../tools/question/awaitAnswer.ts')).awaitAnswer;
const listQuestions = async () => (await import('../../tools/question/listQuestions.ts')).listQuestions;

interface CreateOptions {
  text: string;
  blockingTaskId?: string;
  blockingWorkflowId?: string;
  urgency?: string;
  type?: string;
  mode?: string;
  context?: string;
  impact?: string;
  background?: string;
  delay?: string;
  alternative: string[];
  file: string[];
  holds: string[];
  choice: string[];
  recommended?: string;
  multiple?: boolean;
  freeText: boolean;
  assumption?: string;
  reopenReason?: string;
  wait?: number;
}

export function questionVerbs(program: Command, { run }: Verbs): void {
  const question = program
    .command('question')
    .description('questions that agents ask and humans answer (in the editor)');
  question
    .command('create')
    .description('ask a human; sync questions hold the work item until a human answers')
    .requiredOption('--text <text>', 'the question, in Markdown')
    .option('--blocking-task-id <id>', 'the work item it holds')
    .option('--blocking-workflow-id <id>', 'the workflow it holds')
    .option('--urgency <urgency>', 'low, medium, high or critical')
    .option('--type <type>', 'clarification, decision or approval')
    .option('--mode <mode>', 'sync: you stop; async: you go on, on --assumption')
    .option('--context <text>', 'the code or text it is about')
    .option('--impact <text>', 'what it costs')
    .option('--background <text>', 'why you ask')
    .option('--delay <text>', 'what happens if the answer comes late')
    .option('--alternative <text>', 'a way you considered (repeat)', collect, [])
    .option('--file <path[:line]>', 'a file to look at (repeat)', collect, [])
    .option('--holds <glob>', 'files nobody may edit meanwhile (repeat)', collect, [])
    .option('--choice <label[: description]>', 'an answer to pick (repeat)', collect, [])
    .option('--recommended <label>', 'the choice you would take')
    .option('--multiple', 'several choices may be picked')
    .option('--no-free-text', 'one of the choices must be picked')
    .option('--assumption <text>', 'async: what you go on with')
    .option('--reopen-reason <text>', 'answered before: why that answer no longer fits')
    .option('--wait <seconds>', 'wait that long for the answer', seconds)
    .action((options: CreateOptions, command: Command) => run(command, raiseQuestion, createInput(options)));
  question
    .command('show <id>')
    .description('one question in full')
    .action((id: string, _options: unknown, command: Command) => run(command, listQuestions, { id }));
  question
    .command('list')
    .description('questions, newest first')
    .option('--status <status>', 'pending, answered, cancelled or expired')
    .option('--agent <agent>', 'only those of one agent')
    .option('--work <id>', 'only those on one work item')
    .option('--type <type>', 'clarification, decision or approval')
    .option('--urgent', 'only high and critical ones')
    .action(
      (
        options: { status?: string; agent?: string; work?: string; type?: string; urgent?: boolean },
        command: Command,
      ) =>
        run(command, listQuestions, {
          status: options.status,
          agent: options.agent,
          work_id: options.work,
          type: options.type,
          urgent: options.urgent ?? false,
        }),
    );
  question
    .command('await [id]')
    .description(
      'wait until a human has decided; without an id: any of your open questions. Exit 2 while it still waits',
    )
    .option('--wait <seconds>', 'give up waiting after that long (the question stands)', seconds)
    .action((id: string | undefined, options: { wait?: number }, command: Command) =>
      run(command, awaitAnswer, { id, wait_seconds: options.wait }, { waitMs: Infinity, exitCode: exitUnlessDecided }),
    );
}

/** `none`: there is nothing to wait for. */
const goesOn: ReadonlySet<string> = new Set(['answered', 'cancelled', 'released', 'approved', 'implemented', 'none']);

/** A script that goes on after `await` must not go on while nobody has decided, nor after a no. */
export function exitUnlessDecided(result: ToolResult): ExitCode {
  return goesOn.has(String(result.data['outcome'])) ? 0 : 2;
}

function createInput(options: CreateOptions) {
  return {
    text: options.text,
    type: options.type,
    urgency: options.urgency,
    mode: options.mode,
    work_id: options.blockingTaskId ?? options.blockingWorkflowId,
    choices:
      options.choice.length === 0 ? undefined : options.choice.map((text) => choiceOf(text, options.recommended)),
    multiple: options.multiple,
    free_text: options.freeText,
    background: options.background,
    context: options.context,
    impact: options.impact,
    if_delayed: options.delay,
    alternatives: options.alternative,
    files: options.file.map(fileOf),
    holds: options.holds,
    assumption: options.assumption,
    reopen_reason: options.reopenReason,
    wait_seconds: options.wait,
  };
}

/** `Label: what it means` */
function choiceOf(text: string, recommended: string | undefined) {
  const [, label = text, description] = /^(.*?):\s+(.*)$/s.exec(text) ?? [];
  return { label, description, recommended: label === recommended };
}

/** `src/login.ts:12` */
function fileOf(text: string) {
  const [, path = text, line] = /^(.*):(\d+)$/.exec(text) ?? [];
  return line === undefined ? { path } : { path, line: Number(line) };
}
