/** Entry of `holdpoint serve`: the forms of a workspace for browsers. */
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { dropSecret, keepSecret, localOrigin, newSecret } from '../app/serving/editorLink.ts';
import { thisMachine } from '../app/workspace/thisMachine.ts';
import { openWorkspace } from '../app/workspace/workspace.ts';
import { startReminding } from '../channels/reminding.ts';
import { httpEndpoint } from '../mcp/httpEndpoint.ts';
import { keepHeldFiles, registerSweep, inThreads } from '../ui/kit/keepers.ts';
import { createApp } from './app.ts';
import { foldersOf, useLanguageOf } from './kit/folders.ts';
import { placeOf, type Place, listen } from './server.ts';
import { inboxFeed } from './pages/inbox.ts';
import { createLivePages } from './pages/livePages.ts';
import { createChallenges } from './security/passkeys.ts';
import { createCodes, createSessions } from './security/sessions.ts';

declare const HOLDPOINT_VERSION: string;

/** How often MCP sessions are looked through. */
const mcpSweepMs = 5_000;

interface Given {
  readonly folder: string;
  readonly place: Place;
  /** An editor started this server, and ends it with itself. */
  readonly forEditor: boolean;
}

// An error in what one page or program asks for must not end the server for all others.
process.on('unhandledRejection', (reason) => {
  console.error(reason);
});

useLanguageOf(process.env);
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
        'for-editor': { type: 'boolean', default: false },
      },
    });
    const folder = path.resolve(values.workspace ?? '.');
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new Error(`--workspace: ${folder} is not a folder`);
    const { port, listen: address, origin, 'tls-cert': tlsCert, 'tls-key': tlsKey } = values;
    const behindProxy = values['behind-proxy'];
    const place = placeOf({ port, listen: address, origin, tlsCert, tlsKey, behindProxy });
    return { folder, place, forEditor: values['for-editor'] };
  } catch (error) {
    console.error(`holdpoint serve: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

async function serve({ folder, place, forEditor }: Given): Promise<void> {
  const login = forEditor ? await readLogin() : null;
  const workspace = openWorkspace({
    ...thisMachine(process, os.homedir()),
    ...(login === null ? {} : { humanLogin: () => login }),
    folder,
    wasm: () => fs.readFileSync(path.join(import.meta.dirname, 'sql-wasm.wasm.br')),
    saveBeside: inThreads(path.join(import.meta.dirname, '..'), folder).saveBeside,
  });
  // The thread that reads keeps no program alive, and nothing else does yet.
  const alive = setInterval(() => undefined, 60_000);
  await workspace.readFirst();
  clearInterval(alive);
  const folders = foldersOf(workspace);
  const clock = () => performance.now();
  const codes = createCodes(clock);
  let origin = place.origin ?? localOrigin(place.port);
  const secret = newSecret();
  const pages = createLivePages(folders);
  const inbox = inboxFeed(folders);
  const mcp = httpEndpoint({ workspace, version: HOLDPOINT_VERSION, clock });
  const app = createApp({
    ...{ workspace, folders, pages, inbox, codes, clock, mcp },
    sessions: createSessions(clock),
    challenges: createChallenges(clock),
    origin: () => origin,
    behindProxy: place.behindProxy,
    editor: place.origin === null ? { secret, byEditor: forEditor, end: () => void stop() } : null,
    assets: path.join(import.meta.dirname, 'webview'),
    document: path.join(import.meta.dirname, '..', 'schemas', 'openapi.json'),
  });
  const sweeping = registerSweep(folders);
  const keeping = keepHeldFiles(folders);
  const reminding = startReminding({ ...workspace.options, role: 'serve' });
  const mcpSweeping = setInterval(() => void mcp.sweep().catch(console.error), mcpSweepMs);
  const server = await listen(place, app.fetch);
  if (place.origin === null) {
    origin = localOrigin(server.port);
    keepSecret(workspace, server.port, secret);
  } else console.log(`Listening on port ${String(server.port)} for ${origin}.`);
  say(origin, codes.issue());

  async function stop(): Promise<void> {
    dropSecret(workspace, server.port, secret);
    sweeping.dispose();
    keeping.dispose();
    reminding.close();
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
  if (forEditor) process.stdin.once('close', () => void stop()).resume();
}

/** The human's login to the team's server, which no other program may read: the first line of the input. */
async function readLogin(): Promise<string | null> {
  const lines = createInterface({ input: process.stdin });
  const [line] = (await once(lines, 'line')) as [string];
  lines.close();
  return line === '' ? null : line;
}

/** The code is after the number sign: browsers send that to no server. */
function say(origin: string, code: string): void {
  console.log(`Open ${origin}/#${code} in a browser.`);
  console.log(`Or enter this code there: ${code}. It works once, within 5 minutes.`);
}
