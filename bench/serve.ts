/** The longest pause of an editor and of `holdpoint serve` with many streams and requests, on the same store. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeBaselines } from '../src/app/hold/takeBaselines.ts';
import { addToken } from '../src/app/tokens/tokens.ts';
import type { HoldpointApi } from '../src/vscode/api.ts';
import { addressOf, environmentOf as serverEnvironment } from '../test/serve/program.ts';
import { addPasskey, openStreams, signIn } from '../test/serve/streams.ts';
import { openEditor } from '../test/support/editor.ts';
import { root } from '../test/support/host.ts';
import { extensionReady } from '../test/support/tools.ts';
import { until } from '../test/support/until.ts';
import type { EditorWindow } from '../test/support/window.ts';
import { openApiStreams } from './apiStreams.ts';
import { table } from './document.ts';
import { longestPause, watchPauses } from './loopPauses.ts';
import type { LongestPause } from './loopPauses.ts';
import { load, perSecond } from './load.ts';
import type { Loaded, Target } from './load.ts';
import { met } from './part.ts';
import type { Part } from './part.ts';
import { copySeed, environmentOf, openPlace } from './seed.ts';
import type { Place, Seed } from './seed.ts';
import { canShareCores, giveLastCore, leaveLastCore } from './ownCore.ts';
import { quantile, short, thousands } from './stats.ts';
import { dismiss, message } from './writers.ts';

const goal = 50;
const pages = 140;
const programs = 60;
const probe = path.join(import.meta.dirname, 'pauseProbe.ts');

export const serve: Part = {
  name: 'serve',
  what: `the longest pause of an editor beside a server with ${String(pages + programs)} open streams and ${String(perSecond)} requests a second`,
  minutes: 7,
  async run({ folder, quick, say, seed }) {
    const seconds = quick ? 5 : 60;
    const isApart = canShareCores();
    const shareAgain = isApart ? leaveLastCore() : () => undefined;
    const pauses: string[][] = [];
    const requests: string[][] = [];
    for (const records of quick ? [1_000] : [1_000, 10_000]) {
      const made = await seed(records);
      say(`  ${thousands(records)} records`);
      const measured = await measure(folder, made, { seconds, isApart });
      pauses.push(...pauseRows(thousands(records), measured));
      requests.push(requestRow(thousands(records), measured));
      for (const row of [...pauses.slice(-2), ...requests.slice(-1)]) say(`  ${row.join(' | ')}`);
      for (const why of new Set(measured.loaded.failed)) say(`  failed: ${why}`);
    }
    shareAgain();
    return [
      `### Beside ${String(pages + programs)} open streams and ${String(perSecond)} requests a second`,
      `The longest pause of VS Code's extension host, which shows the workspace, and of \`holdpoint serve\`, for ${String(seconds)} seconds: the server has the streams of ${String(pages)} pages and of ${String(programs)} programs (half server-sent events, half WebSockets) and gets ${String(perSecond)} requests a second (documents, sessions, the API, and a critical question of an agent over MCP each second). Idle: the same for 10 seconds without requests. The limit is a program that does nothing, measured at the same time: what the machine itself takes. Its own processor time is the longest that one pause took of it, which other work on the machine does not add to. The requests and the streams are read by one more program of the same machine.${isApart ? ' The extension host has a processor core of its own, because its pauses would otherwise be those of the machine: all other programs, the browser that shows the editor among them, share the other cores, and the limit is measured there.' : ''}`,
      table(
        [
          'records',
          'program',
          'idle',
          'the limit',
          'with the load',
          'the limit',
          'goal',
          'met',
          'its own processor time',
          'load of the machine',
        ],
        pauses,
      ),
      table(['records', 'requests', 'p50', 'p95', 'longest', 'failed', 'events of pages', 'of programs'], requests),
    ].join('\n\n');
  },
};

interface Pauses {
  readonly editor: LongestPause;
  readonly server: LongestPause;
  /** Of a program that does nothing. */
  readonly limit: LongestPause;
}

interface How {
  readonly seconds: number;
  /** The extension host has a core of its own. */
  readonly isApart: boolean;
}

interface Measured {
  readonly idle: Pauses;
  readonly busy: Pauses;
  readonly loaded: Loaded;
  /** Events that all pages and all programs received. */
  readonly events: { readonly pages: number; readonly programs: number };
}

function pauseRows(records: string, { idle, busy }: Measured): string[][] {
  const ms = (value: number) => `${short(value)} ms`;
  const load = short(os.loadavg()[0] ?? NaN);
  return (['editor', 'server'] as const).map((of) => [
    ...[records, of === 'editor' ? 'the editor' : '`holdpoint serve`', ms(idle[of].ms), ms(idle.limit.ms)],
    ...[ms(busy[of].ms), ms(busy.limit.ms)],
    ...(of === 'editor' ? [`at most ${String(goal)} ms`, met(busy[of].ms, goal)] : ['none', '']),
    ...[ms(busy[of].own), load],
  ]);
}

function requestRow(records: string, { loaded, events }: Measured): string[] {
  const time = (share: number) => `${short(quantile(loaded.took, share))} ms`;
  return [
    ...[records, thousands(loaded.took.length), time(0.5), time(0.95), time(1), String(loaded.failed.length)],
    ...[thousands(events.pages), thousands(events.programs)],
  ];
}

async function measure(parent: string, seed: Seed, { seconds, isApart }: How): Promise<Measured> {
  const place = copySeed(parent, seed);
  await noteHeldFiles(place);
  const server = fork(path.join(root, 'dist', 'cli.mjs'), ['--workspace', place.folder, 'serve', '--port', '0'], {
    execArgv: ['--import', probe],
    env: serverEnvironment(place),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const nothing = fork(probe);
  try {
    await Promise.all([message(server), message(nothing)]);
    const { origin } = await addressOf(server);
    const editor = await openEditor({ workspace: place.folder, env: environmentOf(place) });
    try {
      await showItems(editor.window);
      if (isApart) giveLastCore(await editor.window.evaluate(() => process.pid, undefined));
      const watching = { window: editor.window, server, nothing };
      return await measureStreams(watching, credentials(place, origin), seconds);
    } finally {
      await editor.close();
    }
  } finally {
    await Promise.all([dismiss(server), dismiss(nothing)]);
    fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
  }
}

/** A store of today has a baseline for each hold already. */
async function noteHeldFiles(place: Place): Promise<void> {
  const workspace = openPlace(place);
  await takeBaselines(workspace);
  workspace.close();
}

type Credentials = ReturnType<typeof credentials>;

function credentials(place: Place, origin: string) {
  const workspace = openPlace(place);
  const passkey = addPasskey(workspace, origin);
  const asked = { name: 'bench', agent: 'bench-002', roots: [workspace.location.root], expiresAt: null };
  const token = addToken(workspace, asked);
  workspace.close();
  return { origin, passkey, token };
}

async function showItems(window: EditorWindow): Promise<void> {
  await extensionReady(window);
  await window.command('Focus on Waiting for you View');
  await window.page.locator('.pane-body [role="treeitem"]', { hasText: 'importer' }).first().waitFor();
  await window.evaluate(({ vscode }) => {
    const api = vscode.extensions.getExtension<HoldpointApi>('holdpoint.holdpoint')?.exports;
    const scope = globalThis as { heard?: number };
    scope.heard = 0;
    api?.onDidNotify(() => (scope.heard = (scope.heard ?? 0) + 1));
  }, undefined);
}

/** Resolves when the editor has followed so many questions. */
async function heard(window: EditorWindow, count: number): Promise<void> {
  await until(
    `the editor has read ${String(count)} questions`,
    async () => (await window.evaluate(() => (globalThis as { heard?: number }).heard ?? 0, undefined)) >= count,
  );
}

interface Watching {
  readonly window: EditorWindow;
  readonly server: ChildProcess;
  readonly nothing: ChildProcess;
}

async function measureStreams(watching: Watching, given: Credentials, seconds: number): Promise<Measured> {
  const { origin, passkey, token } = given;
  const streams = await openStreams(origin, passkey, pages);
  const followers = await openApiStreams({ origin, token }, programs);
  try {
    const target: Target = { origin, token, cookie: await signIn(origin, passkey) };
    // Loads what each kind of request needs.
    await load(target, 2, 'Warm');
    await heard(watching.window, 2);
    await sleep(5_000);
    const idle = await pausesDuring(watching, () => sleep(10_000));
    const before = { pages: streams.events.length, programs: followers.count() };
    let loaded: Loaded = { took: [], failed: [] };
    const busy = await pausesDuring(watching, async () => {
      loaded = await load(target, seconds, 'Load');
    });
    await heard(watching.window, 2 + seconds);
    const events = {
      pages: streams.events.length - before.pages,
      programs: followers.count() - before.programs,
    };
    return { idle, busy, loaded, events };
  } finally {
    followers.close();
    streams.close();
  }
}

async function pausesDuring({ window, server, nothing }: Watching, act: () => Promise<unknown>): Promise<Pauses> {
  await window.evaluate(watchPauses, undefined);
  for (const program of [server, nothing]) program.send('begin');
  await act();
  const pauses = [message(server), message(nothing)];
  for (const program of [server, nothing]) program.send('end');
  const editor = await window.evaluate(longestPause, undefined);
  const [ofServer, limit] = (await Promise.all(pauses)) as [LongestPause, LongestPause];
  return { editor, server: ofServer, limit };
}
