import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type * as vscode from 'vscode';

/** The scope of code in the extension host. The code must be self-contained, because only its source is sent. */
export interface HostScope {
  readonly vscode: typeof vscode;
  readonly require: NodeJS.Require;
}

export interface Probe {
  /** Runs `body` inside the extension host; argument and result are sent as JSON. */
  evaluate<A, R>(body: (scope: HostScope, argument: A) => R | Promise<R>, argument: A): Promise<R>;
  /** Settles when the extension host disconnects (a reload, a closed window). */
  readonly gone: Promise<void>;
}

export interface ProbeServer {
  readonly port: number;
  /** The next extension host that connects for this window. */
  connected(window: string): Promise<Probe>;
  close(): void;
}

type Reply = { id: number; value: unknown } | { id: number; error: string } | { window: string };

/** The server to which extension hosts connect, with JSON lines in both directions. */
export async function startProbeServer(): Promise<ProbeServer> {
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
    // A window was closed during a transfer: `close` follows and handles it.
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

/** VS Code's test runner: it runs the code it receives until the window closes. */
export function probeSource(port: number, window: string): string {
  return `'use strict';
const net = require('node:net');
const readline = require('node:readline');
const vscode = require('vscode');
exports.run = () => new Promise((resolve) => {
  const socket = net.connect(${port}, '127.0.0.1');
  const send = (message) => socket.write(JSON.stringify(message) + '\\n');
  const scope = { vscode, require };
  socket.on('error', () => undefined);
  // Delayed, because VS Code closes the extension host when its test runner ends.
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
