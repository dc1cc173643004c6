import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type * as vscode from 'vscode';

/** What code sent into the extension host gets to see. It must be self-contained: only its source travels. */
export interface HostScope {
  readonly vscode: typeof vscode;
  readonly require: NodeJS.Require;
  /** A line for the process that drives the test. */
  readonly log: (line: string) => void;
}

export interface Probe {
  /** Runs `body` inside the extension host; argument and result travel as JSON. */
  evaluate<A, R>(body: (scope: HostScope, argument: A) => R | Promise<R>, argument: A): Promise<R>;
  /** Settles when the connected extension host goes away (a reload, a closed window). */
  readonly gone: Promise<void>;
}

export interface ProbeServer {
  readonly port: number;
  /** The next extension host that reports for this window and has not been handed out yet. */
  connected(window: string): Promise<Probe>;
  close(): void;
}

type Reply = { id: number; value: unknown } | { id: number; error: string } | { line: string } | { window: string };

/** The extension hosts connect to this: a line of JSON each way. */
export async function startProbeServer(onLine: (line: string) => void): Promise<ProbeServer> {
  const ready = new Map<string, Probe[]>();
  const wanted = new Map<string, ((probe: Probe) => void)[]>();
  const sockets = new Set<Socket>();

  function hello(window: string, probe: Probe): void {
    const asked = wanted.get(window)?.shift();
    if (asked) asked(probe);
    else ready.set(window, [...(ready.get(window) ?? []), probe]);
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    const replies = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
    let next = 0;
    const gone = new Promise<void>((resolve) => {
      socket.once('close', () => {
        sockets.delete(socket);
        for (const { reject } of replies.values()) reject(new Error('The extension host went away.'));
        resolve();
      });
    });
    // A window that is closed while it talks: `close` follows and tells.
    socket.on('error', () => undefined);
    const probe: Probe = {
      gone,
      evaluate: (body, argument) =>
        new Promise((resolve, reject) => {
          const id = next++;
          replies.set(id, { resolve: resolve as (value: unknown) => void, reject });
          socket.write(`${JSON.stringify({ id, body: String(body), argument })}\n`);
        }),
    };
    createInterface({ input: socket }).on('line', (text) => {
      const reply = JSON.parse(text) as Reply;
      if ('window' in reply) hello(reply.window, probe);
      else if ('line' in reply) onLine(reply.line);
      else {
        const waiting = replies.get(reply.id);
        replies.delete(reply.id);
        if ('error' in reply) waiting?.reject(new Error(reply.error));
        else waiting?.resolve(reply.value);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    connected: (window) => {
      const probe = ready.get(window)?.shift();
      if (probe) return Promise.resolve(probe);
      return new Promise((resolve) => {
        wanted.set(window, [...(wanted.get(window) ?? []), resolve]);
      });
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** The file given to VS Code as its test runner: it runs what it is sent, until the window closes. */
export function probeSource(port: number, window: string): string {
  return `'use strict';
const net = require('node:net');
const readline = require('node:readline');
const vscode = require('vscode');
exports.run = () => new Promise((resolve) => {
  const socket = net.connect(${port}, '127.0.0.1');
  const send = (message) => socket.write(JSON.stringify(message) + '\\n');
  const scope = { vscode, require, log: (line) => send({ line: String(line) }) };
  socket.on('error', () => undefined);
  // Not settled at once: VS Code closes the extension host when its test runner is done.
  socket.on('close', () => setTimeout(resolve, 60000).unref());
  send({ window: ${JSON.stringify(window)} });
  readline.createInterface({ input: socket }).on('line', async (text) => {
    const { id, body, argument } = JSON.parse(text);
    try {
      const value = await (0, eval)('(' + body + ')')(scope, argument);
      send({ id, value: value === undefined ? null : value });
    } catch (error) {
      send({ id, error: error instanceof Error ? error.stack : String(error) });
    }
  });
});
`;
}
