/** The latest messages of a session over HTTP: a client that lost its connection asks for those after the last it got. */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

const keptAtMost = 500;

interface Sent {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
}

export function sentMessages(): EventStore {
  let kept: readonly Sent[] = [];
  let count = 0;
  return {
    storeEvent(stream, message) {
      const id = String((count += 1));
      kept = [...kept, { id, stream, message }].slice(-keptAtMost);
      return Promise.resolve(id);
    },
    getStreamIdForEventId: (id) => Promise.resolve(kept.find((one) => one.id === id)?.stream),
    async replayEventsAfter(id, { send }) {
      const from = kept.findIndex((one) => one.id === id);
      const stream = kept[from]?.stream ?? '';
      for (const one of kept.slice(from + 1)) if (one.stream === stream) await send(one.id, one.message);
      return stream;
    },
  };
}
