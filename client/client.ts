/**
 * Calls the API of `holdpoint serve` from workflow engines and other programs. It needs nothing but `fetch`: Node 22 and
 * later, Deno, Bun. Nothing here decides; only `result: 'proceed'` allows the work that a blocker stops.
 *
 *     const holdpoint = connect({ url: 'http://localhost:4764', token });
 *     const asked = await holdpoint.call('create_blocker', { question: 'Deploy now?', type: 'approval' });
 */
import { operations, type Event, type Operations, type Problem } from './types.ts';

export type OperationName = keyof Operations;
/** What happened; every type but the first object of a stream. */
export type HoldpointEvent = Exclude<Event, { readonly type: 'watching' }>;

export interface ConnectOptions {
  /** Of the server, for example `http://localhost:4764`. */
  readonly url: string;
  /** From `holdpoint serve token add`. */
  readonly token: string;
}

export interface EventOptions {
  /** Continue after this position; `0` for everything from the beginning. Default: what happens from now on. */
  readonly since?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called once, with the position that the events follow. */
  readonly onBegin?: ((position: string) => void) | undefined;
}

export interface Holdpoint {
  /**
   * Members of the path, the query and the body are one object.
   * @throws HoldpointError with what was wrong and what to do
   */
  call<N extends OperationName>(
    name: N,
    input: Operations[N]['input'],
    signal?: AbortSignal,
  ): Promise<Operations[N]['answer']>;
  /** Every event once and in order; connects again after a lost connection. Ends with the signal. */
  events(options?: EventOptions): AsyncGenerator<HoldpointEvent, void>;
}

export class HoldpointError extends Error {
  override readonly name = 'HoldpointError';
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Between two attempts to connect. */
const retryMs = 1_000;

export function connect({ url, token }: ConnectOptions): Holdpoint {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  async function call<N extends OperationName>(
    name: N,
    input: Operations[N]['input'],
    signal?: AbortSignal,
  ): Promise<Operations[N]['answer']> {
    const { method, path } = operations[name];
    const rest = new Map<string, unknown>(Object.entries(input));
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, member: string) => {
      const value = encodeURIComponent(String(rest.get(member)));
      rest.delete(member);
      return value;
    });
    const members = Object.fromEntries([...rest].filter(([, value]) => value !== undefined));
    const isRead = method === 'GET';
    const response = await fetch(isRead ? `${url}${filled}${queryOf(members)}` : `${url}${filled}`, {
      ...{ method, headers, signal: signal ?? null },
      ...(isRead ? {} : { body: JSON.stringify(members) }),
    });
    return answerOf(response);
  }

  async function* events({ since, signal, onBegin }: EventOptions = {}): AsyncGenerator<HoldpointEvent, void> {
    let position = since;
    let hasBegun = false;
    while (signal?.aborted !== true) {
      try {
        const query = position === undefined ? '' : queryOf({ since: position });
        const response = await fetch(`${url}/api/events${query}`, { headers, signal: signal ?? null });
        if (!response.ok || !response.body) await answerOf(response);
        else
          for await (const event of eventsOf(response.body)) {
            position = event.position;
            if (event.type !== 'watching') yield event;
            else if (!hasBegun) {
              hasBegun = true;
              onBegin?.(position);
            }
          }
      } catch (error) {
        if (error instanceof HoldpointError && error.problem.status < 500 && error.problem.status !== 429) throw error;
      }
      await pause(signal);
    }
  }

  return { call, events };
}

/** A gate that denies has a verdict and is no problem. */
async function answerOf<T>(response: Response): Promise<T> {
  const body: unknown = await response.json();
  if (response.headers.get('content-type')?.startsWith('application/problem+json') === true)
    throw new HoldpointError(body as Problem);
  return body as T;
}

function queryOf(members: Readonly<Record<string, unknown>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given.toString()}`;
}

/** The objects of a stream of server-sent events. A message that was cut off does not count. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Event, void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1];
      const event = data === undefined ? null : (JSON.parse(data) as Event);
      if (event && 'position' in event) yield event;
    }
  }
}

function pause(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const timer = setTimeout(resolve, retryMs);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
