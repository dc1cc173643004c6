/** Serves one client over standard input and output, in the era that its first message chooses. */
import { PassThrough } from 'node:stream';
import process from 'node:process';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Connection } from './connection.ts';
import { createServer } from './server.ts';

export function serveStandardStreams(connection: Connection): void {
  // Without its end: the transport would leave the requests before it without answers.
  const input = process.stdin.pipe(new PassThrough(), { end: false });
  serveStdio(({ era }) => createServer(connection, era), {
    transport: new StdioServerTransport(input, process.stdout),
  });
}
