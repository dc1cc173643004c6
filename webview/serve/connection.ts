/**
 * The page's connection: events come in over a stream, messages go out one after another. Both go on by themselves
 * after an interruption; a message that could not be sent is sent again, and the server does each act once.
 */
import type { InboxSnapshot } from '../../src/ui/kit/view.ts';
import { postJson, readSession } from './http.ts';
import { assertionFor } from './passkeys.ts';
import { openStream } from './stream.ts';

export type Trouble = 'offline' | 'lost' | 'signedOut';

export interface Handlers {
  readonly surface: (snapshot: unknown) => void;
  readonly inbox: (snapshot: InboxSnapshot) => void;
  readonly go: (path: string) => void;
  /** The page shows what this address has. */
  readonly at: (path: string) => void;
  readonly trouble: (trouble: Trouble | undefined) => void;
}

export interface Connection {
  /** Sends a message of the surface. */
  post(message: unknown): void;
}

const retryMs = 2_000;

export function connect(began: string, handlers: Handlers): Connection {
  const page = crypto.randomUUID();
  const outbox = createOutbox(`/pages/${page}/messages`, handlers);
  let path = began;
  let close: (() => void) | undefined;
  let hasBegun = false;
  const isOpen = () => close !== undefined;

  /** The stream was refused or has ended, which does not say why: the session may have ended, too. */
  async function lose(): Promise<void> {
    close?.();
    close = undefined;
    outbox.pause();
    if (!navigator.onLine) {
      handlers.trouble('offline');
      return;
    }
    if (hasBegun) handlers.trouble('lost');
    const session = await readSession();
    if (isOpen()) return;
    const isOver = session === null || session?.reads === false;
    handlers.trouble(isOver ? 'signedOut' : 'lost');
    if (!isOver) setTimeout(open, retryMs);
  }

  const events = {
    ping: () => undefined,
    begin() {
      hasBegun = true;
      handlers.trouble(undefined);
      outbox.begin();
    },
    surface: handlers.surface,
    inbox: (data: unknown) => {
      handlers.inbox(data as InboxSnapshot);
    },
    sign: createSigning(`/pages/${page}/signature`),
    go: (data: unknown) => {
      handlers.go(String(data));
    },
    at: (data: unknown) => {
      path = String(data);
      handlers.at(path);
    },
  };

  function open(): void {
    close ??= openStream(`/pages/${page}/events?path=${encodeURIComponent(path)}`, { events, lost: () => void lose() });
  }

  addEventListener('online', open);
  addEventListener('offline', () => void lose());
  open();
  return { post: outbox.post };
}

/** Messages in order, sent while there is a stream; first that the page is ready, once for each stream. */
function createOutbox(url: string, { trouble }: Pick<Handlers, 'trouble'>) {
  const ready = { type: 'ready' };
  const waiting: unknown[] = [];
  let isOpen = false;
  let isReady = false;
  let owesReady = false;
  let isSending = false;
  let sending: AbortController | undefined;

  async function send(): Promise<void> {
    if (isSending) return;
    isSending = true;
    while (isOpen && (owesReady || waiting.length > 0)) {
      const first = owesReady;
      owesReady = false;
      sending = new AbortController();
      const status = await postJson(url, { message: first ? ready : waiting[0] }, sending.signal);
      // Without an answer it is sent again when the stream is back.
      if (status === 0 || status === 404) {
        owesReady ||= first;
        break;
      }
      if (!first) waiting.shift();
      if (status === 401) trouble('signedOut');
    }
    isSending = false;
  }

  return {
    post(message: unknown): void {
      if ((message as { type?: string }).type === 'ready') isReady = owesReady = true;
      else waiting.push(message);
      void send();
    },
    /** The surface sends everything again to a page that says that it is ready. */
    begin(): void {
      isOpen = true;
      owesReady = isReady;
      void send();
    },
    /** A network that has gone leaves a request without an end. */
    pause(): void {
      isOpen = false;
      sending?.abort();
    },
  };
}

/** Answers each request for a signature once, though the server repeats it after an interruption. */
function createSigning(url: string): (data: unknown) => void {
  const seen = new Set<string>();
  return (data) => {
    const { id, options } = data as { readonly id: string; readonly options: unknown };
    if (seen.has(id)) return;
    seen.add(id);
    void assertionFor(options).then((made) => postJson(url, { id, assertion: made?.assertion ?? null }));
  };
}
