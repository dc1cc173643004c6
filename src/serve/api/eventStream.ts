/** The events of one client, whatever its connection is. The position is found before the client gets a success. */
import { AppError, storeFailure } from '../../app/workspace/errors.ts';
import { visibleJson } from '../../core/kit/visible.ts';
import { isOfType } from '../../core/waiting/eventStream.ts';
import { schemaOf } from '../../tools/kit/outputs.ts';
import { createSender } from '../kit/sender.ts';
import type { Message, Sink } from '../kit/sender.ts';
import type { EventFeed, Follower } from './eventFeed.ts';

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
