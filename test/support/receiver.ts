/** A webhook's receiver on loopback, which answers as a test wants. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer } from './ports.ts';

export type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

export interface Receiver {
  readonly address: string;
  /** What it got, oldest first. */
  readonly bodies: string[];
  answer: Answer;
  close(): Promise<void>;
}

export const ok: Answer = (_request, response) => response.end('ok');

export function status(code: number, headers: http.OutgoingHttpHeaders = {}): Answer {
  return (_request, response) => response.writeHead(code, headers).end();
}

export async function startReceiver(): Promise<Receiver> {
  const bodies: string[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      bodies.push(body);
      receiver.answer(request, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const receiver: Receiver = {
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/services/T0/SECRET`,
    bodies,
    answer: ok,
    close: () => closeServer(server),
  };
  return receiver;
}
