/** Serves one client over standard input and output, in the era that its first message chooses. */
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import process from 'node:process';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Connection } from './connection.ts';
import { refusalOf } from './notMessages.ts';
import { announced, createServer } from './server.ts';

export function serveStandardStreams(connection: Connection): void {
  // Without its end: the transport would leave the requests before it without answers.
  const input = new PassThrough();
  createInterface({ input: process.stdin }).on('line', (line) => {
    const refused = line.trim() === '' ? null : refusalOf(line);
    if (refused) process.stdout.write(`${JSON.stringify(refused)}\n`);
    else input.write(`${line}\n`);
  });
  serveStdio(({ era }) => announced(connection, createServer(connection, era)), {
    transport: new StdioServerTransport(input, process.stdout),
  });
}
