/** Entry of `holdpoint serve`: the forms of a workspace for browsers. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { thisMachine } from '../app/workspace/thisMachine.ts';
import { openWorkspace } from '../app/workspace/workspace.ts';
import { httpSessions } from '../mcp/httpSessions.ts';
import { registerSweep } from '../vscode/workspace/sweeping.ts';
import { createApp } from './app.ts';
import { foldersOf } from './kit/folders.ts';
import { placeOf } from './options.ts';
import type { Place } from './options.ts';
import { inboxFeed } from './pages/inboxFeed.ts';
import { createLivePages } from './pages/livePages.ts';
import { createChallenges } from './kit/passkeys.ts';
import { createCodes } from './security/codes.ts';
import { createSessions } from './security/sessions.ts';
import { listen } from './server.ts';

declare const HOLDPOINT_VERSION: string;

/** How often MCP sessions are looked through. */
const mcpSweepMs = 5_000;

interface Given {
  readonly folder: string;
  readonly place: Place;
}

const given = argumentsOf(process.argv.slice(2));
if (given === null) process.exitCode = 1;
else
  serve(given).catch((error: unknown) => {
    console.error(`holdpoint serve: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  });

function argumentsOf(argv: readonly string[]): Given | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        workspace: { type: 'string' },
        port: { type: 'string' },
        listen: { type: 'string' },
        origin: { type: 'string' },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        'behind-proxy': { type: 'boolean', default: false },
      },
    });
    const folder = path.resolve(values.workspace ?? '.');
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new Error(`--workspace: ${folder} is not a folder`);
    const { port, listen: address, origin, 'tls-cert': tlsCert, 'tls-key': tlsKey } = values;
    const behindProxy = values['behind-proxy'];
    return { folder, place: placeOf({ port, listen: address, origin, tlsCert, tlsKey, behindProxy }) };
  } catch (error) {
    console.error(`holdpoint serve: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

async function serve({ folder, place }: Given): Promise<void> {
  const workspace = openWorkspace({
    ...thisMachine(process, os.homedir()),
    folder,
    wasm: () => fs.readFileSync(path.join(import.meta.dirname, 'sql-wasm.wasm.br')),
  });
  const folders = foldersOf(workspace);
  const clock = () => performance.now();
  const codes = createCodes(clock);
  let origin = place.origin ?? `http://localhost:${String(place.port)}`;
  const pages = createLivePages(folders);
  const inbox = inboxFeed(folders);
  const mcp = httpSessions({ workspace, version: HOLDPOINT_VERSION, clock });
  const app = createApp({
    ...{ workspace, folders, pages, inbox, codes, clock, mcp },
    sessions: createSessions(clock),
    challenges: createChallenges(clock),
    origin: () => origin,
    assets: path.join(import.meta.dirname, 'webview'),
  });
  const sweeping = registerSweep(folders);
  const mcpSweeping = setInterval(() => void mcp.sweep(), mcpSweepMs);
  const server = await listen(place, app.fetch);
  if (place.origin === null) origin = `http://localhost:${String(server.port)}`;
  else console.log(`Listening on port ${String(server.port)} for ${origin}.`);
  say(origin, codes.issue());

  async function stop(): Promise<void> {
    sweeping.dispose();
    clearInterval(mcpSweeping);
    await mcp.close();
    inbox.dispose();
    pages.dispose();
    folders.dispose();
    await server.close();
    workspace.close();
    process.exit(0);
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => void stop());
}

/** The code is after the number sign: browsers send that to no server. */
function say(origin: string, code: string): void {
  console.log(`Open ${origin}/#${code} in a browser.`);
  console.log(`Or enter this code there: ${code}. It works once, within 5 minutes.`);
}
