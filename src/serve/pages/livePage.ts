/**
 * A surface in a browser: snapshots go out over a stream of events, messages come in by requests. It is visible while
 * its stream is open. A browser that loses the stream opens another one and says that it is ready; the surface then
 * sends everything again, with outcomes that did not arrive.
 */
import { randomUUID } from 'node:crypto';
import type { PasskeyRequest } from '../../app/decision/passkey.ts';
import type { PasskeySignature } from '../../trust/webauthn.ts';
import type { Page } from '../../ui/surface/signingSurface.ts';
import { inTurns, oncePerBurst } from '../../ui/kit/timing.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { hasItem, isRfcId, itemId } from '../../core/waiting/items.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { keyOf } from '../kit/folders.ts';
import type { Session } from '../security/sessions.ts';

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
  readonly end: () => void;
}

interface Asked {
  readonly options: PasskeyRequest;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (assertion: PasskeySignature | null) => void;
}

export type LivePage = ReturnType<typeof createLivePage>;

export function createLivePage() {
  const changed = new Set<() => void>();
  const disposed = new Set<() => void>();
  const received = new Set<(raw: unknown) => unknown>();
  let stream: PageStream | null = null;
  const asked = new Map<string, Asked>();
  const signed = (id: string, assertion: PasskeySignature | null): void => {
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
    } satisfies Page,
    /** A message of the page's script. An error is for the terminal. */
    receive(raw: unknown): void {
      for (const listener of received) void settle(listener, raw);
    },
    /** Sends something besides snapshots; lost without a stream. */
    send,
    signed,
    /** Asks the browser for a signature; null if its human gives none. */
    ask: (options: PasskeyRequest): Promise<PasskeySignature | null> =>
      new Promise((resolve) => {
        const id = randomUUID();
        const timer = setTimeout(() => {
          signed(id, null);
        }, options.timeout);
        asked.set(id, { options, timer, resolve });
        send({ event: 'sign', data: { id, options } });
      }),
    /** Uses this stream from now on, and ends an earlier one. @returns takes the stream away */
    open(next: PageStream): () => void {
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
    /** Ends its stream, too. */
    close(): void {
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

// Draws after a burst of changes, each listener in its own turn of the event loop: requests are answered in between.

/** Milliseconds. */
const burstMs = 80;

export type Redraws = ReturnType<typeof createRedraws>;

export function createRedraws() {
  const draws = inTurns();
  const burst = oncePerBurst(burstMs, draws.fire);
  return {
    event: draws.event,
    soon: burst.soon,
    dispose() {
      burst.dispose();
      draws.dispose();
    },
  };
}

// Which page shows what.

/** A page that was asked for: its surface, and the item that it shows. */
export interface Wanted {
  readonly surface: 'question' | 'rfc' | 'memory' | 'dashboard';
  /** Null: the first waiting item. */
  readonly key: string | null;
}

export interface PageOptions {
  readonly folders: Folders;
  readonly live: LivePage;
  readonly session: Session;
  /** After changes. */
  readonly redraws: Pick<Redraws, 'event'>;
  readonly key: string | null;
}

/** Null for a path without a page. */
export function wantedAt(workspace: Workspace, path: string): Wanted | null {
  if (path === '/') return { surface: 'question', key: null };
  if (path === '/briefing') return { surface: 'memory', key: null };
  if (path === '/dashboard') return { surface: 'dashboard', key: null };
  if (path === '/policy' || path === '/keys') return { surface: 'question', key: keyOf(path.slice(1)) };
  const ofQuestion = /^\/(together\/Q-\d{1,9})$/.exec(path)?.[1];
  if (ofQuestion !== undefined) return { surface: 'question', key: keyOf(ofQuestion) };
  const ofWork = /^\/work\/((?:[\w.:#@-]|%(?:23|2f|3a|40))+)$/i.exec(path)?.[1];
  if (ofWork !== undefined) return { surface: 'question', key: keyOf(`work/${decodeURIComponent(ofWork)}`) };
  const id = itemId.safeParse(/^\/open\/([^/]+)$/.exec(path)?.[1]);
  const { state } = workspace.standing();
  if (!id.success || !state || !hasItem(state, id.data)) return null;
  return { surface: isRfcId(id.data) ? 'rfc' : 'question', key: keyOf(id.data) };
}

export function pathOf(key: string): string {
  const id = key.slice(keyOf('').length);
  if (id.startsWith('work/')) return `/work/${encodeURIComponent(id.slice('work/'.length))}`;
  return id.startsWith('together/') ? `/${id}` : `/open/${id}`;
}
