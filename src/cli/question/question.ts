/** `holdpoint question create|show|list|reply|withdraw|await`. Humans answer in the editor. */
import type { Command } from 'commander';
import { AppError } from '../../app/workspace/errors.ts';
import { jsonObject, seconds } from '../kit/arguments.ts';
import { listOptions } from '../kit/lists.ts';
import { unlessOnlyAsked, untilDecided } from '../kit/awaiting.ts';
import { each, may, must, pair, toolVerb } from '../kit/toolVerb.ts';
import type { Verbs } from '../kit/verbs.ts';

const listQuestions = async () => (await import('../../tools/question/listQuestions.ts')).listQuestions;

export function questionVerbs(program: Command, verbs: Verbs): void {
  const question = program
    .command('question')
    .description('questions that agents ask and humans answer (in the editor)');
  toolVerb(verbs, question, 'create', {
    ...unlessOnlyAsked,
    about: 'ask a human; sync questions hold the work item until a human answers',
    tool: async () => (await import('../../tools/question/raiseQuestion.ts')).raiseQuestion,
    takes: {
      text: must('--text <text>', 'the question, in Markdown'),
      work_id: may('--blocking-task-id <id>', 'the work item it holds'),
      workflow_id: may('--blocking-workflow-id <id>', 'the workflow it holds; with a task, both'),
      urgency: may('--urgency <urgency>', 'low, medium, high or critical'),
      type: may('--type <type>', 'clarification, decision or approval'),
      mode: may('--mode <mode>', 'sync: you stop; async: you continue on --assumption'),
      context: may('--context <text>', 'the code or text it is about'),
      impact: may('--impact <text>', 'the impact, for example "Delays API tokens by 2 days"'),
      background: may('--background <text>', 'why you ask'),
      if_delayed: may('--delay <text>', 'what happens if the answer comes late'),
      payload_json: may('--payload-json <json>', 'a JSON object that an integration keeps with it', jsonObject),
      alternatives: each('--alternative <text>', 'an alternative you considered'),
      files: each('--file <path[:line]>', 'a file to look at', fileOf),
      holds: each('--holds <glob>', 'files that no agent may edit until it is answered'),
      choices: each('--choice <label[: description]>', 'an answer to pick', choiceOf),
      effects: each(
        '--choice-effect <label: effect>',
        'what picking a choice means: proceed, do-not or stop',
        effectOf,
      ),
      recommended: may('--recommended <label>', 'the choice you recommend'),
      multiple: may('--multiple', 'several choices may be picked'),
      free_text: may('--no-free-text', 'one of the choices must be picked'),
      for: may('--for <name>', 'a person or responsibility that should answer; everybody can'),
      assumption: may('--assumption <text>', 'async: what you assume until then'),
      reopen_reason: may('--reopen-reason <text>', 'answered before: why that answer no longer applies'),
      wait_seconds: may('--wait <seconds>', 'wait this long for the answer', seconds),
    },
    input: ({ choices, effects, recommended, ...given }) => ({
      ...given,
      choices: choicesOf((choices as Choice[] | undefined) ?? [], (effects as Effect[] | undefined) ?? [], recommended),
    }),
  });
  toolVerb(verbs, question, 'show <id>', { about: 'one question in full', tool: listQuestions });
  toolVerb(verbs, question, 'list', {
    about: 'questions that wait for a human, most urgent first',
    tool: listQuestions,
    takes: {
      ...listOptions('questions', 'pending, answered, cancelled or expired'),
      type: may('--type <type>', 'clarification, decision or approval'),
      all: may('--all', 'include finished questions'),
      urgent: may('--urgent', 'only high and critical questions'),
    },
  });
  toolVerb(verbs, question, 'reply <id>', {
    about: 'reply to what a human asked you about a question; it goes on waiting for the human',
    tool: async () => (await import('../../tools/question/replyQuestion.ts')).replyQuestion,
    takes: { text: must('--text <text>', 'the reply, in Markdown') },
  });
  toolVerb(verbs, question, 'park <id>', {
    about: 'stop waiting: leave a resume brief with an open question and end your turn; everything stays held',
    tool: async () => (await import('../../tools/question/parkQuestion.ts')).parkQuestion,
    takes: {
      doing: must('--doing <text>', 'what you were doing'),
      next: must('--next <text>', 'what comes next once the answer is there'),
      files: each('--file <path>', 'a file that matters'),
      check_first: may('--check-first <text>', 'what to check before going on'),
      session_id: may('--session-id <id>', 'the id of your session in your host, so that a human can resume it'),
    },
  });
  toolVerb(verbs, question, 'withdraw <id>', {
    about: 'take back an async question of your own',
    tool: async () => (await import('../../tools/question/withdrawQuestion.ts')).withdrawQuestion,
    takes: { reason: must('--reason <text>', 'why it needs no answer') },
  });
  toolVerb(verbs, question, 'await [id]', {
    ...untilDecided,
    about:
      'wait until a human has decided, or asks you something; without an id: for any of your open questions. Exit 0: proceed; 2: refused, expired, withdrawn or still held by another; 3: still waiting',
    tool: async () => (await import('../../tools/question/awaitAnswer.ts')).awaitAnswer,
    takes: {
      wait_seconds: may('--wait <seconds>', 'stop waiting after this long (the question stays open)', seconds),
    },
  });
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
