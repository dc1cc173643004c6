/** The longest pause of a program beside `holdpoint serve` with many open pages and requests, on the same store. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addToken } from '../src/app/tokens/tokens.ts';
import { spawnServe } from '../test/serve/program.ts';
import { addPasskey, openStreams, signIn } from '../test/serve/streams.ts';
import { table } from './document.ts';
import { load, perSecond } from './load.ts';
import type { Loaded } from './load.ts';
import { met } from './part.ts';
import type { Part } from './part.ts';
import { copySeed, environmentOf, openPlace } from './seed.ts';
import type { Place, Seed } from './seed.ts';
import { quantile, short, thousands } from './stats.ts';
import { dismiss, message } from './writers.ts';

const goal = 50;
const pages = 200;

export const serve: Part = {
  name: 'serve',
  what: `the longest pause of a program beside a server with ${String(pages)} open pages and ${String(perSecond)} requests a second`,
  minutes: 6,
  async run({ folder, quick, say, seed }) {
    const seconds = quick ? 5 : 60;
    const rows: string[][] = [];
    for (const records of quick ? [1_000] : [1_000, 10_000]) {
      const made = await seed(records);
      say(`  ${thousands(records)} records`);
      const { idle, pause, lists, loaded, events } = await measure(folder, made, seconds);
      const time = (share: number) => `${short(quantile(loaded.took, share))} ms`;
      rows.push([
        ...[thousands(records), `${short(idle)} ms`, `${short(pause)} ms`, `at most ${String(goal)} ms`],
        ...[met(pause, goal), String(lists), thousands(events)],
        ...[time(0.5), time(0.95), String(loaded.failed.length)],
      ]);
      say(`  ${rows.at(-1)?.join(' | ') ?? ''}`);
      for (const why of new Set(loaded.failed)) say(`  failed: ${why}`);
    }
    return [
      `### Beside ${String(pages)} open pages and ${String(perSecond)} requests a second`,
      `A program that has the workspace open as the editor does, and lists what is waiting after each change, for ${String(seconds)} seconds: its longest pause while \`holdpoint serve\` has ${String(pages)} streams of pages and gets ${String(perSecond)} requests a second (documents, sessions, the API, and a question of an agent over MCP each second). The limit is the same program beside an idle server. The requests and the streams are read by one more program of the same machine.`,
      table(
        [
          ...['records', 'the limit: idle', 'longest pause', 'goal', 'met', 'lists drawn', 'events of the streams'],
          ...['a request, p50', 'p95', 'failed'],
        ],
        rows,
      ),
    ].join('\n\n');
  },
};

interface Measured {
  readonly idle: number;
  readonly pause: number;
  readonly lists: number;
  readonly events: number;
  readonly loaded: Loaded;
}

async function measure(parent: string, seed: Seed, seconds: number): Promise<Measured> {
  const place = copySeed(parent, seed);
  const server = await spawnServe(place, ['--port', '0']);
  const follower = fork(path.join(import.meta.dirname, 'follower.ts'), [place.folder, place.home], {
    env: environmentOf(place),
  });
  try {
    await message(follower);
    const { origin } = server;
    const { passkey, token } = credentials(place, origin);
    const streams = await openStreams(origin, passkey, pages);
    try {
      const cookie = await signIn(origin, passkey);
      const { pause: idle } = await measured(follower, () => sleep(5_000));
      const before = streams.events.length;
      let loaded: Loaded = { took: [], failed: [] };
      const { pause, lists } = await measured(follower, async () => {
        loaded = await load({ origin, cookie, token }, seconds);
      });
      return { idle, pause, lists, loaded, events: streams.events.length - before };
    } finally {
      streams.close();
    }
  } finally {
    await dismiss(follower);
    await server.stop();
    fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
  }
}

function credentials(place: Place, origin: string) {
  const workspace = openPlace(place);
  const passkey = addPasskey(workspace, origin);
  const asked = { name: 'bench', agent: 'bench-002', roots: [workspace.location.root], expiresAt: null };
  const token = addToken(workspace, asked);
  workspace.close();
  return { passkey, token };
}

async function measured(
  follower: ChildProcess,
  act: () => Promise<unknown>,
): Promise<{ readonly pause: number; readonly lists: number }> {
  follower.send('begin');
  await act();
  follower.send('end');
  return (await message(follower)) as { pause: number; lists: number };
}
