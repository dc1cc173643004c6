/** `holdpoint rfc create|update|show|list|await` (seed 000, "CLI Command Distribution"; its human verbs are forms in the editor). */
import type { Command } from 'commander';
import { collect, seconds } from '../kit/arguments.ts';
import { exitUnlessDecided } from '../question/question.ts';
import type { Verbs } from '../kit/verbs.ts';

const proposeRfc = async () => (await import('../../tools/rfc/proposeRfc.ts')).proposeRfc;
const updateRfc = async () => (await import('../../tools/rfc/updateRfc.ts')).updateRfc;
const getRfc = async () => (await import('../../tools/rfc/getRfc.ts')).getRfc;
const listRfcs = async () => (await import('../../tools/rfc/listRfcs.ts')).listRfcs;
const awaitAnswer = async () => (await import('../../tools/question/awaitAnswer.ts')).awaitAnswer;

interface DocumentOptions {
  title?: string;
  file?: string;
  summary?: string;
  motivation?: string;
  design?: string;
  timeline?: string;
  rollback?: string;
  otherSection: string[];
  alternative: string[];
  question: string[];
  blockingWorkflowId: string[];
  blockingTaskId: string[];
  holds: string[];
  contextId: string[];
  reasoningId: string[];
  submit?: boolean;
}

interface UpdateOptions extends DocumentOptions {
  section?: string;
  note?: string;
  reply: string[];
  implemented?: boolean;
}

export function rfcVerbs(program: Command, { run }: Verbs): void {
  const rfc = program.command('rfc').description('designs that agents propose and humans approve (in the editor)');
  withDocument(rfc.command('create'))
    .description('propose a design; it holds what you name until a human approves it')
    .action((options: DocumentOptions, command: Command) =>
      run(command, proposeRfc, {
        ...documentInput(options),
        affected_workflows: options.blockingWorkflowId,
        blocked_tasks: options.blockingTaskId,
        holds: options.holds,
      }),
    );
  withDocument(rfc.command('update <id>'))
    .description('revise a design, reply to feedback, submit it, or mark it as implemented')
    .option('--section <section>', 'with --file: the file is just this section, for example detailed_design')
    .option('--note <text>', 'what you changed')
    .option('--reply <thread: text>', 'a reply to feedback (repeat)', collect, [])
    .option('--implemented', 'what was approved is built')
    .action((id: string, options: UpdateOptions, command: Command) =>
      run(command, updateRfc, {
        id,
        ...documentInput(options),
        section: options.section?.replaceAll('-', '_'),
        note: options.note,
        replies: options.reply.map(replyOf),
        add_workflows: options.blockingWorkflowId,
        add_tasks: options.blockingTaskId,
        add_holds: options.holds,
        implemented: options.implemented,
      }),
    );
  rfc
    .command('show <id>')
    .description('one design in full, with what was decided')
    .option('--revision <number>', 'the text of an earlier revision')
    .action((id: string, options: { revision?: string }, command: Command) =>
      run(command, getRfc, { id, revision: options.revision === undefined ? undefined : Number(options.revision) }),
    );
  rfc
    .command('list')
    .description('designs, newest first')
    .option('--status <status>', 'draft, under-review, approved, rejected, withdrawn or implemented')
    .option('--agent <agent>', 'only those of one agent')
    .option('--work <id>', 'only those that name one work item')
    .option('--waiting', 'only those that wait for a human')
    .action((options: { status?: string; agent?: string; work?: string; waiting?: boolean }, command: Command) =>
      run(command, listRfcs, {
        status: options.status?.replaceAll('-', '_'),
        agent: options.agent,
        work_id: options.work,
        waiting: options.waiting,
      }),
    );
  rfc
    .command('await [id]')
    .description('wait until a human has decided. Exit 2 while it still waits, and for anything but an approval')
    .option('--wait <seconds>', 'give up waiting after that long (the RFC stands)', seconds)
    .action((id: string | undefined, options: { wait?: number }, command: Command) =>
      run(command, awaitAnswer, { id, wait_seconds: options.wait }, { waitMs: Infinity, exitCode: exitUnlessDecided }),
    );
}

function withDocument(command: Command): Command {
  return command
    .option('--title <title>', 'short name for people; left out: the title of the file')
    .option('--file <path>', 'a Markdown file of the workspace')
    .option('--summary <text>', 'what is proposed')
    .option('--motivation <text>', 'why')
    .option('--design <text>', 'how it is to be built')
    .option('--timeline <text>', 'in which steps, and when')
    .option('--rollback <text>', 'how to get back if it fails')
    .option('--other-section <heading: text>', 'a further section (repeat)', collect, [])
    .option('--alternative <name[: description]>', 'another way you considered (repeat)', collect, [])
    .option('--question <text>', 'a question that is still open (repeat)', collect, [])
    .option('--blocking-workflow-id <id>', 'a workflow it holds (repeat)', collect, [])
    .option('--blocking-task-id <id>', 'a task it holds (repeat)', collect, [])
    .option('--holds <glob>', 'files nobody may edit meanwhile (repeat)', collect, [])
    .option('--context-id <id>', 'an event, question or RFC it builds on (repeat)', collect, [])
    .option('--reasoning-id <id>', 'an event, question or RFC it was reasoned from (repeat)', collect, [])
    .option('--submit', 'it is finished: lay it before a human');
}

function documentInput(options: DocumentOptions) {
  return {
    title: options.title,
    file: options.file,
    summary: options.summary,
    motivation: options.motivation,
    detailed_design: options.design,
    implementation_timeline: options.timeline,
    rollback_plan: options.rollback,
    other_sections: someOf(options.otherSection.map(sectionOf)),
    alternatives: someOf(options.alternative.map(alternativeOf)),
    unresolved_questions: someOf(options.question),
    context_ids: options.contextId,
    reasoning_ids: options.reasoningId,
    submit: options.submit,
  };
}

/** An option that was not given changes nothing. */
function someOf<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}

const split = (text: string) => /^(.*?):\s+(.*)$/s.exec(text) ?? [];

function sectionOf(given: string) {
  const [, heading = given, text = ''] = split(given);
  return { heading, text };
}

function alternativeOf(given: string) {
  const [, name = given, description] = split(given);
  return { name, description };
}

function replyOf(given: string) {
  const [, thread = given, text = ''] = split(given);
  return { thread: Number(thread), text };
}
