/** Listing questions, and one in full. */
import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import { listQuestions as list, questionView, type QuestionView } from '../../app/question/views.ts';
import { plural, firstLine } from '../../core/kit/text.ts';
import { meantBy, shortAgent } from '../../core/kit/persons.ts';
import { agentId, questionTexts } from '../../core/kit/fields.ts';
import { questionStatus, questionType } from '../../core/kit/words.ts';
import { questionIdField, workIdField } from '../kit/fields.ts';
import { headText, pageFields, pageOf, restText } from '../kit/pages.ts';
import { duration, filesText, namedWork, part, partList } from '../kit/texts.ts';
import { nameOfWork, clock } from '../kit/gateText.ts';
import type { ToolOutputs } from '../kit/outputs.ts';
import { readerOf, type Reader } from '../kit/reader.ts';
import { defineOperation, type ToolContext, type ToolResult } from '../kit/operation.ts';
import { awaitedText } from '../kit/parkingTexts.ts';

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
    const question = questionView(view, input.id);
    if (!question) throw new AppError('not_found', `there is no question ${input.id}`);
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
  const all = `${plural(found.total, 'question')}, ${String(found.pending_count)} pending, ${String(found.sync_count)} sync`;
  const head = headText(found.total, lines.length, all);
  const rest = restText(context, page, lines.length, found.total);
  return {
    status: 'ok',
    text: [head, ...lines, ...rest].join('\n'),
    data: found,
  };
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
