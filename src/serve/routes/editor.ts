/** What the editor asks: whether the program on this port is the one that it looks for, a one-time code, and its end. */
import { Hono } from 'hono';
import { editorProof, editorRequest, isSameProof, serverProof } from '../../app/serving/editorLink.ts';
import { createLimit } from '../security/limits.ts';
import type { Env, Served } from './context.ts';
import { jsonOf } from './json.ts';

/** Time for the reply to arrive. */
const endAfterMs = 100;

export function editorRoutes({ workspace, codes, origin, clock, editor }: Served): Hono<Env> {
  const routes = new Hono<Env>();
  if (!editor) return routes;
  const { secret, byEditor, end } = editor;
  const may = createLimit({ burst: 30, perMinute: 60, clock });
  routes.post('/editor', async (context) => {
    if (!may('')) return context.json({ error: 'too_many' }, 429);
    const given = await jsonOf(context, editorRequest);
    if (!given) return context.json({ error: 'malformed' }, 400);
    const asked = { origin: origin(), ask: given.ask, nonce: given.nonce };
    if (!isSameProof(given.proof, editorProof(secret, asked))) return context.json({ error: 'wrong_proof' }, 403);
    const code = given.ask === 'code' ? { code: codes.issue() } : {};
    const reply = { folder: workspace.location.root, byEditor, ...code };
    if (given.ask === 'end') setTimeout(end, endAfterMs);
    return context.json({ ...reply, proof: serverProof(secret, asked, reply) });
  });
  return routes;
}
