/** One stream of events of the server, until it is lost. */

export interface StreamHandlers {
  readonly events: Readonly<Record<string, (data: unknown) => void>>;
  /** Called once: the stream has ended, or was silent for too long. */
  readonly lost: () => void;
}

/** The server sends something at least every ten seconds. */
const silentMs = 25_000;

/** @returns closes the stream without a call */
export function openStream(url: string, { events, lost }: StreamHandlers): () => void {
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
