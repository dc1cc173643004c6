/**
 * The events of one client, whatever its connection is: those of `holdpoint watch`, read as fast as the client takes
 * them. The position is found before the client gets a success.
 */
import { followEvents } from '../../app/waiting/following.ts';
import { AppError, storeFailure } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { visibleJson } from '../../core/kit/visible.ts';
import { isOfType } from '../../core/waiting/eventStream.ts';
import { schemaOf } from '../../tools/kit/outputs.ts';

interface Message {
  readonly text: string;
  /** From which a client continues after it; null for messages that are not events. */
  readonly position: string | null;
}

export interface Sink {
  /** Resolves when it was sent; rejects when the client has gone. */
  write(message: Message): Promise<unknown>;
  /** Keeps the connection from looking lost. */
  ping(): void;
  close(): void;
}

interface StreamOptions {
  readonly workspace: Workspace;
  /** Null: what happens from now on. */
  readonly since: string | null;
  /** Empty: all. */
  readonly types: readonly string[];
  /** Whether the caller's token is still valid. */
  readonly isStillAllowed: () => boolean;
  /** Called once, when it has ended. */
  readonly onEnd: () => void;
}

interface OpenStream {
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
export async function openStream({
  workspace,
  since,
  types,
  isStillAllowed,
  onEnd,
}: StreamOptions): Promise<OpenStream> {
  const ended = new AbortController();
  const gone = new Promise((resolve) => {
    ended.signal.addEventListener('abort', resolve);
  });
  const attached = Promise.withResolvers<Sink>();
  let sink: Sink | null = null;
  let late: NodeJS.Timeout | undefined;
  let sent: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    if (isStillAllowed()) sink?.ping();
    else end();
  }, pingMs);

  function end(): void {
    if (ended.signal.aborted) return;
    ended.abort();
    clearTimeout(late);
    clearInterval(timer);
    sink?.close();
    onEnd();
  }

  function send(data: object, position: string | null): void {
    const text = visibleJson(data);
    sent = sent
      .then(async () => {
        const to = await attached.promise;
        if (!ended.signal.aborted) await to.write({ text, position });
      })
      .catch(end);
  }

  const begun = Promise.withResolvers<null>();
  followEvents(workspace, {
    since,
    signal: ended.signal,
    hasRoom: () => Promise.race([sent, gone]),
    onBegin(position) {
      send({ schema: schemaOf('watch'), type: 'watching', position }, position);
      begun.resolve(null);
    },
    onEvent(event) {
      if (types.length === 0 || isOfType(event, types)) send({ schema: schemaOf('watch'), ...event }, event.position);
    },
  }).catch((error: unknown) => {
    begun.reject(error instanceof Error ? error : new Error(String(error)));
    const failed = error instanceof AppError ? error : storeFailure(error);
    const { code, message } = failed ?? { code: 'ended', message: 'The server has ended the stream' };
    send({ schema: schemaOf('error'), result: 'error', error: { code, message } }, null);
    void sent.then(end);
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
