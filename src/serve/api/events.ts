/** Events for programs: server-sent events, or a WebSocket where the client asks for one. */
import { AppError, storeFailure } from '../../app/workspace/errors.ts';
import { visibleJson } from '../../core/kit/visible.ts';
import { isOfType } from '../../core/waiting/eventStream.ts';
import { schemaOf } from '../../tools/kit/outputs.ts';
import { createSender } from '../kit/sender.ts';
import type { Message, Sink } from '../kit/sender.ts';
import type { EventFeed, Follower } from './eventFeed.ts';
import { upgradeWebSocket } from '@hono/node-server';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { WebSocket } from 'ws';
import { createLimit } from '../security/limits.ts';
import { problem } from '../security/problem.ts';
import type { ProgramEnv } from '../security/tokens.ts';
import type { ApiOptions } from './calls.ts';
import { queryOf } from './calls.ts';
import { eventQuery } from './schemas.ts';

export interface StreamOptions {
  readonly feed: EventFeed;
  /** Null: what happens from now on. */
  readonly since: string | null;
  /** Empty: all. */
  readonly types: readonly string[];
  /** Whether the caller's token still counts. */
  readonly isStillAllowed: () => boolean;
  /** Called once, when it has ended. */
  readonly onEnd: () => void;
}

export interface OpenStream {
  /** Sends what there is and what comes. */
  attach(sink: Sink): void;
  end(): void;
}

const pingMs = 10_000;
/** For a client that asked for a stream and does not take it. */
const attachMs = 10_000;

/**
 * Resolves when the position was found.
 * @throws AppError `bad_input` if the position is not of this journal
 * @throws StoreError `unknown-state`
 */
export async function openStream({ feed, since, types, isStillAllowed, onEnd }: StreamOptions): Promise<OpenStream> {
  const ended = new AbortController();
  const attached = deferred<Sink>();
  let sink: Sink | null = null;
  const sender = createSender({ write: async (message) => (await attached.promise).write(message), close: end });
  let late: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    if (isStillAllowed()) sink?.ping();
    else end();
  }, pingMs);

  function end(): void {
    if (ended.signal.aborted) return;
    ended.abort();
    clearTimeout(late);
    clearInterval(timer);
    sender.close();
    sink?.close();
    onEnd();
  }

  const begun = deferred<null>();
  const follower: Follower = {
    begin(position) {
      const text = visibleJson({ schema: schemaOf('watch'), type: 'watching', position });
      void sender.send({ text, position });
      begun.resolve(null);
    },
    async event(event, text) {
      if (types.length === 0 || isOfType(event, types)) await sender.send({ text, position: event.position });
    },
    end(error) {
      void sender.send(errorOf(error)).then(end);
    },
  };
  feed.follow({ since, signal: ended.signal }, follower).catch((error: unknown) => {
    begun.reject(error instanceof Error ? error : new Error(String(error)));
    follower.end(error);
  });
  try {
    await begun.promise;
    late = setTimeout(end, attachMs);
  } catch (error) {
    end();
    throw error;
  }
  return {
    attach(given) {
      clearTimeout(late);
      if (ended.signal.aborted) given.close();
      else attached.resolve((sink = given));
    },
    end,
  };
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function deferred<T>(): Deferred<T> {
  const made: Partial<Deferred<T>> = {};
  const promise = new Promise<T>((resolve, reject) => Object.assign(made, { resolve, reject }));
  return { ...made, promise } as Deferred<T>;
}

function errorOf(error: unknown): Message {
  const failed = error instanceof AppError ? error : storeFailure(error);
  const { code, message } = failed ?? { code: 'ended', message: 'The server has ended the stream' };
  const data = { schema: schemaOf('error'), result: 'error', error: { code, message } };
  return { text: visibleJson(data), position: null };
}

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
