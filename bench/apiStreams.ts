/** Programs that follow the events of a running `holdpoint serve`, half over server-sent events, half over WebSockets. */
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import type { Target } from './load.ts';

export interface ApiStreams {
  /** Events that all of them received. */
  count(): number;
  close(): void;
}

interface Counted {
  messages: number;
}

/** Resolves when each has begun. */
export async function openApiStreams(target: Omit<Target, 'cookie'>, count: number): Promise<ApiStreams> {
  const counted: Counted = { messages: 0 };
  const closing: (() => void)[] = [];
  const close = () => {
    for (const one of closing) one();
  };
  try {
    for (let number = 0; number < count; number += 1)
      closing.push(await (number % 2 === 0 ? openStream : openSocket)(target, counted));
  } catch (error) {
    close();
    throw error;
  }
  return { count: () => counted.messages, close };
}

type Open = (target: Omit<Target, 'cookie'>, counted: Counted) => Promise<() => void>;

const openStream: Open = ({ origin, token }, counted) =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const begun = (response: IncomingMessage) => {
      if (response.statusCode !== 200) {
        reject(new Error(`events: ${String(response.statusCode)}`));
        return;
      }
      response.setEncoding('utf8').on('error', () => undefined);
      response.on('data', (text: string) => {
        counted.messages += text.match(/^data: /gm)?.length ?? 0;
      });
      resolve(() => response.destroy());
    };
    get(`${origin}/api/events`, { headers, agent: false, family: 4 }, begun).on('error', reject);
  });

const openSocket: Open = ({ origin, token }, counted) =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/events`, { headers, family: 4 });
    socket.on('error', reject);
    socket.on('message', () => {
      counted.messages += 1;
    });
    socket.on('open', () => {
      resolve(() => {
        socket.terminate();
      });
    });
  });
