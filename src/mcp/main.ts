/** Entry of the MCP server over stdio. Standard output carries the protocol and nothing else. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Console } from 'node:console';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { givenName } from '../app/workspace/agents.ts';
import { thisMachine } from '../app/workspace/thisMachine.ts';
import { openWorkspace } from '../app/workspace/workspace.ts';
import { addSession } from '../hosts/ownTools.ts';
import { openConnection, type Connection, refusalOf } from './connection.ts';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { announceTools, createServer } from './server.ts';

declare const HOLDPOINT_VERSION: string;

// Libraries log to stderr, where people look for it.
globalThis.console = new Console(process.stderr, process.stderr);

const given = argumentsOf(process.argv.slice(2));
if (given === null) process.exitCode = 1;
else serve(given);

function argumentsOf(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        workspace: { type: 'string' },
        'agent-type': { type: 'string' },
        session: { type: 'string' },
        'all-tools': { type: 'boolean' },
      },
    });
    const folder = path.resolve(values.workspace ?? '.');
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new Error(`--workspace: ${folder} is not a folder`);
    // Codex starts a plugin's server there, and does not say where its session works.
    if (values.workspace === undefined && process.env['PLUGIN_ROOT'] === process.cwd())
      throw new Error(
        'started in the folder of its plugin: run "holdpoint setup" in the folder of your agents instead',
      );
    const agent = process.env['HOLDPOINT_AGENT_ID'];
    const { 'agent-type': agentType, session, 'all-tools': allTools = false } = values;
    if (session !== undefined && (agentType === undefined || addSession({}, session) === null))
      throw new Error('--session: must be the id of a session of the agent type that --agent-type names');
    return { folder, agentType, session, allTools, agent: agent === undefined ? undefined : givenName(agent) };
  } catch (error) {
    console.error(`holdpoint mcp: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

function serve({ folder, agentType, agent, session, allTools }: NonNullable<ReturnType<typeof argumentsOf>>): void {
  const workspace = openWorkspace({
    folder,
    ...thisMachine(process, os.homedir()),
    wasm: () => fs.readFileSync(path.join(import.meta.dirname, 'sql-wasm.wasm.br')),
  });
  const connection = openConnection({
    workspace,
    version: HOLDPOINT_VERSION,
    agentType,
    agent,
    startedFor: session,
    allTools,
  });
  let stopping = false;

  /** Answers requests that arrived before the end of input, even if the client no longer reads. */
  async function stop(): Promise<void> {
    if (stopping) return;
    stopping = true;
    await nextTurn();
    await connection.close();
    workspace.close();
    await new Promise<void>((resolve) => {
      if (process.stdout.writable) process.stdout.write('', () => resolve());
      else resolve();
    });
    process.exit(0);
  }

  const end = () => void stop();
  process.stdin.once('end', end).once('close', end).on('error', end);
  process.stdout.on('error', end); // EPIPE: the client has gone
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stopping) process.exit(0);
      end();
    });
  serveStandardStreams(connection);
}

// Serves one client over standard input and output, in the era that its first message chooses.

function serveStandardStreams(connection: Connection): void {
  // Without its end: the transport would leave the requests before it without answers.
  const input = new PassThrough();
  createInterface({ input: process.stdin }).on('line', (line) => {
    const refused = line.trim() === '' ? null : refusalOf(line);
    if (refused) process.stdout.write(`${JSON.stringify(refused)}\n`);
    else input.write(`${line}\n`);
  });
  serveStdio(({ era }) => announceTools(connection, createServer(connection, era)), {
    transport: new StdioServerTransport(input, process.stdout),
  });
}
