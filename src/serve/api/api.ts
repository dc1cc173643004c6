/** The API for programs: an agent's token can do what the agent can. No route decides without a human's signature. */
import fs from 'node:fs';
import { Hono, type Handler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { withToken, type ProgramEnv } from '../security/sessions.ts';
import { problem, createLimit } from '../security/guard.ts';
import { AppError, storeFailure } from '../../app/workspace/errors.ts';
import { blockerRoutes } from './blockers.ts';
import { projectOf, failureOf, bodyOf, callOperation, queryOf, type ApiOptions } from './toolCall.ts';
import { bodyOfOperation, methodsAt, eventQuery } from './endpoints.ts';
import { operations } from '../../tools/catalog.ts';
import type { Operation } from '../../tools/kit/operation.ts';
import { upgradeWebSocket } from '@hono/node-server';
import { streamSSE } from 'hono/streaming';
import type { WebSocket } from 'ws';
import { followEvents } from '../../app/waiting/following.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { visibleJson } from '../../core/kit/visible.ts';
import { isOfType } from '../../core/waiting/eventStream.ts';
import { schemaOf } from '../../tools/kit/outputs.ts';

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
  for (const operation of operations) routes.post(`/${operation.name}`, operationRoute(options, operation));
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
    if (error instanceof HTTPException) return error.getResponse();
    const failed = error instanceof AppError ? error : storeFailure(error);
    if (failed) return problem(context, failureOf(failed));
    console.error(error);
    return problem(context, {
      ...{ status: 500, code: 'internal', error: 'This failed' },
      detail: 'The terminal of the server says why.',
    });
  });
  return routes;
}

/** The input as JSON; the output as JSON. A denial is no success for programs that only look at the status either. */
function operationRoute(options: ApiOptions, operation: Operation): Handler<ProgramEnv> {
  const schema = bodyOfOperation(operation);
  return async (context) => {
    const body = await bodyOf(context, schema);
    const { status, text, data } = await callOperation(context, options, operation, body);
    return context.json({ status, text, ...data }, status === 'ok' ? 200 : 403);
  };
}

// Events for programs: server-sent events, or a WebSocket where the client asks for one.

/** Each reads the journal for itself. */
const streamsAtMost = 32;

export function eventRoutes({ clock, workspace }: ApiOptions): Hono<ProgramEnv> {
  const mayOpen = createLimit({ burst: 60, perMinute: 30, clock });
  const routes = new Hono<ProgramEnv>();
  let open = 0;
  routes.get('/', async (context) => {
    const { since = null, type = '' } = queryOf(context, eventQuery);
    if (context.req.method === 'HEAD') return context.body(null, 200, { 'content-type': 'text/event-stream' });
    if (open >= streamsAtMost || !mayOpen(context.get('agent').actor.id)) {
      context.header('retry-after', '10');
      return problem(context, {
        ...{ status: 429, code: 'too_many', error: 'Too many streams' },
        detail: 'Wait, then continue from your last position. One stream has the events of all agents.',
      });
    }
    open += 1;
    const given = {
      workspace,
      since: context.req.header('last-event-id') ?? since,
      types: type.split(',').filter(Boolean),
    };
    const onEnd = () => (open -= 1);
    const stream = await openStream({ ...given, isStillAllowed: context.get('isStillAllowed'), onEnd });
    if (context.req.header('upgrade')?.toLowerCase() === 'websocket')
      return upgradeWebSocket(context, {
        onOpen(_event, { raw }) {
          stream.attach(socketSink(raw as WebSocket));
        },
        onClose: stream.end,
      });
    context.header('x-accel-buffering', 'no');
    return streamSSE(context, async (sse) => {
      await new Promise<void>((resolve) => {
        sse.onAbort(stream.end);
        stream.attach({
          write: ({ text, position }) => sse.writeSSE({ data: text, ...(position === null ? {} : { id: position }) }),
          ping: () => void sse.write(': ping\n\n'),
          close: resolve,
        });
      });
    });
  });
  return routes;
}

/** A client that does not answer a ping until the next one is gone. */
function socketSink(socket: WebSocket): Sink {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  return {
    write: ({ text }) =>
      new Promise((resolve, reject) => {
        socket.send(text, (error) => {
          if (error) reject(error);
          else resolve(null);
        });
      }),
    ping() {
      if (!isAlive) socket.terminate();
      isAlive = false;
      socket.ping();
    },
    close() {
      socket.terminate();
    },
  };
}

// The events of one client, whatever its connection is: those of `holdpoint watch`, read as fast as the client takes
// them. The position is found before the client gets a success.

interface Message {
  readonly text: string;
  /** From which a client continues after it; null for messages that are not events. */
  readonly position: string | null;
}

export interface Sink {
  /** Resolves when it was sent; rejects when the client has gone. */
  write(message: Message): Promise<unknown>;
  /** Keeps the connection from looking lost. */
  ping(): void;
  close(): void;
}

interface StreamOptions {
  readonly workspace: Workspace;
  /** Null: what happens from now on. */
  readonly since: string | null;
  /** Empty: all. */
  readonly types: readonly string[];
  /** Whether the caller's token is still valid. */
  readonly isStillAllowed: () => boolean;
  /** Called once, when it has ended. */
  readonly onEnd: () => void;
}

const pingMs = 10_000;
/** For a client that asked for a stream and does not take it. */
const attachMs = 10_000;

/**
 * Resolves when the position was found.
 * @throws AppError `bad_input` if the position is not of this journal
 * @throws StoreError `unknown-state`
 */
export async function openStream({ workspace, since, types, isStillAllowed, onEnd }: StreamOptions) {
  const ended = new AbortController();
  const gone = new Promise((resolve) => {
    ended.signal.addEventListener('abort', resolve);
  });
  const attached = Promise.withResolvers<Sink>();
  let sink: Sink | null = null;
  let late: NodeJS.Timeout | undefined;
  let sent: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    if (isStillAllowed()) sink?.ping();
    else end();
  }, pingMs);

  function end(): void {
    if (ended.signal.aborted) return;
    ended.abort();
    clearTimeout(late);
    clearInterval(timer);
    sink?.close();
    onEnd();
  }

  function send(data: object, position: string | null): void {
    const text = visibleJson(data);
    sent = sent
      .then(async () => {
        const to = await attached.promise;
        if (!ended.signal.aborted) await to.write({ text, position });
      })
      .catch(end);
  }

  const begun = Promise.withResolvers<null>();
  followEvents(workspace, {
    since,
    signal: ended.signal,
    hasRoom: () => Promise.race([sent, gone]),
    onBegin(position) {
      send({ schema: schemaOf('watch'), type: 'watching', position }, position);
      begun.resolve(null);
    },
    onEvent(event) {
      if (types.length === 0 || isOfType(event, types)) send({ schema: schemaOf('watch'), ...event }, event.position);
    },
  }).catch((error: unknown) => {
    begun.reject(error instanceof Error ? error : new Error(String(error)));
    const failed = error instanceof AppError ? error : storeFailure(error);
    const { code, message } = failed ?? { code: 'ended', message: 'The server has ended the stream' };
    send({ schema: schemaOf('error'), result: 'error', error: { code, message } }, null);
    void sent.then(end);
  });
  try {
    await begun.promise;
    late = setTimeout(end, attachMs);
  } catch (error) {
    end();
    throw error;
  }
  return {
    attach(given: Sink): void {
      clearTimeout(late);
      if (ended.signal.aborted) given.close();
      else attached.resolve((sink = given));
    },
    end,
  };
}
