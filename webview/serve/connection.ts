/**
 * The page's connection: events come in over a stream, messages go out one after another. Both continue by themselves
 * after an interruption; a message that could not be sent is sent again, and the server does each act once.
 */
import {
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { InboxSnapshot } from '../../src/ui/kit/view.ts';

// The page from which a person went to add a passkey, and to which they return.

const pages = /^\/(open\/[A-Z]+-\d+|briefing|dashboard|policy|keys)?$/;

export function passkeyPageFrom(path: string): string {
  return pages.test(path) && path !== '/' ? `/passkey?from=${path}` : '/passkey';
}

/** Always a page of this server: a link from elsewhere may name any address. */
export function cameFrom(): string {
  const from = new URLSearchParams(location.search).get('from') ?? '';
  return pages.test(from) ? from : '/';
}

// Requests of pages to their server.

/** The status, or 0 without an answer. */
export async function postJson(url: string, body: unknown, signal?: AbortSignal): Promise<number> {
  return (await ask(url, body, signal)).status;
}

interface Reply {
  readonly status: number;
  readonly data: unknown;
}

/** Sends JSON and reads JSON. */
export async function ask(url: string, body: unknown, signal: AbortSignal | null = null): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  try {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
    const text = await response.text();
    return { status: response.status, data: text.startsWith('{') ? JSON.parse(text) : null };
  } catch {
    return { status: 0, data: null };
  }
}

interface SessionFacts {
  /** Whether it may read; if not, it can only add a passkey. */
  readonly reads: boolean;
  readonly passkey: boolean;
}

/** The session; null when there is none, undefined when the server does not answer. */
export const readSession = () => read<SessionFacts>('/session');

/** Whether the editor may still add the passkey with this code, has added it, or has not. */
export async function offerState(code: string): Promise<'waits' | 'added' | 'gone'> {
  return (await read<{ readonly offer: 'waits' | 'added' | 'gone' }>(`/passkeys/offers/${code}`))?.offer ?? 'waits';
}

async function read<T>(url: string): Promise<T | null | undefined> {
  try {
    const response = await fetch(url);
    if (response.status === 401) return null;
    return response.ok ? ((await response.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}

// Passkeys of this browser: signing, signing in, and making one.

interface Assertion {
  readonly credentialId: string;
  readonly assertion: {
    readonly authenticatorData: string;
    readonly clientDataJSON: string;
    readonly signature: string;
  };
}

/** Null if the human gave no signature. */
async function assertionFor(options: unknown): Promise<Assertion | null> {
  try {
    const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
    const { id, response } = await startAuthentication({ optionsJSON });
    const { authenticatorData, clientDataJSON, signature } = response;
    return { credentialId: id, assertion: { authenticatorData, clientDataJSON, signature } };
  } catch {
    return null;
  }
}

/** Whether a passkey of this address is known to the server, with what signing in takes. */
export async function loginOptions(): Promise<PublicKeyCredentialRequestOptionsJSON | null> {
  const { status, data } = await ask('/session/challenge', {});
  const options = data as PublicKeyCredentialRequestOptionsJSON;
  return status === 200 && (options.allowCredentials ?? []).length > 0 ? options : null;
}

export async function signInWith(options: PublicKeyCredentialRequestOptionsJSON): Promise<boolean> {
  const made = await assertionFor(options);
  if (!made) return false;
  return (await postJson('/session/passkey', { challenge: options.challenge, ...made })) === 200;
}

/** Makes a passkey and offers it. Returns the code for the editor, or null. */
export async function offerPasskey(label: string): Promise<string | null> {
  const { status, data } = await ask('/passkeys/options', {});
  if (status !== 200) return null;
  try {
    const optionsJSON = data as PublicKeyCredentialCreationOptionsJSON;
    const { id, rawId, type, response } = await startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject } = response;
    const registration = { id, rawId, type, response: { clientDataJSON, attestationObject } };
    const offered = await ask('/passkeys/offer', { registration, label });
    return offered.status === 200 ? (offered.data as { code: string }).code : null;
  } catch {
    return null;
  }
}

// One stream of events of the server, until it is lost.

interface StreamHandlers {
  readonly events: Readonly<Record<string, (data: unknown) => void>>;
  /** Called once: the stream has ended, or was silent for too long. */
  readonly lost: () => void;
}

/** The server sends something at least every ten seconds. */
const silentMs = 25_000;

/** @returns closes the stream without a call */
function openStream(url: string, { events, lost }: StreamHandlers): () => void {
  const source = new EventSource(url);
  let silence: ReturnType<typeof setTimeout> | undefined;

  function close(): void {
    clearTimeout(silence);
    source.close();
  }

  function end(): void {
    close();
    lost();
  }

  function heard(): void {
    clearTimeout(silence);
    silence = setTimeout(end, silentMs);
  }

  for (const [name, receive] of Object.entries(events))
    source.addEventListener(name, (event: MessageEvent<string>) => {
      heard();
      receive(JSON.parse(event.data));
    });
  source.addEventListener('error', end);
  heard();
  return close;
}

export type Trouble = 'offline' | 'lost' | 'signedOut';

interface Handlers {
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
