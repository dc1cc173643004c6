/** Work items, and the gate that says whether work may continue. */
import { Hono } from 'hono';
import { listWork, workView } from '../../app/work/work.ts';
import type { ProgramEnv } from '../security/tokens.ts';
import type { ApiOptions } from './calls.ts';
import { bodyOf, callTool } from './calls.ts';
import { gateCheck, workRegister, workUpdate } from './schemas.ts';

export function workRoutes(options: ApiOptions): Hono<ProgramEnv> {
  const { workspace } = options;
  const routes = new Hono<ProgramEnv>();

  routes.get('/work', async (context) => {
    const work = listWork((await workspace.store()).read().state);
    return context.json({ work, total: work.length });
  });

  routes.post('/work', async (context) => {
    const body = await bodyOf(context, workRegister);
    if ('refusal' in body) return body.refusal;
    const done = await callTool(context, options, 'register_work', body.value);
    if (done instanceof Response) return done;
    return context.json(done.data.work, done.data.already ? 200 : 201);
  });

  routes.get('/work/:id', async (context) => {
    return context.json(workView((await workspace.store()).read().state, context.req.param('id')));
  });

  routes.patch('/work/:id', async (context) => {
    const body = await bodyOf(context, workUpdate);
    if ('refusal' in body) return body.refusal;
    const input = { ...body.value, id: context.req.param('id') };
    const done = await callTool(context, options, 'update_work', input);
    return done instanceof Response ? done : context.json(done.data.work);
  });

  // A denial is no success for programs that only look at the status either.
  routes.post('/gate', async (context) => {
    const body = await bodyOf(context, gateCheck);
    if ('refusal' in body) return body.refusal;
    const { task_id, files } = body.value;
    const input = { files, ...(task_id === undefined ? {} : { work_id: task_id }) };
    const done = await callTool(context, options, 'check_gate', input);
    if (done instanceof Response) return done;
    const { result, verdict, state, reasons, conditions, constraints, problem, free, free_count } = done.data;
    const terms = { conditions, constraints, problem, free, free_count };
    const gate = { result, verdict, state, reasons, ...terms, detail: done.text };
    return context.json(gate, done.isAllowed ? 200 : 403);
  });
  return routes;
}
