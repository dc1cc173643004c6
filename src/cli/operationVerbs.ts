/** The verbs of agents, in the order of their help: those that run operations, and what belongs below the same words. */
import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import { listResponsibilities } from '../app/request/views.ts';
import { AppError } from '../app/workspace/errors.ts';
import { plural } from '../core/kit/text.ts';
import type { Operation } from '../tools/kit/operation.ts';
import { closeEvent, getBriefing, postEvent, searchEvents } from '../tools/memory/memory.ts';
import {
  awaitAnswer,
  parkQuestion,
  replyQuestion,
  withdrawQuestion,
  listQuestions,
} from '../tools/question/waiting.ts';
import { raiseQuestion } from '../tools/question/asking.ts';
import { awaitRequest, listRequests, responsibilityLine } from '../tools/request/reading.ts';
import { createRequest, registerResponsibility, respondToRequest } from '../tools/request/writing.ts';
import { getRfc, listRfcs, proposeRfc, updateRfc } from '../tools/rfc/operations.ts';
import { listWork, registerWork, updateWork } from '../tools/work/work.ts';
import { operationVerb, unlessOnlyAsked, untilDecided, verb, type Hint, type Verb } from './kit/verb.ts';

/** Everything but `id`. */
const showing = ({ input }: Operation) => Object.keys(input.shape).filter((name) => name !== 'id');

const alternative: Hint = { flags: '--alternative <name[: description]>', read: alternativeOf };
const task = '--blocking-task-id <id>';
const workflow = '--blocking-workflow-id <id>';
const holds = '--holds <glob>';
const document = {
  detailed_design: '--design <text>',
  implementation_timeline: '--timeline <text>',
  rollback_plan: '--rollback <text>',
  other_sections: { flags: '--other-section <heading: text>', read: sectionOf },
};

const rows: readonly Parameters<typeof operationVerb>[0][] = [
  {
    ...{ words: 'question create', operation: raiseQuestion, ...unlessOnlyAsked },
    help: ['Ask and wait', 'ask a human, wait for the answer, reply, park, withdraw'],
    about: 'ask a human; sync questions hold the work item until a human answers',
    hints: {
      ...{ work_id: task, workflow_id: workflow, if_delayed: '--delay <text>', holds },
      files: { flags: '--file <path[:line]>', read: fileOf },
      choices: { flags: '--choice <label[: description]>', read: choiceOf },
    },
    more: {
      effects: {
        ...{ flags: '--choice-effect <label: effect>', repeat: true, read: effectOf },
        about: 'what picking a choice means: proceed, do-not or stop',
      },
      recommended: { flags: '--recommended <label>', about: 'the choice you recommend' },
    },
    toInput: ({ choices, effects, recommended, ...given }) => ({
      ...given,
      choices: choicesOf((choices as Choice[] | undefined) ?? [], (effects as Effect[] | undefined) ?? [], recommended),
    }),
  },
  {
    ...{ words: 'question show <id>', operation: listQuestions, without: showing(listQuestions) },
    about: 'one question in full',
  },
  {
    ...{ words: 'question list', operation: listQuestions, without: ['id'] },
    about: 'questions that wait for a human, most urgent first',
  },
  {
    ...{ words: 'question reply <id>', operation: replyQuestion },
    about: 'reply to what a human asked you about a question, which keeps waiting for the human',
  },
  {
    ...{ words: 'question park <id>', operation: parkQuestion },
    about: 'stop waiting: leave a resume brief with an open question and end your turn; everything stays held',
  },
  {
    ...{ words: 'question withdraw <id>', operation: withdrawQuestion },
    about: 'withdraw your own async question',
  },
  {
    ...{ words: 'question await [id]', operation: awaitAnswer, ...untilDecided },
    about:
      'wait until a human has decided, or asks you something; without an id: for any of your open questions. Exit 0: proceed; 2: refused, expired, withdrawn or still held by another; 3: still waiting',
  },
  {
    ...{ words: 'work register', operation: registerWork },
    help: ['Work and gate', 'register, update, show and list tasks and workflows'],
    about: 'register a task or workflow before you start it; registering the same id again updates it',
    hints: { holds: '--files <glob>', assigned_agent: '--agent <agent>' },
  },
  {
    ...{ words: 'work update <id>', operation: updateWork },
    about: 'start, step, finish, park or change it. Exit 2: it is held',
    hints: {
      ...{ add_depends_on: '--depends-on <id>', add_holds: '--files <glob>', remove_holds: '--remove-files <glob>' },
      assigned_agent: '--agent <agent>',
    },
  },
  {
    ...{ words: 'work show <id>', operation: listWork, without: showing(listWork) },
    about: 'one work item and its holders',
  },
  {
    ...{ words: 'work list', operation: listWork, without: ['id'] },
    about: 'all work items with their effective status',
  },
  {
    ...{ words: 'rfc create', operation: proposeRfc },
    help: ['RFCs and requests', 'propose a design, revise it, wait for the decision'],
    about: 'propose a design; it holds what you name until a human approves it',
    hints: {
      ...{ ...document, alternatives: alternative, unresolved_questions: '--question <text>' },
      ...{ affected_workflows: workflow, blocked_tasks: task, holds },
    },
  },
  {
    ...{ words: 'rfc update <id>', operation: updateRfc },
    about: 'revise a design, reply to feedback, submit it, or mark it as implemented',
    hints: {
      ...{ ...document, add_alternatives: alternative, add_questions: '--question <text>' },
      ...{ add_workflows: workflow, add_tasks: task, add_holds: holds },
      alternatives: { flags: '--replace-alternative <name[: description]>', read: alternativeOf },
      unresolved_questions: {
        flags: '--replace-question <text>',
        about: 'an open question; all those given replace the earlier ones',
      },
      replies: { flags: '--reply <thread: text>', read: replyOf },
    },
  },
  {
    ...{ words: 'rfc show <id>', operation: getRfc },
    about: 'one design in full, with its decisions',
  },
  {
    ...{ words: 'rfc list', operation: listRfcs },
    about: 'designs, newest first',
  },
  {
    ...{ words: 'rfc await [id]', operation: awaitAnswer, ...untilDecided },
    about:
      'wait until a human has decided. Exit 0: approved, and nothing else holds its work; 2: anything else that ends the wait; 3: still waiting',
  },
  {
    ...{ words: 'briefing [path]', operation: getBriefing },
    help: ['Memory', 'what to know before working here'],
    about: 'show critical warnings, questions and RFCs that wait for a human, and what is known about a file or folder',
    toInput: ({ path, focus = path, ...given }) => ({ ...given, focus }),
  },
  {
    ...{ words: 'post', operation: postEvent },
    help: ['Memory', 'record what others need to know'],
    about: 'record what the next agents and humans who work here need to know',
  },
  {
    ...{ words: 'resolve <id>', operation: closeEvent, without: ['superseded_by'], requires: ['reason'] },
    help: ['Memory', 'close a note that is no longer true'],
    about: 'close a note that is no longer true; becomes a proposal if a human posted it',
  },
  {
    ...{ words: 'supersede <id>', operation: closeEvent, requires: ['superseded_by'] },
    help: ['Memory', 'replace a note by another note'],
    about: 'replace a note by another note; becomes a proposal if a human posted it',
    hints: { superseded_by: '--by <id>' },
  },
  {
    ...{ words: 'search [words...]', operation: searchEvents },
    help: ['Memory', 'search the notes, or read one'],
    about:
      'search the notes; all words must match or begin a word, there are no operators. Without words: the newest notes',
  },
  {
    ...{ words: 'request create', operation: createRequest },
    help: ['RFCs and requests', 'ask another responsibility, respond, wait'],
    about: 'ask another responsibility to consider something',
    hints: {
      ...{
        suggested_actions: '--action <text>',
        bundle_ids: '--bundle <id>',
        suggested_responsibilities: '--suggest <id>',
      },
      ...{ ingest_request_id: '--ingest <id>', body_md_path: '--body <path>', origin_mandate_id: '--mandate <id>' },
      ...{ source_context: '--source <text>', idempotency_key: '--key <key>' },
      sla_response_seconds: '--sla-response <seconds>',
      sla_completion_seconds: '--sla-completion <seconds>',
    },
  },
  {
    ...{ words: 'request list', operation: listRequests, without: ['id'] },
    about: 'requests, in the order to handle them',
  },
  {
    ...{ words: 'request show <id>', operation: listRequests, without: showing(listRequests) },
    about: 'one request in full, with its history',
  },
  {
    ...{ words: 'request respond <id>', operation: respondToRequest },
    about: 'accept (claims it), defer, reject, complete or cancel; humans answer their requests in the editor',
    hints: { work: { flags: '--work <id: title>', read: workOf }, requests: '--dispatched <id>' },
  },
  {
    ...{ words: 'request await [id]', operation: awaitRequest, ...untilDecided },
    about:
      'wait until a request has ended. Exit 0: completed; 2: rejected, cancelled, expired, or you are still held; 3: still open',
  },
  {
    ...{ words: 'responsibility register', operation: registerResponsibility },
    help: ['RFCs and requests', 'register what you are responsible for; list all'],
    about: 'register what you are responsible for; stewards and humans are appointed in the editor',
  },
];

/** Not operations: a reviewer that agents can call would be under their control. */
const others: readonly Verb[] = [
  verb({
    words: 'rfc review <id>',
    about:
      'have a language model review a design (HOLDPOINT_REVIEWER_URL, _MODEL and _KEY name it); it approves nothing. Exit 2: it asks the author for changes; 3: waiting for a human',
    input: z.strictObject({ id: z.string() }),
    run: async ({ io, workspace }, { id }) => (await import('./rfc/review.ts')).review(io, workspace, id),
  }),
  verb({
    words: 'responsibility list',
    about: 'the responsibilities of this workspace',
    async run(call) {
      const responsibilities = listResponsibilities((await call.known().store()).read());
      const total = responsibilities.length;
      return {
        text: [plural(total, 'responsibility', 'responsibilities'), ...responsibilities.map(responsibilityLine)].join(
          '\n',
        ),
        schema: 'responsibility_list',
        data: { responsibilities, total },
      };
    },
  }),
];

export const operationVerbs: readonly Verb[] = [...rows.map(operationVerb), ...others];

/** Splits a pair that an option gives as `what: more`. */
function pair(text: string): readonly [string, string | undefined] {
  const [, first = text, second] = /^(.*?):\s+(.*)$/s.exec(text) ?? [];
  return [first, second];
}

type Choice = ReturnType<typeof choiceOf>;

/** `Label: what it means` */
function choiceOf(text: string) {
  const [label, description] = pair(text);
  return { label, description };
}

type Effect = ReturnType<typeof effectOf>;

/** `Label: do-not` */
function effectOf(text: string) {
  const [label, effect] = pair(text);
  return { label, effect: effect?.replaceAll('-', '_') };
}

/** @throws AppError `bad_input` if an effect matches no choice: it would be lost */
function choicesOf(choices: readonly Choice[], effects: readonly Effect[], recommended: unknown) {
  const stray = effects.find(
    ({ label, effect }) => effect === undefined || !choices.some((one) => one.label === label),
  );
  if (stray)
    throw new AppError('bad_input', `--choice-effect: give the label of a choice and its effect ("No: do-not")`);
  if (choices.length === 0) return undefined;
  return choices.map((one) => ({
    ...one,
    recommended: one.label === recommended,
    effect: effects.find(({ label }) => label === one.label)?.effect,
  }));
}

/** `src/login.ts:12` */
function fileOf(text: string) {
  const [, path = text, line] = /^(.*):(\d+)$/.exec(text) ?? [];
  return line === undefined ? { path } : { path, line: Number(line) };
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

/** `t-1: Look at it` */
function workOf(text: string) {
  const [, id = text, title = text] = /^([^\s:]+):\s+(.*)$/s.exec(text) ?? [];
  return { id, title };
}
