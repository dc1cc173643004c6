/** What the API takes and returns. The OpenAPI document and the types of the client are made from these schemas. */
import * as z from 'zod';
import { exportedNoteFields } from '../../core/kit/questionNotes.ts';
import { agentId, instant, otherText, questionId, textField, workId } from '../../core/kit/fields.ts';
import { answerEffect, baseStatus, effectiveStatus, questionType, urgency, workKind } from '../../core/kit/words.ts';
import { limits } from '../../core/kit/limits.ts';
import { checkGate } from '../../tools/hold/checkGate.ts';
import { parkQuestion } from '../../tools/question/waiting.ts';
import { raiseQuestion } from '../../tools/question/asking.ts';
import { registerWork, updateWork } from '../../tools/work/work.ts';

export const blockerType = z.enum(['SYNC', 'ASYNC']).describe('SYNC: the work stops. ASYNC: the agent continues.');
export const blockerStatus = z
  .enum(['PENDING', 'RESOLVED', 'EXPIRED'])
  .describe('RESOLVED: a human decided, or the agent withdrew it; `resolution` says which.');

const choice = z.object({
  label: z.string(),
  description: z.string().optional(),
  recommended: z.boolean(),
  effect: answerEffect.optional(),
});

export const blocker = z
  .object({
    id: questionId,
    project_id: z.uuid().nullable(),
    agent_id: z.string(),
    agent_name: z.string(),
    task_id: z.string().nullable(),
    task_title: z.string().nullable(),
    blocker_type: blockerType,
    question: z.string(),
    answer: z.string().nullable().describe('The choices and the text of the answer.'),
    status: blockerStatus,
    created_at: instant,
    resolved_at: instant.nullable(),
    expires_at: instant.nullable(),
    time_waiting_ms: z.int().nonnegative(),
    type: questionType,
    urgency,
    resolution: z.enum(['answered', 'cancelled', 'released', 'withdrawn']).nullable(),
    effect: answerEffect.nullable().describe('What the answer means for the work. Only `proceed` allows it.'),
    approved: z.boolean().nullable().describe('Of an approval: whether it was given.'),
    note: z.string().nullable().describe("The human's reason or note."),
    answered_by: z.string().nullable(),
    signed_with: z.string().nullable(),
    answered_with: z.array(z.string()).describe('Ids of the other questions that the same act answered.'),
    holding: z.boolean().describe('Whether it stops work now. An expired SYNC blocker still does.'),
    blocks: z.array(z.string()).describe('Ids of the work that it stops.'),
    holds: z.array(z.string()).describe('Files that it holds.'),
    waiting_for: z
      .enum(['human', 'agent'])
      .nullable()
      .describe('`agent`: a human asked the agent something, and waits for its reply.'),
    asked_back: z.string().nullable().describe('What a human asked the agent, until the agent replies.'),
    parked: z
      .object({
        ...{ by: z.string(), at: instant, doing: z.string(), next: z.string() },
        files: z.array(z.string()),
        check_first: z.string().nullable(),
      })
      .nullable()
      .describe('The resume brief of an agent that stopped waiting.'),
    choices: z.array(choice),
    multiple: z.boolean(),
    free_text: z.boolean(),
    ...exportedNoteFields(),
    alternatives: z.array(z.string()).describe('What the agent has considered or tried.'),
    files: z.array(z.object({ path: z.string(), line: z.int().optional() })).describe('Files to look at.'),
    payload_json: z.record(z.string(), z.unknown()).nullable().describe('Structured content, or null.'),
    url: z.url().describe('Where a human answers.'),
  })
  .meta({ id: 'Blocker' });
export type Blocker = z.output<typeof blocker>;

export const blockerList = z
  .object({
    blockers: z.array(blocker),
    total: z.int().describe('Of the whole selection, as the other counts.'),
    pending_count: z.int(),
    sync_count: z.int(),
    next_before: questionId.nullable().describe('`before` of the next page; null on the last one.'),
  })
  .meta({ id: 'BlockerList' });

const pageSize = { usual: 100, most: 500 };

export const blockerQuery = z.strictObject({
  project_id: z.string().optional().describe('The id of the workspace; another one is not found.'),
  status: blockerStatus.optional(),
  agent_id: agentId.optional(),
  task_id: workId.optional(),
  blocker_type: blockerType.optional(),
  type: questionType.optional(),
  limit: z.coerce.number().int().min(1).max(pageSize.most).default(pageSize.usual),
  before: questionId.optional().describe('Only blockers raised before this one; newest first.'),
});

const own = z.strictObject({
  agent_id: agentId.optional().describe("Must be the token's agent."),
  task_id: workId.nullish().describe('The work item that it stops. Without one it stops the whole agent.'),
  blocker_type: blockerType.default('SYNC'),
  question: textField(limits.questionText).describe('In Markdown; the first line must be understandable by itself.'),
});
export const blockerCreate = z
  .strictObject({
    ...own.shape,
    ...raiseQuestion.input.omit({ text: true, mode: true, work_id: true, wait_seconds: true }).shape,
  })
  .meta({ id: 'BlockerCreate' });
/** The members that are not the tool's own. */
export const blockerOwn = z.object(own.shape);

export const reason = z.strictObject({ reason: otherText });
export const reply = z.strictObject({ text: otherText });
export const park = parkQuestion.input.omit({ id: true }).meta({ id: 'Park' });
/** Under the usual limit of proxies for a silent connection. */
const longestWaitSeconds = 50;
export const wait = z.strictObject({ wait_seconds: z.number().min(0).max(longestWaitSeconds).default(45) });

export const outcome = z
  .object({
    result: z
      .enum(['proceed', 'refused', 'denied', 'expired', 'withdrawn', 'waiting', 'error'])
      .describe('Only `proceed` allows the work.'),
    outcome: z.string(),
    effect: answerEffect.nullable(),
    approved: z.boolean().nullable(),
    held_by: z.array(z.string()).optional().describe('What holds the work all the same, with `still_held`.'),
    parking_due: z.literal(true).optional().describe('Waiting longer costs too much: park it.'),
    blocker,
  })
  .meta({ id: 'Outcome' });

/** A record as `holdpoint` writes it, with the envelope that a human's key or passkey signed. */
export const resolution = z.union([
  z.strictObject({ record: z.looseObject({ kind: z.string(), envelope: z.looseObject({}) }) }),
  z.strictObject({ answer: z.string() }).describe('Always refused: an answer without a signature resolves nothing.'),
]);
export const resolved = z
  .object({
    blocker_id: questionId,
    status: z.enum(['RESOLVED', 'PENDING']).describe('PENDING: it needs the signatures of more people.'),
    resolved_at: instant.nullable(),
  })
  .meta({ id: 'Resolved' });

export const work = z
  .object({
    id: z.string(),
    kind: workKind,
    title: z.string(),
    status: effectiveStatus.describe('`blocked_…` while it is held.'),
    base_status: baseStatus,
    step: z.string().nullable(),
    workflow: z.string().nullable(),
    depends_on: z.array(z.string()),
    holds: z.array(z.string()),
    assigned_agent: z.string().nullable(),
    blocks: z.array(z.object({ id: z.string(), text: z.string(), via: z.string() })),
    created_by: z.string(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Work' });
export const workList = z.object({ work: z.array(work), total: z.int() }).meta({ id: 'WorkList' });
export const workRegister = registerWork.input.meta({ id: 'WorkRegister' });
export const workUpdate = updateWork.input.omit({ id: true }).meta({ id: 'WorkUpdate' });

export const gateCheck = z
  .strictObject({ task_id: workId.optional(), files: checkGate.input.shape['files'] as z.ZodType<readonly string[]> })
  .meta({ id: 'GateCheck' });
export const gate = z
  .object({
    result: z.enum(['proceed', 'denied']),
    verdict: z.enum(['allow', 'deny']),
    state: z.enum(['CLEAR', 'BLOCKED', 'UNKNOWN']),
    reasons: z.array(z.looseObject({ code: z.string(), subject: z.string() })),
    conditions: z.array(z.string()),
    constraints: z.array(z.string()),
    problem: z.string().nullable(),
    free: z
      .array(z.object({ id: z.string(), title: z.string() }))
      .describe('Work that can be taken, a hundred items at most.'),
    free_count: z.number().int(),
    detail: z.string().describe('What to do.'),
  })
  .meta({ id: 'Gate' });

export const eventQuery = z.strictObject({
  since: z.string().optional().describe('Continue after this position; 0 for everything from the beginning.'),
  type: z
    .string()
    .optional()
    .describe('Only these types of events, or kinds of records, separated by commas. Positions do not change.'),
});

export const whoami = z.object({ agent_id: z.string(), project_id: z.uuid().nullable() }).meta({ id: 'Whoami' });

export const problemBody = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    error: z.string().describe('What was wrong, in a few words.'),
    code: z.string().describe('For programs.'),
    detail: z.string().describe('What was wrong and what to do.'),
    blocker_id: z.string().optional(),
    resolved_at: instant.nullish(),
    url: z.url().optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });
