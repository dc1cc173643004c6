/**
 * A surface in a browser: snapshots go out over a stream of events, messages come in by requests. It is visible while
 * its stream is open. A browser that loses the stream opens another one and says that it is ready; the surface then
 * sends everything again, with outcomes that did not arrive.
 */
import { randomUUID } from 'node:crypto';
import type { PasskeyRequest } from '../../app/decision/passkey.ts';
import type { PasskeySignature } from '../../trust/webauthn.ts';
import type { Page } from '../../ui/surface/page.ts';

export interface LiveEvent {
  /** `go`: to another page. `at`: this page shows what another address has. */
  readonly event: 'surface' | 'go' | 'at' | 'sign';
  readonly data: unknown;
}

export type Send = (event: LiveEvent) => void;

/** The connection of a page that is open. */
export interface PageStream {
  /** Resolves when it was sent, or the stream has ended. */
  readonly send: (event: LiveEvent) => Promise<void>;
  /** The server ends it. */
  readonly end: () => void;
}

export interface LivePage {
  readonly page: Page;
  /** A message of the page's script. An error is for the terminal. */
  receive(raw: unknown): void;
  /** Sends something besides snapshots; lost without a stream. */
  send: Send;
  /** Asks the browser for a signature; null if its human gives none. */
  ask(options: PasskeyRequest): Promise<PasskeySignature | null>;
  /** The browser's reply. */
  signed(id: string, assertion: PasskeySignature | null): void;
  /** Uses this stream from now on, and ends an earlier one. @returns takes the stream away */
  open(stream: PageStream): () => void;
  readonly isOpen: () => boolean;
  /** Ends its stream, too. */
  close(): void;
}

interface Asked {
  readonly options: PasskeyRequest;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (assertion: PasskeySignature | null) => void;
}

export function createLivePage(): LivePage {
  const changed = new Set<() => void>();
  const disposed = new Set<() => void>();
  const received = new Set<(raw: unknown) => unknown>();
  let stream: PageStream | null = null;
  const asked = new Map<string, Asked>();
  const signed: LivePage['signed'] = (id, assertion) => {
    const one = asked.get(id);
    asked.delete(id);
    clearTimeout(one?.timer);
    one?.resolve(assertion);
  };
  const notify = (listeners: ReadonlySet<() => void>) => {
    for (const listener of [...listeners]) listener();
  };
  const listen =
    <Listener>(listeners: Set<Listener>) =>
    (listener: Listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    };
  const send: Send = (event) => void stream?.send(event);
  return {
    page: {
      webview: {
        // A surface waits for this before it draws again: a slow page gets fewer snapshots, the newest last.
        async postMessage(message: unknown) {
          const to = stream;
          await to?.send({ event: 'surface', data: message });
          return to !== null;
        },
        onDidReceiveMessage: listen(received),
      },
      isVisible: () => stream !== null,
      onDidChangeVisibility: listen(changed),
      onDidDispose: listen(disposed),
    },
    receive(raw) {
      for (const listener of received) void settle(listener, raw);
    },
    send,
    signed,
    ask: (options) =>
      new Promise((resolve) => {
        const id = randomUUID();
        const timer = setTimeout(() => {
          signed(id, null);
        }, options.timeout);
        asked.set(id, { options, timer, resolve });
        send({ event: 'sign', data: { id, options } });
      }),
    open(next) {
      stream?.end();
      stream = next;
      // A browser that was away has not seen them, and ignores those that it has.
      for (const [id, { options }] of asked) send({ event: 'sign', data: { id, options } });
      notify(changed);
      return () => {
        if (stream !== next) return;
        stream = null;
        notify(changed);
      };
    },
    isOpen: () => stream !== null,
    close() {
      for (const id of [...asked.keys()]) signed(id, null);
      stream?.end();
      stream = null;
      notify(disposed);
    },
  };
}

/** Forms add these listeners and reply by sending messages, so no caller awaits them. */
async function settle(listener: (raw: unknown) => unknown, raw: unknown): Promise<void> {
  try {
    await listener(raw);
  } catch (error) {
    console.error(error);
  }
}
