/** Events for programs: server-sent events, or a WebSocket where the client asks for one. */
import { upgradeWebSocket } from '@hono/node-server';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { WebSocket } from 'ws';
import type { Sink } from '../kit/sender.ts';
import { createLimit } from '../security/limits.ts';
import { problem } from '../security/problem.ts';
import type { ProgramEnv } from '../security/tokens.ts';
import type { ApiOptions } from './context.ts';
import { openStream } from './eventStream.ts';
import { queryOf } from './input.ts';
import { eventQuery } from './schemas.ts';

const streamsAtMost = 500;

export function eventRoutes({ clock, feed }: ApiOptions): Hono<ProgramEnv> {
  const mayOpen = createLimit({ burst: 300, perMinute: 300, clock });
  const routes = new Hono<ProgramEnv>();
  let open = 0;
  routes.get('/', async (context) => {
    const query = queryOf(context, eventQuery);
    if ('refusal' in query) return query.refusal;
    const { since = null, type = '' } = query.value;
    if (context.req.method === 'HEAD') return context.body(null, 200, { 'content-type': 'text/event-stream' });
    if (open >= streamsAtMost || !mayOpen(context.get('agent').actor.id)) {
      context.header('retry-after', '10');
      return problem(context, {
        ...{ status: 429, code: 'too_many', error: 'Too many streams' },
        detail: 'Wait, then continue from your last position. One stream has the events of all agents.',
      });
    }
    open += 1;
    const given = { feed, since: context.req.header('last-event-id') ?? since, types: type.split(',').filter(Boolean) };
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
