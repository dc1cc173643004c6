/** Raising a question. */
import * as z from 'zod';
import { requireWorkflow } from '../../app/workspace/errors.ts';
import { workspaceRelative } from '../../app/workspace/paths.ts';
import { awaitOutcome, isAskedBack, raiseQuestion as raise, type Raised } from '../../app/question/questions.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { recordPayload, recordNotes, textInputs, addressee, textField } from '../../core/kit/fields.ts';
import { answerEffect, questionMode, questionType, urgency } from '../../core/kit/words.ts';
import { limits } from '../../core/kit/limits.ts';
import { holdsField, many, note, pathField, payloadField, waitSeconds, workIdField } from '../kit/fields.ts';
import { outcomeOf } from '../kit/outcome.ts';
import { earlierText, awaitedText, dueText } from '../kit/texts.ts';
import { isDue, waitLimit } from './waiting.ts';
import { readerOf } from '../kit/reader.ts';
import { defineOperation, guideOf, type ToolContext, type ToolResult } from '../kit/operation.ts';
import type { ToolOutputs } from '../kit/outputs.ts';
import { missingIn, sameOpen, type Missing } from '../../core/question/question.ts';
import type { Guide } from '../../core/kit/guide.ts';
import { isWhole, type State } from '../../core/state/state.ts';

const choice = z.strictObject({
  label: textField(limits.title).describe('What the human picks.'),
  description: note('What picking it means.').optional(),
  recommended: z.boolean().default(false).describe('True for the choice you recommend.'),
  effect: answerEffect
    .optional()
    .describe(
      'What picking it means for your work: proceed, do_not (not this; the rest may continue another way) or stop (the work stops). The human can change it.',
    ),
});

const file = z.strictObject({
  path: pathField.describe('Workspace-relative or absolute path.'),
  line: z.int().positive().optional(),
});

export const raiseQuestion = defineOperation({
  name: 'raise_question',
  readOnly: false,
  input: z.strictObject({
    text: textField(limits.questionText).describe(
      'The question, in Markdown, up to 2,000 characters. Ask one thing, and make the first line understandable by itself.',
    ),
    type: questionType
      .default('clarification')
      .describe('clarification: which way? decision: should I? approval: yes or no, always sync.'),
    urgency: urgency
      .default('medium')
      .describe('low: can wait for days; medium: hours; high: blocks work now; critical: stops the whole workflow.'),
    mode: questionMode.default('sync').describe('sync: you stop. async: you continue on the assumption.'),
    work_id: workIdField.optional().describe('The work item it stops. Without one it stops your whole session.'),
    also_work_ids: many(workIdField).default([]).describe('More work items it stops.'),
    workflow_id: workIdField.optional().describe('A workflow it stops, instead of a work item or in addition to it.'),
    choices: z
      .array(choice)
      .max(limits.choices)
      .default([])
      .describe('Answers to pick from, if any. Not for approvals.'),
    multiple: z.boolean().default(false).describe('True if several choices may be picked.'),
    free_text: z.boolean().default(true).describe('False if the human must pick one of the choices.'),
    ...textInputs(),
    alternatives: many(note('An alternative you considered, and why you rejected it.')).default([]),
    files: many(file).default([]).describe('Files to look at, as context. They are not held.'),
    holds: holdsField.default([]),
    for: addressee
      .optional()
      .describe('A person or responsibility that should answer, for example "ada" or "security". Everyone can answer.'),
    payload_json: payloadField('Free JSON object that an integration keeps with the question; the human sees it.'),
    reopen_reason: note('Only if this was answered before: why that answer no longer applies.').optional(),
    wait_seconds: waitSeconds,
  }),
  async run(context, input) {
    const { workspace, session } = context;
    const forMs = input.wait_seconds === undefined ? context.waitMs : input.wait_seconds * 1000;
    const { workflow_id: workflow } = input;
    const { state } = workspace.standing();
    if (workflow !== undefined && state) requireWorkflow(state, workflow, 'workflow_id');
    const raised = await raise(await workspace.store(), session, {
      text: input.text,
      type: input.type,
      urgency: input.urgency,
      mode: input.mode,
      ...workOf(input.work_id, [...(workflow === undefined ? [] : [workflow]), ...input.also_work_ids]),
      choices: input.choices,
      multiple: input.multiple,
      freeText: input.free_text,
      ...recordNotes(input),
      ...recordPayload(input.payload_json),
      alternatives: input.alternatives,
      files: relativeFiles(workspace, input.files),
      holds: input.holds,
      reopenReason: input.reopen_reason,
    });
    workspace.changed();
    return resultOf(context, raised, forMs);
  },
});

type RaiseResult = Promise<ToolResult<ToolOutputs['raise_question']>>;

async function resultOf(context: ToolContext, { question, already, earlier }: Raised, forMs: number): RaiseResult {
  const { workspace, session, signal, onTick } = context;
  const reader = readerOf(context);
  if (earlier)
    return {
      status: 'ok',
      text: earlierText(question, workspace.now(), reader),
      data: { ...outcomeOf(question, reader), already, earlier, question },
      ...(question.recipient === session.actor.id ? { delivers: { questions: [question], asked: false } } : {}),
    };
  const agent = session.actor.id;
  const [after = question] = question.mode === 'sync' ? await waited() : [];
  const isNews = after.resolution !== null || isAskedBack(after, agent);
  const view = (await workspace.store()).read();
  const due = isDue(view, after, agent);
  const advice = already ? null : adviceFor(view, after.id, guideOf(context));
  const intro = already && after.resolution === null ? `You asked this before: it is ${after.id}. ` : '';
  return {
    status: 'ok',
    text: intro + (due ? dueText : awaitedText)(after, reader) + (advice ? `\n${advice.text}` : ''),
    data: {
      ...outcomeOf(after, reader),
      already,
      earlier,
      question: after,
      ...(due ? { parking_due: true as const } : {}),
      ...(advice ? { missing: advice.missing } : {}),
    },
    ...(isNews ? { delivers: { questions: [after], asked: false } } : {}),
  };

  async function waited() {
    const view = (await workspace.store()).read();
    const waitMs = waitLimit(view, [question], agent, forMs);
    return awaitOutcome(workspace, [question.id], agent, { forMs: waitMs, signal, onTick });
  }
}

/** The first work item is the question's own: repeats of the question are recognized by it, and the outcome goes to its assignee. */
function workOf(work: string | undefined, also: readonly string[]): { work: string | null; alsoWork?: string[] } {
  const [first = null, ...more] = new Set([...(work === undefined ? [] : [work]), ...also]);
  return { work: first, ...(more.length === 0 ? {} : { alsoWork: more }) };
}

function relativeFiles(workspace: Workspace, files: readonly { path: string; line?: number | undefined }[]) {
  return files.map(({ path, line }, index) => ({
    path: workspaceRelative(workspace, path, `files[${String(index)}].path`),
    ...(line === undefined ? {} : { line }),
  }));
}

const words: Readonly<Record<Missing, (same: string) => string>> = {
  background: () => 'why you ask and what you found (background, context, impact or files)',
  choices: () => 'the choices that its text names (choices)',
  recommendation: () => 'the choice that you recommend (recommended)',
  assumption: () => 'what you assume until the answer comes (assumption)',
  same_question: (same) => `how it differs from ${same}, which asks the same and is still open`,
};

/** Null for an undecided question that lacks nothing, and for one that is over. */
export function adviceFor({ state }: { readonly state: State }, id: string, guide: Guide) {
  const question = state.questions.get(id);
  if (question?.resolution !== null || !isWhole(question)) return null;
  const missing = missingIn(state, question);
  if (missing.length === 0) return null;
  const lacks = missing.map((one) => words[one](sameOpen(state, question) ?? '')).join('; ');
  const next =
    question.mode === 'sync'
      ? 'It stays as it is and holds its work. Have this ready in case the human asks for it, and give it with your next question.'
      : `You can withdraw it with ${guide.name('withdraw_question', { id, reason: '…' })} and ask again with these.`;
  return { text: `A human could answer ${id} faster if it said: ${lacks}. ${next}`, missing };
}
