/** The API for programs: an agent's token can do what the agent can. No route decides without a human's signature. */
import fs from 'node:fs';
import { Hono } from 'hono';
import { withToken } from '../security/tokens.ts';
import type { ProgramEnv } from '../security/tokens.ts';
import { problem } from '../security/problem.ts';
import { AppError, storeFailure } from '../../app/workspace/errors.ts';
import { blockerRoutes } from './blockers.ts';
import { projectOf, failure } from './calls.ts';
import type { ApiOptions } from './calls.ts';
import { methodsAt } from './endpoints.ts';
import { eventRoutes } from './events.ts';
import { workRoutes } from './work.ts';

export function apiRoutes(options: ApiOptions): Hono<ProgramEnv> {
  const { workspace } = options;
  const routes = new Hono<ProgramEnv>();
  const document = fs.readFileSync(options.document, 'utf8');
  routes.get('/openapi.json', (context) => context.body(document, 200, { 'content-type': 'application/json' }));
  routes.use(withToken({ ...options, host: 'api' }));
  routes.get('/whoami', (context) =>
    context.json({ agent_id: context.get('agent').actor.id, project_id: projectOf(workspace) }),
  );
  routes.route('/blockers', blockerRoutes(options));
  routes.route('/events', eventRoutes(options));
  routes.route('/', workRoutes(options));
  routes.all('*', (context) => {
    const methods = methodsAt(context.req.path);
    if (methods.length > 0) {
      context.header('allow', methods.join(', '));
      return problem(context, {
        ...{ status: 405, code: 'wrong_method', error: 'This address does not take this method' },
        detail: `Nothing was done. ${context.req.path} takes ${methods.join(' and ')}.`,
      });
    }
    return problem(context, {
      ...{ status: 404, code: 'not_found', error: 'There is nothing here' },
      detail: '/api/openapi.json lists what there is.',
    });
  });
  routes.onError((error, context) => {
    const failed = error instanceof AppError ? error : storeFailure(error);
    if (failed) return failure(context, failed);
    console.error(error);
    return problem(context, {
      ...{ status: 500, code: 'internal', error: 'This failed' },
      detail: 'The terminal of the server says why.',
    });
  });
  return routes;
}
