/** Sends the messages of a stream in order. A client that does not keep up is cut off, and continues where it was. */
export interface Message {
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

export interface Sender {
  /** Resolves when there is room for more. Never rejects. */
  send(message: Message): Promise<void>;
  close(): void;
}

/** Characters that wait for a slow client. A longer message is sent if it waits alone. */
const waitingAtMost = 4_000_000;

export function createSender({ write, close: closeSink }: Pick<Sink, 'write' | 'close'>): Sender {
  let waiting = 0;
  let isOpen = true;
  let sent = Promise.resolve();

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    closeSink();
  }

  async function sendNow(message: Message): Promise<void> {
    try {
      if (isOpen) await write(message);
    } catch {
      close();
    }
    waiting -= message.text.length;
  }

  return {
    send(message) {
      waiting += message.text.length;
      if (waiting > Math.max(waitingAtMost, message.text.length)) close();
      sent = sent.then(() => sendNow(message));
      return sent;
    },
    close,
  };
}
