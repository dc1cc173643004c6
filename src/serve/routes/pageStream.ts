/** What the server sends to an open page. It ends when the session ends or may not read any more. */
import type { HttpBindings } from '@hono/node-server';
import { streamSSE } from 'hono/streaming';
import type { Context } from 'hono';
import type { LivePage } from '../pages/livePage.ts';
import type { Session } from '../security/sessions.ts';
import type { Env, Served } from './context.ts';

/** The browser takes a stream that is silent for longer than two of these as lost. */
const pingMs = 10_000;

export interface Streaming extends Pick<Served, 'pages' | 'inbox'> {
  /** Whether the session has not ended and may read. */
  readonly mayStillRead: (session: Session) => boolean;
}

export interface OpenedPage {
  readonly id: string;
  readonly live: LivePage;
}

export function streamPage(
  context: Context<Env>,
  { pages, inbox, mayStillRead }: Streaming,
  { id, live }: OpenedPage,
): Response {
  const session = context.get('session');
  context.header('x-accel-buffering', 'no');
  return streamSSE(
    context,
    (sse) =>
      new Promise<void>((resolve) => {
        const ended = new AbortController();
        const stops: (() => void)[] = [];

        function end(): void {
          if (ended.signal.aborted) return;
          ended.abort();
          for (const stop of stops) stop();
          pages.left(id);
          // What still waits to be sent is dropped, too.
          (context.env as Partial<HttpBindings>).outgoing?.destroy();
          resolve();
        }

        function send(event: string, data: string): void {
          if (ended.signal.aborted) return;
          if (mayStillRead(session)) void sse.writeSSE({ event, data });
          else {
            pages.endOf(session);
            end();
          }
        }

        sse.onAbort(end);
        const ping = setInterval(() => {
          send('ping', '""');
        }, pingMs);
        stops.push(
          () => {
            clearInterval(ping);
          },
          live.open({
            send({ event, data }) {
              send(event, JSON.stringify(data));
            },
            end,
          }),
          inbox.follow((snapshot) => {
            send('inbox', snapshot);
          }),
        );
        send('begin', '""');
        // It may have ended before it was open.
        if (ended.signal.aborted) for (const stop of stops) stop();
      }),
  );
}
