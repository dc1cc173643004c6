/** Resolving a blocker: only with a record that a human signed. Agents create blockers; humans resolve them. */
import type { Context } from 'hono';
import { recordSigned, signedDecision } from '../../app/decision/signedElsewhere.ts';
import { questionView } from '../../app/question/views.ts';
import { problem } from '../security/problem.ts';
import type { ApiOptions } from './context.ts';
import { bodyOf } from './input.ts';
import { resolution } from './schemas.ts';
import type { Blocker } from './schemas.ts';
import { statusOf } from './blocker.ts';

export async function resolvingRoute(
  context: Context,
  { workspace }: ApiOptions,
  { id, url, resolved_at, resolution: decided }: Blocker,
): Promise<Response> {
  if (decided !== null)
    return problem(context, {
      ...{ status: 409, code: 'conflict', error: 'Blocker already resolved' },
      detail: 'The first decision counts: read it with GET /api/blockers/{id}.',
      more: { blocker_id: id, resolved_at },
    });
  const body = await bodyOf(context, resolution);
  if ('refusal' in body) return body.refusal;
  if (!('record' in body.value))
    return problem(context, {
      ...{ status: 403, code: 'not_signed', error: 'Only humans resolve blockers' },
      detail: `Nothing was done. A human answers at ${url} or in the editor, with a signature. Wait with POST /api/blockers/${id}/await.`,
      more: { blocker_id: id, url },
    });
  await recordSigned(workspace, signedDecision(id, body.value.record));
  const after = questionView((await workspace.store()).read(), id);
  const status = after && statusOf(after) === 'RESOLVED' ? 'RESOLVED' : 'PENDING';
  return context.json({ blocker_id: id, status, resolved_at: after?.answered_at ?? null });
}
