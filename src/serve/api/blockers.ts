/** Blockers: questions as other programs know them. */
import { Hono, type Context } from 'hono';
import type * as z from 'zod';
import { questionPage } from '../../app/question/page.ts';
import { questionView, type QuestionView } from '../../app/question/views.ts';
import type { Question } from '../../core/state/state.ts';
import { problem } from '../security/guard.ts';
import type { ProgramEnv } from '../security/sessions.ts';
import { projectOf, bodyOf, queryOf, apiGuide, callOperation, type ApiOptions } from './toolCall.ts';
import { blockerCreate, blockerOwn, blockerQuery, resolution, type Blocker } from './schemas.ts';
import { raiseQuestion } from '../../tools/question/asking.ts';
import type { ToolOutputs } from '../../tools/kit/outputs.ts';
import { answerLine } from '../../core/kit/answerLine.ts';
import { recordSigned, signedDecision } from '../../app/decision/signedElsewhere.ts';

export function blockerRoutes(options: ApiOptions): Hono<ProgramEnv> {
  const { workspace } = options;
  const routes = new Hono<ProgramEnv>();
  const shown = (question: QuestionView) =>
    blockerOf(question, { origin: options.origin(), project: projectOf(workspace) });

  routes.get('/', async (context) => {
    const query = queryOf(context, blockerQuery);
    if ('refusal' in query) return query.refusal;
    const { project_id, limit, before } = query.value;
    if (project_id !== undefined && project_id !== projectOf(workspace))
      return problem(context, {
        ...{ status: 404, code: 'not_found', error: 'Project not found' },
        detail: 'This server has another workspace: leave project_id out, or take it from GET /api/whoami.',
      });
    const view = (await workspace.store()).read();
    const matches = (question: Question) => isWanted(question, query.value);
    const page = questionPage(view, { matches, before, atMost: limit });
    const { questions, nextBefore, ...counts } = page;
    return context.json({ blockers: questions.map(shown), ...counts, next_before: nextBefore });
  });

  routes.post('/', async (context) => {
    const body = await bodyOf(context, blockerCreate);
    if ('refusal' in body) return body.refusal;
    const { agent_id, task_id, blocker_type, question: text } = blockerOwn.parse(body.value);
    const refusal = otherAgent(context, agent_id);
    if (refusal) return refusal;
    const mode = blocker_type === 'SYNC' ? 'sync' : 'async';
    const work = task_id == null ? {} : { work_id: task_id };
    const others = Object.entries(body.value).filter(([name]) => !Object.hasOwn(blockerOwn.shape, name));
    const input = { ...Object.fromEntries(others), ...work, text, mode, wait_seconds: 0 };
    const done = await callOperation(context, options, raiseQuestion, input);
    if (done instanceof Response) return done;
    const data = done.data as unknown as ToolOutputs['raise_question'];
    context.header('location', `/api/blockers/${data.question.id}`);
    return context.json(shown(data.question), data.already || data.earlier ? 200 : 201);
  });

  routes.get('/:id', (context) => withBlocker(context, options, (question) => context.json(shown(question))));

  routes.post('/:id/resolve', (context) =>
    withBlocker(context, options, (question) => resolvingRoute(context, options, shown(question))),
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
async function withBlocker(
  context: Context<ProgramEnv>,
  { workspace }: ApiOptions,
  answer: (question: QuestionView) => Response | Promise<Response>,
): Promise<Response> {
  const id = context.req.param('id') ?? '';
  const question = questionView((await workspace.store()).read(), id);
  if (question) return answer(question);
  return problem(context, {
    ...{ status: 404, code: 'not_found', error: 'Blocker not found' },
    detail: 'GET /api/blockers lists all of this workspace.',
    more: { blocker_id: id },
  });
}

function otherAgent(context: Context<ProgramEnv>, named: string | undefined): Response | null {
  const { id } = context.get('agent').actor;
  if (named === undefined || named === id) return null;
  return problem(context, {
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

export async function resolvingRoute(
  context: Context,
  { workspace }: ApiOptions,
  { id, url, resolved_at, resolution: decided }: Blocker,
): Promise<Response> {
  if (decided !== null)
    return problem(context, {
      ...{ status: 409, code: 'conflict', error: 'Blocker already resolved' },
      detail: 'The first decision is valid: read it with GET /api/blockers/{id}.',
      more: { blocker_id: id, resolved_at },
    });
  const body = await bodyOf(context, resolution);
  if ('refusal' in body) return body.refusal;
  if (!('record' in body.value))
    return problem(context, {
      ...{ status: 403, code: 'not_signed', error: 'Only humans resolve blockers' },
      detail: `Nothing was done. A human answers at ${url} or in the editor, with a signature. Wait with ${apiGuide.name('await_answer', { id })}.`,
      more: { blocker_id: id, url },
    });
  await recordSigned(workspace, signedDecision(id, body.value.record));
  const after = questionView((await workspace.store()).read(), id);
  const status = after && statusOf(after) === 'RESOLVED' ? 'RESOLVED' : 'PENDING';
  return context.json({ blocker_id: id, status, resolved_at: after?.answered_at ?? null });
}
