/** Blockers: questions as other programs know them. */
import { Hono, type Context } from 'hono';
import type * as z from 'zod';
import {
  questionView,
  type QuestionView,
  countsOf,
  numberOf,
  questionViews,
  type QuestionList,
} from '../../app/question/views.ts';
import type { Question } from '../../core/state/state.ts';
import { refuse } from '../security/guard.ts';
import type { ProgramEnv } from '../security/sessions.ts';
import { projectOf, bodyOf, queryOf, apiGuide, callOperation, type ApiOptions } from './toolCall.ts';
import { blockerCreate, blockerOwn, blockerQuery, resolution, type Blocker } from './endpoints.ts';
import { raiseQuestion } from '../../tools/question/asking.ts';
import type { ToolOutputs } from '../../tools/kit/outputs.ts';
import { answerLine } from '../../core/kit/text.ts';
import type { View } from '../../store/store.ts';
import { anyRecord, type SignedRecord } from '../../core/records/records.ts';
import { StoreError } from '../../store/journal/problem.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { humanActor } from '../../app/decision/decisions.ts';

// A decision that a human signed elsewhere, as a whole record. Only the signature matters, not who sends it.

const decisions = ['question.answered', 'question.cancelled', 'question.released'] as const;
type SignedDecision = Extract<SignedRecord, { kind: (typeof decisions)[number] }>;

/** @throws AppError `bad_input` for anything but a signed decision on this question */
function signedDecision(id: string, raw: unknown): SignedDecision {
  const parsed = anyRecord.safeParse(raw);
  if (!parsed.success) throw new AppError('bad_input', `record: ${parsed.error.issues[0]?.message ?? 'is malformed'}`);
  if (!isDecision(parsed.data))
    throw new AppError('bad_input', `record: give one of ${decisions.join(', ')}, as it was signed`);
  if (parsed.data.id !== id) throw new AppError('bad_input', `record: it decides ${parsed.data.id}, not ${id}`);
  return parsed.data;
}

function isDecision(record: { readonly kind: string }): record is SignedDecision {
  return decisions.some((kind) => kind === record.kind);
}

/**
 * Records it. A record whose signature is not valid is not written.
 * @throws AppError `not_found`; `conflict` when the question was decided; `denied` for a signature that is not valid
 */
async function recordSigned(workspace: Workspace, record: SignedDecision): Promise<void> {
  const signer = signerOf(workspace.pins(), record);
  const store = await workspace.store();
  try {
    await store.transact(humanActor(signer), ({ state }) => {
      const question = state.questions.get(record.id);
      if (!question) throw new AppError('not_found', `there is no question ${record.id}`);
      if (question.resolution !== null) throw new AppError('conflict', `${record.id} was decided already`);
      return { records: [record], result: null };
    });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'refused') throw error;
    throw new AppError('denied', `this signature is not valid: ${error.message}`, { cause: error });
  } finally {
    workspace.changed();
  }
}

/** For the line's actor. The fold takes the name from the signature. */
function signerOf(pins: readonly PinnedKey[], { envelope }: SignedDecision): PinnedKey {
  const keyids = envelope.signatures.map(({ keyid }) => keyid);
  const found = pins.find(({ keyid }) => keyids.includes(keyid));
  if (found) return found;
  throw new AppError('denied', 'this signature is not valid: its key is not in the list of keys');
}

// A page of questions, newest first, with the counts of the whole selection.

interface PageOptions {
  readonly matches: (question: Question) => boolean;
  /** Id; only questions raised before it. */
  readonly before: string | undefined;
  readonly atMost: number;
}

interface QuestionPage extends QuestionList {
  /** `before` of the next page; null on the last one. */
  readonly nextBefore: string | null;
}

function questionPage(view: View, { matches, before, atMost }: PageOptions): QuestionPage {
  const all = [...view.state.questions.values()].filter(matches).reverse();
  const rest = before === undefined ? all : all.filter(({ id }) => numberOf(id) < numberOf(before));
  const ids = rest.slice(0, atMost).map(({ id }) => id);
  return {
    questions: questionViews(view, ids),
    ...countsOf(all),
    nextBefore: rest.length > atMost ? (ids.at(-1) ?? null) : null,
  };
}

export function blockerRoutes(options: ApiOptions): Hono<ProgramEnv> {
  const { workspace } = options;
  const routes = new Hono<ProgramEnv>();
  const shown = (question: QuestionView) =>
    blockerOf(question, { origin: options.origin(), project: projectOf(workspace) });

  routes.get('/', async (context) => {
    const query = queryOf(context, blockerQuery);
    const { project_id, limit, before } = query;
    if (project_id !== undefined && project_id !== projectOf(workspace))
      refuse(context, {
        ...{ status: 404, code: 'not_found', error: 'Project not found' },
        detail: 'This server has another workspace: leave project_id out, or take it from GET /api/whoami.',
      });
    const view = (await workspace.store()).read();
    const matches = (question: Question) => isWanted(question, query);
    const page = questionPage(view, { matches, before, atMost: limit });
    const { questions, nextBefore, ...counts } = page;
    return context.json({ blockers: questions.map(shown), ...counts, next_before: nextBefore });
  });

  routes.post('/', async (context) => {
    const body = await bodyOf(context, blockerCreate);
    const { agent_id, task_id, blocker_type, question: text } = blockerOwn.parse(body);
    refuseOtherAgent(context, agent_id);
    const mode = blocker_type === 'SYNC' ? 'sync' : 'async';
    const work = task_id == null ? {} : { work_id: task_id };
    const others = Object.entries(body).filter(([name]) => !Object.hasOwn(blockerOwn.shape, name));
    const input = { ...Object.fromEntries(others), ...work, text, mode, wait_seconds: 0 };
    const done = await callOperation(context, options, raiseQuestion, input);
    const data = done.data as unknown as ToolOutputs['raise_question'];
    context.header('location', `/api/blockers/${data.question.id}`);
    return context.json(shown(data.question), data.already || data.earlier ? 200 : 201);
  });

  routes.get('/:id', async (context) => context.json(shown(await namedBlocker(context, options))));

  routes.post('/:id/resolve', async (context) =>
    resolvingRoute(context, options, shown(await namedBlocker(context, options))),
  );
  return routes;
}

function isWanted(question: Question, wanted: z.output<typeof blockerQuery>): boolean {
  const { status, agent_id, task_id, blocker_type, type } = wanted;
  return (
    (status === undefined || statusOf(question) === status) &&
    (agent_id === undefined || question.asker.id === agent_id) &&
    (task_id === undefined || question.work === task_id) &&
    (blocker_type === undefined || question.mode === (blocker_type === 'SYNC' ? 'sync' : 'async')) &&
    (type === undefined || question.facts.type === type)
  );
}

/** 404 for an unknown id. */
async function namedBlocker(context: Context, { workspace }: ApiOptions): Promise<QuestionView> {
  const id = context.req.param('id') ?? '';
  const question = questionView((await workspace.store()).read(), id);
  if (question) return question;
  return refuse(context, {
    ...{ status: 404, code: 'not_found', error: 'Blocker not found' },
    detail: 'GET /api/blockers lists all of this workspace.',
    more: { blocker_id: id },
  });
}

function refuseOtherAgent(context: Context<ProgramEnv>, named: string | undefined): void {
  const { id } = context.get('agent').actor;
  if (named === undefined || named === id) return;
  refuse(context, {
    ...{ status: 403, code: 'denied', error: 'Another agent' },
    detail: `This token acts as ${id}: leave agent_id out, or use a token of ${named}.`,
  });
}

// A question as the API shows it.

export interface ShownIn {
  readonly origin: string;
  readonly project: string | null;
}

export function blockerOf(view: QuestionView, { origin, project }: ShownIn): Blocker {
  return {
    ...view,
    ...{ project_id: project, task_id: view.work?.id ?? null, task_title: view.work?.title ?? null },
    ...{ blocker_type: view.mode === 'sync' ? 'SYNC' : 'ASYNC', question: view.text },
    ...{ answer: view.answer && answerLine(view.answer), status: statusOf(view) },
    ...{ created_at: view.raised_at, resolved_at: view.answered_at, url: `${origin}/open/${view.id}` },
  };
}

/** A human can release what has expired; then it is resolved. */
export function statusOf({
  status,
  resolution,
}: {
  readonly status: QuestionView['status'];
  readonly resolution: unknown;
}): Blocker['status'] {
  if (resolution !== null) return 'RESOLVED';
  return status === 'expired' ? 'EXPIRED' : 'PENDING';
}

// Resolving a blocker: only with a record that a human signed. Agents create blockers; humans resolve them.

async function resolvingRoute(
  context: Context,
  { workspace }: ApiOptions,
  { id, url, resolved_at, resolution: decided }: Blocker,
): Promise<Response> {
  if (decided !== null)
    refuse(context, {
      ...{ status: 409, code: 'conflict', error: 'Blocker already resolved' },
      detail: 'The first decision is valid: read it with GET /api/blockers/{id}.',
      more: { blocker_id: id, resolved_at },
    });
  const body = await bodyOf(context, resolution);
  if (!('record' in body))
    refuse(context, {
      ...{ status: 403, code: 'not_signed', error: 'Only humans resolve blockers' },
      detail: `Nothing was done. A human answers at ${url} or in the editor, with a signature. Wait with ${apiGuide.name('await_answer', { id })}.`,
      more: { blocker_id: id, url },
    });
  await recordSigned(workspace, signedDecision(id, body.record));
  const after = questionView((await workspace.store()).read(), id);
  const status = after && statusOf(after) === 'RESOLVED' ? 'RESOLVED' : 'PENDING';
  return context.json({ blocker_id: id, status, resolved_at: after?.answered_at ?? null });
}
