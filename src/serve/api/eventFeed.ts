/**
 * The events of the workspace for all streams: the journal is followed once, however many clients there are, and each
 * gets every event after its position, once and in order.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { followEvents } from '../../app/waiting/following.ts';
import { pastEvents } from '../../app/waiting/pastEvents.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { visibleJson } from '../../core/kit/visible.ts';
import { beginning, isLater, isOfType, type StreamEvent } from '../../core/waiting/eventStream.ts';
import { schemaOf } from '../../tools/kit/outputs.ts';
import { AppError, storeFailure } from '../../app/workspace/errors.ts';
import { createSender, type Message, type Sink } from '../kit/sender.ts';

export interface Follower {
  /** Once, with the position that the events follow. */
  begin(position: string): void;
  /**
   * Resolves when there is room for more.
   * @param text what its client gets, the same object as a line of `holdpoint watch --json`
   */
  event(event: StreamEvent, text: string): Promise<void>;
  /** No more events come; the state of the workspace may be UNKNOWN. */
  end(error: unknown): void;
}

export interface FollowOptions {
  /** Null: what happens from now on. */
  readonly since: string | null;
  readonly signal: AbortSignal;
}

export interface EventFeed {
  /**
   * Resolves once the client has all events up to now.
   * @throws AppError `bad_input` if the position is not of this journal
   * @throws StoreError `unknown-state`
   */
  follow(options: FollowOptions, follower: Follower): Promise<void>;
  dispose(): void;
}

/** How many events are kept, and read together. */
interface Limits {
  /** Clients that come back after a restart of the server continue from these, without another reading of the journal. */
  readonly kept: number;
  /** Of one reading for clients that are further behind. */
  readonly readAtOnce: number;
}

const usual: Limits = { kept: 5_000, readAtOnce: 20_000 };
/** A client that takes them as fast as they come leaves room for other work. */
const eventsInTurn = 100;

interface Running {
  readonly started: Promise<void>;
  readonly stop: AbortController;
}

interface Caught {
  readonly position: string;
  /** The next ones after it, as far as they were read. */
  readonly events: readonly StreamEvent[];
}

export function eventFeed(workspace: Workspace, { kept, readAtOnce }: Limits = usual): EventFeed {
  /** The oldest first; everything after `floor`. */
  let recent: StreamEvent[] = [];
  let floor = beginning;
  let last = beginning;
  let running: Running | null = null;
  const joined = new Map<Follower, string>();
  const past = pastEvents(workspace, readAtOnce);

  function start(): Running {
    const stop = new AbortController();
    [recent, floor, last] = [[], beginning, beginning];
    const started = new Promise<void>((resolve, reject) => {
      const followed = followEvents(workspace, {
        since: beginning,
        signal: stop.signal,
        onBegin: () => undefined,
        onCaughtUp: resolve,
        onEvent: keep,
      });
      const end = (error: unknown) => {
        reject(error instanceof Error ? error : new Error('The server is ending'));
        endAll(error);
      };
      followed.then(end, end);
    });
    return { started, stop };
  }

  function keep(event: StreamEvent): void {
    last = event.position;
    recent.push(event);
    if (recent.length > 2 * kept) {
      const dropped = recent.splice(0, recent.length - kept);
      floor = dropped.at(-1)?.position ?? floor;
    }
    if (joined.size === 0) return;
    const text = textOf(event);
    for (const [follower, position] of joined) if (isLater(event.position, position)) pass(follower, event, text);
  }

  function pass(follower: Follower, event: StreamEvent, text = textOf(event)): void {
    joined.set(follower, event.position);
    void follower.event(event, text);
  }

  function endAll(error: unknown): void {
    running = null;
    const ended = [...joined.keys()];
    joined.clear();
    for (const follower of ended) follower.end(error);
  }

  const isKnown = (position: string) => position === floor || recent.some((event) => event.position === position);

  /** From the journal what is no longer kept. Waits for room, so that a client far behind is not cut for that. */
  async function catchUp(from: Caught, signal: AbortSignal, follower: Follower): Promise<string> {
    let { position, events } = from;
    for (;;) {
      for (const [index, event] of events.entries()) {
        if (index % eventsInTurn === 0) await nextTurn();
        if (signal.aborted) return position;
        position = event.position;
        await follower.event(event, textOf(event));
      }
      events = isLater(floor, position) ? await past.after(position) : keptAfter(position);
      if (events.length === 0) return position;
    }
  }

  const keptAfter = (position: string) =>
    recent.slice(recent.findLastIndex((one) => !isLater(one.position, position)) + 1);

  return {
    async follow(options, follower) {
      running ??= start();
      await running.started;
      const { since, signal } = options;
      // Fails for a position of another journal, before the client hears that it follows.
      const events = since === null || isKnown(since) ? [] : await past.after(since);
      const begin = since ?? last;
      follower.begin(begin);
      const position = await catchUp({ position: begin, events }, signal, follower);
      if (signal.aborted) return;
      joined.set(follower, position);
      signal.addEventListener('abort', () => joined.delete(follower), { once: true });
      for (const event of keptAfter(position)) pass(follower, event);
    },
    dispose() {
      running?.stop.abort();
      endAll(null);
    },
  };
}

function textOf(event: StreamEvent): string {
  return visibleJson({ schema: schemaOf('watch'), ...event });
}

// The events of one client, whatever its connection is. The position is found before the client gets a success.

export interface StreamOptions {
  readonly feed: EventFeed;
  /** Null: what happens from now on. */
  readonly since: string | null;
  /** Empty: all. */
  readonly types: readonly string[];
  /** Whether the caller's token is still valid. */
  readonly isStillAllowed: () => boolean;
  /** Called once, when it has ended. */
  readonly onEnd: () => void;
}

export interface OpenStream {
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
  const attached = Promise.withResolvers<Sink>();
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

  const begun = Promise.withResolvers<null>();
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

function errorOf(error: unknown): Message {
  const failed = error instanceof AppError ? error : storeFailure(error);
  const { code, message } = failed ?? { code: 'ended', message: 'The server has ended the stream' };
  const data = { schema: schemaOf('error'), result: 'error', error: { code, message } };
  return { text: visibleJson(data), position: null };
}
