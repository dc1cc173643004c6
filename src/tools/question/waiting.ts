/** Waiting for an answer, replying, parking, withdrawing and listing. */
import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { undeliveredQuestions } from '../../app/waiting/delivery.ts';
import {
  isAskedBack,
  isDecided,
  openQuestionsOfAgent,
  questionsOf,
  withdrawQuestion as withdraw,
  replyToHuman,
  parkQuestion as park,
} from '../../app/question/questions.ts';
import { undeliveredRfcs, listRfcs, rfcSummary, type RfcSummary } from '../../app/rfc/views.ts';
import {
  questionView,
  requireQuestionView,
  type QuestionView,
  listQuestions as list,
} from '../../app/question/views.ts';
import { waitUntil } from '../../app/workspace/waiting.ts';
import {
  waitSeconds,
  note,
  questionIdField,
  many,
  pathField,
  workIdField,
  pageFields,
  pageOf,
  pageText,
} from '../kit/fields.ts';
import { rfcText } from '../rfc/texts.ts';
import { outcomeOf, overallOutcome, rfcOutcomeOf, type Outcome } from '../kit/outcome.ts';
import { heldNote, readerOf, type Reader } from '../kit/reader.ts';
import { defineOperation, guideOf, type ToolContext, type ToolResult } from '../kit/operation.ts';
import { parkingTime } from '../../core/question/parking.ts';
import type { State } from '../../core/state/state.ts';
import {
  outcomeText,
  awaitedText,
  dueText,
  parkedText,
  duration,
  filesText,
  namedWork,
  part,
  partList,
} from '../kit/texts.ts';
import { workspaceRelative } from '../../app/workspace/paths.ts';
import { briefLength, hostSession } from '../../core/records/question.ts';
import { textField, agentId, questionTexts } from '../../core/kit/fields.ts';
import { plural, firstLine } from '../../core/kit/text.ts';
import { meantBy, shortAgent } from '../../core/kit/persons.ts';
import { questionStatus, questionType } from '../../core/kit/words.ts';
import { nameOfWork, clock } from '../kit/gateText.ts';
import type { ToolOutputs } from '../kit/outputs.ts';

export const awaitAnswer = defineOperation({
  name: 'await_answer',
  readOnly: false,
  input: z.strictObject({
    id: z
      .string()
      .regex(/^(?:Q|RFC)-[1-9]\d{0,8}$/, 'must look like Q-12 or RFC-3')
      .optional()
      .describe('A question or RFC, for example "Q-12". Omit it to wait for all your open ones.'),
    wait_seconds: waitSeconds,
  }),
  async run(context, input) {
    const { workspace, session, signal, onTick } = context;
    const reader = readerOf(context);
    const agent = session.actor.id;
    const forMs = input.wait_seconds === undefined ? context.waitMs : input.wait_seconds * 1000;
    const awaited = idsToAwait((await workspace.store()).read());
    if (awaited.questions.length + awaited.rfcs.length === 0)
      return {
        status: 'ok',
        text: `You have no open questions or RFCs: nothing to wait for.${heldNote(reader)}`,
        data: { ...overallOutcome([], reader), questions: [], rfcs: [] },
      };
    const isAsked = (question: QuestionView) => isAskedBack(question, agent);
    const isOver = (now: Seen) => now.questions.some(isAsked) || isSettled(now);
    const asked = awaited.questions.map((id) => ({ id }));
    // RFCs cannot be parked.
    const waitMs = awaited.rfcs.length > 0 ? forMs : waitLimit((await workspace.store()).read(), asked, agent, forMs);
    const seen = await waitUntil(workspace, look, isOver, { forMs: waitMs, signal, onTick });
    const now = (await workspace.store()).read();
    const isOverdue = (question: QuestionView) => awaited.rfcs.length === 0 && isDue(now, question, agent);
    const questions = seen.questions.filter((one) => one.resolution !== null || isAsked(one));
    const first = questions[0] ?? seen.questions[0];
    return {
      status: 'ok',
      text: [
        ...seen.questions.map((one) => (isOverdue(one) ? dueText(one, reader) : awaitedText(one, reader))),
        ...seen.rfcs.map((one) => rfcText(one, reader, agent)),
      ].join('\n'),
      data: {
        ...overallOf(seen, reader),
        ...(first ? { question: first } : {}),
        questions: seen.questions,
        ...(seen.questions.some(isOverdue) ? { parking_due: true as const } : {}),
        ...(seen.rfcs.length === 0 ? {} : { rfcs: seen.rfcs }),
      },
      ...(questions.length + seen.decided.length === 0
        ? {}
        : { delivers: { questions, rfcs: seen.decided, asked: true } }),
    };

    function look(view: StoreView): Seen {
      const rfcs = awaited.rfcs.map((id) => rfcSummary(view, id)).filter((rfc) => rfc !== null);
      const fresh = undeliveredRfcs(view, agent).map(({ id }) => id);
      // A review without objections changes nothing for the author: it does not end the wait.
      const decided = rfcs.filter((rfc) => fresh.includes(rfc.id) && (!rfc.waiting || asksChanges(rfc)));
      return { questions: questionsOf(view, awaited.questions), rfcs, decided };
    }

    function idsToAwait(view: StoreView): { questions: string[]; rfcs: string[] } {
      const { id } = input;
      if (id !== undefined) {
        const isQuestion = id.startsWith('Q-');
        if (isQuestion && questionView(view, id)) return { questions: [id], rfcs: [] };
        if (!isQuestion && rfcSummary(view, id)) return { questions: [], rfcs: [id] };
        throw new AppError('not_found', isQuestion ? `there is no question ${id}` : `there is no ${id}`, {
          advice: ({ name }) => `${name(isQuestion ? 'list_questions' : 'list_rfcs')} lists all.`,
        });
      }
      const rfcs = [...undeliveredRfcs(view, agent), ...listRfcs(view, { agent, waiting: true })];
      return {
        questions: uniqueIds([...undeliveredQuestions(view, agent), ...openQuestionsOfAgent(view, agent)]),
        rfcs: uniqueIds(rfcs),
      };
    }
  },
});

type StoreView = Parameters<typeof rfcSummary>[0];

interface Seen {
  readonly questions: readonly QuestionView[];
  readonly rfcs: readonly RfcSummary[];
  /** Those with a decision that has not reached this agent yet. */
  readonly decided: readonly RfcSummary[];
}

function uniqueIds(items: readonly { readonly id: string }[]): string[] {
  return [...new Set(items.map(({ id }) => id))];
}

/** Something is decided or has expired, or none of them is with a human any more. */
function isSettled({ questions, rfcs, decided }: Seen): boolean {
  if (questions.length > 0 && isDecided(questions)) return true;
  return decided.length > 0 || (questions.length === 0 && rfcs.every(({ waiting }) => !waiting));
}

/** A review that asks for changes ends the wait of the author, who has to revise, though no human has decided. */
function asksChanges({ waiting, last_review }: RfcSummary): boolean {
  return waiting && last_review?.verdict === 'revise';
}

function overallOf({ questions, rfcs, decided }: Seen, reader: Reader): Outcome {
  const revise: Outcome = { result: 'denied', outcome: 'revise', effect: null, approved: null };
  const decidedOutcomeOf = (rfc: RfcSummary) =>
    decided.includes(rfc) && asksChanges(rfc) ? revise : rfcOutcomeOf(rfc, reader);
  const over = decided.length > 0 ? decided : rfcs;
  return overallOutcome([...questions.map((one) => outcomeOf(one, reader)), ...over.map(decidedOutcomeOf)], reader);
}

type Asked = Pick<QuestionView, 'id'>;

interface View {
  readonly state: State;
  /** ISO 8601. */
  readonly now: string;
}

/** Milliseconds until all of these are due for parking, at most `forMs`. */
export function waitLimit(view: View, questions: readonly Asked[], agent: string, forMs: number): number {
  const last = Math.max(0, ...questions.map((one) => timeOf(view, one, agent)));
  return Math.min(forMs, Math.max(0, last - Date.parse(view.now)));
}

/** Whether the wait for this question has become too expensive for its agent. One that holds nothing does not stop it. */
export function isDue(view: View, question: QuestionView, agent: string): boolean {
  const waits = question.resolution === null && question.waiting_for === 'human' && question.holding;
  return waits && Date.parse(view.now) >= timeOf(view, question, agent);
}

function timeOf({ state }: View, { id }: Asked, agent: string): number {
  const question = state.questions.get(id);
  return question?.mode === 'sync' ? parkingTime(state, question, agent) : Infinity;
}

function toldOf(context: ToolContext, question: QuestionView, text: string) {
  return { status: 'ok', text, data: { ...outcomeOf(question, readerOf(context)), question } } as const;
}

export const replyQuestion = defineOperation({
  name: 'reply_question',
  readOnly: false,
  input: z.strictObject({ id: questionIdField, text: note('Your reply, in Markdown.') }),
  async run(context, { id, text }) {
    const store = await context.workspace.store();
    await replyToHuman(store, context.session, id, text);
    const question = requireQuestionView(store.read(), id);
    return toldOf(context, question, `Your reply was sent. ${outcomeText(question, readerOf(context))}`);
  },
});

const briefPart = (what: string) => textField(briefLength).describe(what);

export const parkQuestion = defineOperation({
  name: 'park_question',
  readOnly: false,
  input: z.strictObject({
    id: questionIdField,
    doing: briefPart('What you were doing, for a reader who knows nothing of this session.'),
    next: briefPart('What to do next, for each likely answer.'),
    files: many(pathField).default([]).describe('The files that matter: workspace-relative or absolute paths.'),
    check_first: briefPart('What may have changed by then and should be checked before continuing.').optional(),
    session_id: hostSession
      .optional()
      .describe('The id of your session in your host, if you know it: a human can then resume it.'),
  }),
  async run(context, { id, doing, next, files, check_first: checkFirst, session_id }) {
    const { workspace, session } = context;
    const store = await workspace.store();
    await park(store, session, id, {
      ...{ doing, next },
      files: files.map((file, index) => workspaceRelative(workspace, file, `files[${String(index)}]`)),
      ...(checkFirst === undefined ? {} : { checkFirst }),
      ...(session_id === undefined ? {} : { hostSession: session_id }),
    });
    const question = requireQuestionView(store.read(), id);
    return toldOf(context, question, parkedText(question, guideOf(context)));
  },
});

export const withdrawQuestion = defineOperation({
  name: 'withdraw_question',
  readOnly: false,
  input: z.strictObject({ id: questionIdField, reason: note('Why it needs no answer.') }),
  async run(context, { id, reason }) {
    const question = await withdraw(await context.workspace.store(), context.session, id, reason);
    return toldOf(context, question, outcomeText(question, readerOf(context)));
  },
});

const listInput = z.strictObject({
  id: questionIdField.optional().describe('Returns only this question, in full.'),
  status: questionStatus.optional(),
  all: z.boolean().default(false).describe('Includes finished questions.'),
  agent: agentId.optional().describe('Only questions that this agent asked.'),
  work_id: workIdField.optional(),
  type: questionType.optional(),
  urgent: z.boolean().default(false).describe('Only high and critical questions.'),
  ...pageFields,
});
type ListInput = z.output<typeof listInput>;

export const listQuestions = defineOperation({
  name: 'list_questions',
  readOnly: true,
  input: listInput,
  async run(context, input) {
    const view = (await context.workspace.store()).read();
    if (input.id === undefined) return listed(context, input, view);
    const question = requireQuestionView(view, input.id);
    return { status: 'ok', text: questionInFull(question, readerOf(context)), data: { question } };
  },
});

function isOfWaiting({ id, all, status }: ListInput): boolean {
  return id === undefined && !all && status === undefined;
}

function listed(
  context: ToolContext,
  asked: ListInput,
  view: Parameters<typeof list>[0],
): ToolResult<ToolOutputs['list_questions']> {
  const input = { ...asked, agent: meantBy(context.session.actor.id, asked.agent) };
  const waiting = isOfWaiting(input);
  const page = pageOf(context, input);
  const found = list(view, { ...input, work: input.work_id, waiting, order: 'urgency' }, page);
  const lines = found.questions.map((question) => {
    const state =
      question.resolution ??
      (question.status === 'pending' ? `waiting ${duration(question.time_waiting_ms)}` : question.status);
    const work = question.work ? ` · ${nameOfWork(question.work)}` : '';
    const to = question.for === null ? '' : ` · for ${question.for}`;
    return `${question.id} · ${question.urgency} · ${question.mode} · ${state} · ${question.agent_name}${to}${work} · ${firstLine(question.text, context.listsAll ? 120 : 60)}`;
  });
  const { total, pending_count: pending, sync_count: sync } = found;
  const what = `${plural(total, 'question')}, ${String(pending)} pending, ${String(sync)} sync`;
  return { status: 'ok', text: pageText(context, page, { lines, total, what }), data: found };
}

export function questionInFull(question: QuestionView, reader: Reader): string {
  const { id, type, urgency, mode, agent_id: agent, agent_name: name, raised_at: raised, for: to } = question;
  const asker = name === shortAgent(agent) || name === agent ? name : `${name} (${agent})`;
  return [
    `${id} · ${type} · ${urgency} · ${mode}${to === null ? '' : ` · for ${to}`} · asked by ${asker}, ${clock(raised)}`,
    question.text,
    ...questionTexts.map(({ title, view }) => part(title, question[view])),
    partList(`Choices${question.multiple ? ' (several may be picked)' : ''}`, question.choices.map(choiceLine)),
    question.choices.length > 0 && question.free_text && question.type !== 'approval'
      ? 'Another answer, in words, is possible.'
      : '',
    partList('Alternatives', question.alternatives),
    partList(
      'Files to look at',
      question.files.map(({ path, line }) => (line === undefined ? path : `${path}:${String(line)}`)),
    ),
    part('Work', question.work && nameOfWork(question.work)),
    question.holding && question.blocks.length > 0 ? part('Holds', namedWork(question.blocks)) : '',
    question.cascade.length === 0 ? '' : part('And what depends on it', namedWork(question.cascade)),
    question.holds.length === 0 && !question.all_files ? '' : part('Held files', filesText(question)),
    part('Open question of', question.rfc),
    part('Reopens', question.reopens && `${question.reopens}: ${question.reopen_reason ?? ''}`),
    part('Data', question.payload_json && JSON.stringify(question.payload_json)),
    question.resolution === null ? part('Expires', question.expires_at && clock(question.expires_at)) : '',
    ...question.ask_backs.map(
      ({ asked_by, asked_at, text, reply, replied_by, replied_at }) =>
        `${asked_by} asked back, ${clock(asked_at)}: ${text}\n  ${reply === null ? 'No reply yet.' : `${replied_by ?? agent} replied, ${clock(replied_at ?? asked_at)}: ${reply}`}`,
    ),
    part('Answer taken back', question.revoked && `by ${question.revoked.by}: ${question.revoked.reason}`),
    awaitedText(question, reader),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function choiceLine({ label, description, recommended, effect }: QuestionView['choices'][number]): string {
  const marks = [
    ...(recommended ? ['recommended'] : []),
    ...(effect === undefined ? [] : [effect.replaceAll('_', ' ')]),
  ];
  return `${label}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}${description === undefined ? '' : `: ${description}`}`;
}
