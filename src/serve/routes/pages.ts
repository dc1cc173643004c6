/** The stream of a page, and its messages. */
import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { wantedAt, type LivePage } from '../pages/livePage.ts';
import { passkeySignature } from '../../trust/webauthn.ts';
import { createReadCheck, withSession, jsonOf, type Env, type Served } from './session.ts';
import type { HttpBindings } from '@hono/node-server';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import type { Session } from '../security/sessions.ts';
import { AppError } from '../../app/workspace/errors.ts';
import {
  addSubscription,
  browserKeys,
  pushKey,
  readPushFile,
  removeSubscription,
} from '../../app/waiting/reminderFiles.ts';
import { makeVapid } from '../../channels/webPush.ts';

const pageId = z.uuid();
const message = z.strictObject({ message: z.unknown() });
const signature = z.strictObject({ id: z.uuid(), assertion: passkeySignature.nullable() });

export function pageRoutes(served: Served): Hono<Env> {
  const { workspace, pages } = served;
  const mayStillRead = createReadCheck(served);
  const routes = new Hono<Env>();
  routes.get('/pages/:id/events', withSession(served), (context) => {
    const id = pageId.safeParse(context.req.param('id'));
    const wanted = wantedAt(workspace, context.req.query('path') ?? '');
    if (!id.success || !wanted) return context.json({ error: 'not_found' }, 404);
    if (context.req.method === 'HEAD') return context.body(null, 200, { 'content-type': 'text/event-stream' });
    const live = pages.open(id.data, context.get('session'), wanted);
    if (!live) return context.json({ error: 'too_many' }, 429);
    return streamPage(context, { ...served, mayStillRead }, { id: id.data, live });
  });
  const take = <T>(what: string, schema: z.ZodType<T>, give: (live: LivePage, given: T) => void) =>
    routes.post(`/pages/:id/${what}`, withSession(served), async (context) => {
      const live = pages.find(context.req.param('id'), context.get('session'));
      const given = await jsonOf(context, schema);
      if (!live) return context.json({ error: 'not_found' }, 404);
      give(live, given);
      return context.body(null, 204);
    });
  take('messages', message, (live, given) => {
    live.receive(given.message);
  });
  take('signature', signature, (live, given) => {
    live.signed(given.id, given.assertion);
  });
  return routes;
}

// What the server sends to an open page. It ends when the session ends or may not read any more, and for a page that
// takes nothing: its browser opens another one, and gets everything.

/** The browser takes a stream that is silent for longer than two of these as lost. */
const pingMs = 10_000;
/** Pings that wait because the page takes nothing. */
const waitingPings = 3;

export interface Streaming extends Pick<Served, 'pages' | 'inbox'> {
  /** Whether the session has not ended and may read. */
  readonly mayStillRead: (session: Session) => boolean;
}

export interface OpenedPage {
  readonly id: string;
  readonly live: LivePage;
}

export function streamPage(context: Context<Env>, streaming: Streaming, opened: OpenedPage): Response {
  const session = context.get('session');
  // What still waits to be sent is dropped, too.
  const cut = () => (context.env as Partial<HttpBindings>).outgoing?.destroy();
  context.header('x-accel-buffering', 'no');
  return streamSSE(context, (sse) => followPage(streaming, { ...opened, session, sse, cut }));
}

interface Following extends OpenedPage {
  readonly session: Session;
  readonly sse: SSEStreamingApi;
  readonly cut: () => void;
}

/** Resolves when the stream has ended. */
function followPage(
  { pages, inbox, mayStillRead }: Streaming,
  { id, live, session, sse, cut }: Following,
): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const stops: (() => void)[] = [];

    function end(): void {
      if (ended.signal.aborted) return;
      ended.abort();
      for (const stop of stops) stop();
      pages.left(id);
      cut();
      resolve();
    }

    function isAllowed(): boolean {
      if (mayStillRead(session)) return true;
      pages.endOf(session);
      end();
      return false;
    }

    const write = async (text: string) => {
      if (isAllowed()) await sse.write(text);
    };
    const sender = createSender(write, end);
    const send = (event: string, data: string) => sender.send(`event: ${event}\ndata: ${data}\n\n`);
    let waiting = 0;
    const ping = setInterval(() => {
      if (!isAllowed()) return;
      if (waiting >= waitingPings) end();
      waiting += 1;
      void send('ping', '""').then(() => (waiting -= 1));
    }, pingMs);
    sse.onAbort(end);
    stops.push(
      sender.close,
      () => {
        clearInterval(ping);
      },
      live.open({ send: ({ event, data }) => send(event, JSON.stringify(data)), end }),
      inbox.follow(newestOnly((snapshot) => send('inbox', snapshot))),
    );
    void send('begin', '""');
  });
}

/** Of what comes while one is being sent, only the newest is sent next. */
function newestOnly(send: (data: string) => Promise<void>): (data: string) => void {
  let next: string | null = null;
  let isSending = false;
  async function go(): Promise<void> {
    isSending = true;
    while (next !== null) {
      const data = next;
      next = null;
      await send(data);
    }
    isSending = false;
  }
  return (data) => {
    next = data;
    if (!isSending) void go();
  };
}

/** Characters that wait for a slow page. A longer message is sent if it waits alone. */
const waitingAtMost = 4_000_000;

/** Sends messages in order. A page that does not keep up is cut off. */
export function createSender(write: (text: string) => Promise<unknown>, cutOff: () => void) {
  let waiting = 0;
  let isOpen = true;
  let sent = Promise.resolve();

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    cutOff();
  }

  async function sendNow(text: string): Promise<void> {
    try {
      if (isOpen) await write(text);
    } catch {
      close();
    }
    waiting -= text.length;
  }

  return {
    /** Resolves when there is room for more. Never rejects. */
    send(text: string): Promise<void> {
      waiting += text.length;
      if (waiting > Math.max(waitingAtMost, text.length)) close();
      sent = sent.then(() => sendNow(text));
      return sent;
    },
    close,
  };
}

// Browsers subscribe to Web Push: pages with https, after a passkey signed in.

const subscribed = z.object({ endpoint: z.url().max(2_000), keys: browserKeys });
const named = z.strictObject({ endpoint: z.url().max(2_000) });

export function pushRoutes(served: Served): Hono<Env> {
  const { workspace, origin } = served;
  const place = { ...workspace.options, userFolder: workspace.userFolder };
  const routes = new Hono<Env>();
  routes.use('/push/*', withSession(served), async (context, next) => {
    if (!origin().startsWith('https:')) return context.json({ error: 'needs_https' }, 404);
    if (context.get('session').keyid === null) return context.json({ error: 'needs_passkey' }, 403);
    await next();
  });
  routes.get('/push/key', (context) => context.json({ publicKey: pushKey(place, makeVapid) }));
  // The server may have removed a subscription that the browser still has.
  routes.post('/push/state', async (context) => {
    const given = await jsonOf(context, named);
    const id = workspace.standing().state?.workspace?.id;
    const subscriptions = readPushFile(place)?.subscriptions ?? [];
    const subscribed = subscriptions.some((one) => one.endpoint === given.endpoint && one.workspace === id);
    return context.json({ subscribed });
  });
  routes.post('/push/subscribe', async (context) => {
    const { endpoint, keys } = await jsonOf(context, subscribed);
    const { state } = workspace.standing();
    const { keyid } = context.get('session');
    if (!state?.workspace || keyid === null) return context.json({ error: 'malformed' }, 400);
    const owner = { origin: origin(), workspace: state.workspace.id, keyid, addedAt: workspace.now() };
    try {
      addSubscription(place, { endpoint, keys, ...owner });
      return context.body(null, 204);
    } catch (error) {
      if (error instanceof AppError) return context.json({ error: 'not_allowed' }, 400);
      throw error;
    }
  });
  routes.post('/push/end', async (context) => {
    removeSubscription(place, (await jsonOf(context, named)).endpoint);
    return context.body(null, 204);
  });
  return routes;
}
