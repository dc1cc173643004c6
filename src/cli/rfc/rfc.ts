/** `holdpoint rfc create|update|show|list|await|review`. Humans approve in the editor. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { count, seconds } from '../kit/arguments.ts';
import { listOptions } from '../kit/lists.ts';
import { untilDecided } from '../kit/awaiting.ts';
import { each, may, pair, toolVerb } from '../kit/toolVerb.ts';
import type { Verbs } from '../kit/verbs.ts';

export function rfcVerbs(program: Command, verbs: Verbs): void {
  const rfc = program.command('rfc').description('designs that agents propose and humans approve (in the editor)');
  toolVerb(verbs, rfc, 'create', {
    about: 'propose a design; it holds what you name until a human approves it',
    tool: async () => (await import('../../tools/rfc/proposeRfc.ts')).proposeRfc,
    takes: {
      ...document,
      affected_workflows: workflow,
      blocked_tasks: task,
      holds,
      for: may('--for <name>', 'a person or responsibility that should review it; everybody can'),
    },
  });
  toolVerb(verbs, rfc, 'update <id>', {
    about: 'revise a design, reply to feedback, submit it, or mark it as implemented',
    tool: async () => (await import('../../tools/rfc/updateRfc.ts')).updateRfc,
    takes: {
      ...{ ...parts, add_workflows: workflow, add_tasks: task, add_holds: holds },
      add_alternatives: alternative,
      add_questions: each('--question <text>', 'another open question'),
      alternatives: each(
        '--replace-alternative <name[: description]>',
        'an alternative; all those given replace the earlier ones',
        alternativeOf,
      ),
      unresolved_questions: each(
        '--replace-question <text>',
        'an open question; all those given replace the earlier ones',
      ),
      section: may(
        '--section <section>',
        'with --file or --markdown: it contains only this section, for example detailed_design',
        asWord,
      ),
      note: may('--note <text>', 'what you changed'),
      replies: each('--reply <thread: text>', 'a reply to feedback', replyOf),
      hand_to: may('--hand-to <agent>', 'an agent that may also change and submit it from now on'),
      for: may('--for <name>', 'the person or responsibility that should review it from now on, or everybody'),
      implemented: may('--implemented', 'the approved design is implemented'),
    },
  });
  toolVerb(verbs, rfc, 'show <id>', {
    about: 'one design in full, with its decisions',
    tool: async () => (await import('../../tools/rfc/getRfc.ts')).getRfc,
    takes: { revision: may('--revision <number>', 'the text of an earlier revision', count) },
  });
  toolVerb(verbs, rfc, 'list', {
    about: 'designs, newest first',
    tool: async () => (await import('../../tools/rfc/listRfcs.ts')).listRfcs,
    takes: {
      ...listOptions('RFCs', 'draft, under-review, approved, rejected, withdrawn or implemented'),
      waiting: may('--waiting', 'only RFCs that wait for a human'),
    },
  });
  toolVerb(verbs, rfc, 'await [id]', {
    ...untilDecided,
    about:
      'wait until a human has decided. Exit 0: approved, and nothing else holds its work; 2: anything else that ends the wait; 3: still waiting',
    tool: async () => (await import('../../tools/question/awaitAnswer.ts')).awaitAnswer,
    takes: { wait_seconds: may('--wait <seconds>', 'stop waiting after this long (the RFC stays open)', seconds) },
  });
  reviewVerb(rfc, verbs);
}

/** Not a tool: a reviewer that agents can call would be under their control. */
function reviewVerb(rfc: Command, { io, inFolder, exit }: Verbs): void {
  rfc
    .command('review <id>')
    .description(
      'have a language model review a design (HOLDPOINT_REVIEWER_URL, _MODEL and _KEY name it); it approves nothing. Exit 2: it asks the author for changes; 3: waiting for a human',
    )
    .action((id: string, _options: unknown, command: Command) =>
      inFolder(command, async (workspace) => {
        const { review } = await import('./review.ts');
        const { code, shown } = await review(io, workspace, id);
        exit(code);
        return shown;
      }),
    );
}

const workflow = each('--blocking-workflow-id <id>', 'a workflow it holds');
const task = each('--blocking-task-id <id>', 'a task it holds');
const holds = each('--holds <glob>', 'files that no agent may edit until it is approved');
const alternative = each('--alternative <name[: description]>', 'an alternative you considered', alternativeOf);
const parts = {
  title: may('--title <title>', 'short name for people; default: the title of the file'),
  file: may('--file <path>', 'a Markdown file in the workspace'),
  markdown: may('--markdown <text>', 'the document itself, in place of a file'),
  summary: may('--summary <text>', 'what is proposed'),
  motivation: may('--motivation <text>', 'why'),
  detailed_design: may('--design <text>', 'how to build it'),
  implementation_timeline: may('--timeline <text>', 'the steps, and when'),
  rollback_plan: may('--rollback <text>', 'how to revert it if it fails'),
  other_sections: each('--other-section <heading: text>', 'another section', sectionOf),
  context_ids: each('--context-id <id>', 'an event, question or RFC it builds on'),
  reasoning_ids: each('--reasoning-id <id>', 'an event, question or RFC that the reasoning relies on'),
  submit: may('--submit', 'submit the finished design to a human'),
};
const document = {
  ...parts,
  alternatives: alternative,
  unresolved_questions: each('--question <text>', 'an open question'),
};

/** `under-review` for `under_review`. */
function asWord(text: string): string {
  return text.replaceAll('-', '_');
}

function sectionOf(given: string) {
  const [heading, text = ''] = pair(given);
  return { heading, text };
}

function alternativeOf(given: string) {
  const [name, description] = pair(given);
  return { name, description };
}

function replyOf(given: string) {
  const [thread, text] = pair(given);
  if (text === undefined || !/^[1-9]\d*$/.test(thread))
    throw new InvalidArgumentError('Give the number of a thread and the reply, such as "2: Done".');
  return { thread: Number(thread), text };
}
