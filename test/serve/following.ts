/** Clients of the stream of events, with what they received. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { WebSocket } from 'ws';
import { checkOutput } from '../support/outputs.ts';

export interface Received {
  readonly type: string;
  readonly position: string;
  readonly [member: string]: unknown;
}

export interface Following {
  /** Without the first object, which only says where the stream begins. */
  readonly events: readonly Received[];
  /** Of the last event, or where the stream began. */
  readonly position: () => string;
  readonly isEnded: () => boolean;
  /** Takes nothing from the connection, until it is resumed. */
  pause(): void;
  resume(): void;
  stop(): void;
}

interface Wanted {
  readonly origin: string;
  readonly token: string;
  readonly since?: string;
  readonly query?: string;
}

interface Book {
  readonly following: Pick<Following, 'events' | 'position' | 'isEnded'>;
  take(text: string): Received | null;
  end(): void;
}

function openBook(): Book {
  const events: Received[] = [];
  let position = '';
  let isEnded = false;
  return {
    following: { events, position: () => position, isEnded: () => isEnded },
    take(text) {
      const event = JSON.parse(text) as Received;
      checkOutput(event);
      if (!event.position) return null;
      position = event.position;
      if (event.type !== 'watching') events.push(event);
      return event;
    },
    end() {
      isEnded = true;
    },
  };
}

/** Resolves once the stream has begun. */
export function followEvents({ origin, token, since, query = '' }: Wanted): Promise<Following> {
  const book = openBook();
  const { hostname, port } = new URL(origin);
  const headers = { authorization: `Bearer ${token}`, ...(since === undefined ? {} : { 'last-event-id': since }) };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: `/api/events${query}`, headers, agent: false, family: 4 });
    const stop = () => void sent.destroy();
    sent.on('error', reject);
    sent.on('response', (response) => {
      if (response.statusCode !== 200) {
        reject(new Error(`status ${String(response.statusCode)}`));
        stop();
        return;
      }
      assert.equal(response.headers['content-type'], 'text/event-stream');
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        const messages = text.split('\n\n');
        text = messages.pop() ?? '';
        for (const message of messages) {
          if (message.startsWith(':')) continue;
          const data = /^data: (.*)$/m.exec(message)?.[1] ?? '';
          const event = book.take(data);
          assert.equal(/^id: (.*)$/m.exec(message)?.[1], event?.position);
        }
        resolve({
          ...book.following,
          ...{ pause: () => void response.pause(), resume: () => void response.resume(), stop },
        });
      });
      for (const end of ['end', 'error', 'close']) response.on(end, book.end);
      response.on('close', () => {
        reject(new Error('the stream ended before it began'));
      });
    });
    sent.end();
  });
}

/** The same with a WebSocket. */
export function followSocket({ origin, token, since }: Wanted): Promise<Following> {
  const book = openBook();
  const query = since === undefined ? '' : `?since=${since}`;
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/events${query}`, {
    headers: { authorization: `Bearer ${token}` },
    family: 4,
  });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      book.take(data.toString('utf8'));
      resolve({
        ...book.following,
        pause() {
          socket.pause();
        },
        resume() {
          socket.resume();
        },
        stop() {
          socket.terminate();
        },
      });
    });
    socket.on('close', () => {
      book.end();
      reject(new Error('the stream ended before it began'));
    });
  });
}
