/** The API for programs: an agent's token can do what the agent can. No route decides without a human's signature. */
import { Hono } from 'hono';
import { withToken } from '../security/tokens.ts';
import type { ProgramEnv } from '../security/tokens.ts';
import { problem } from '../security/problem.ts';
import type { ApiOptions } from './context.ts';

export function apiRoutes(options: ApiOptions): Hono<ProgramEnv> {
  const { workspace } = options;
  const routes = new Hono<ProgramEnv>();
  routes.use(withToken({ ...options, host: 'api' }));
  routes.get('/whoami', (context) =>
    context.json({
      agent_id: context.get('agent').actor.id,
      project_id: workspace.standing().state?.workspace?.id ?? null,
    }),
  );
  routes.all('*', (context) =>
    problem(context, {
      ...{ status: 404, code: 'not_found', error: 'There is nothing here' },
      detail: '/api/openapi.json lists what there is.',
    }),
  );
  routes.onError((error, context) => {
    console.error(error);
    return problem(context, {
      ...{ status: 500, code: 'internal', error: 'This failed' },
      detail: 'The terminal of the server says why.',
    });
  });
  return routes;
}
