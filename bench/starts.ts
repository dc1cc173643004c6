/** The cold start of every program on a small store: the cost of Node, the bundles and the files they load. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../test/support/host.ts';
import { hookCall } from './gate.ts';
import type { Part } from './part.ts';
import { bareNode, inTurns, programSection } from './programs.ts';
import type { Run } from './programs.ts';
import { copySeed, environmentOf } from './seed.ts';

export const starts: Part = {
  name: 'starts',
  what: 'the cold start of every program on a store of 10 questions, against bare Node',
  minutes: 2,
  async run({ folder, quick, seed }) {
    const place = copySeed(folder, await seed(10));
    const env = environmentOf(place);
    const cli = (what: string, ends: number, ...args: string[]): Run => ({
      ...{ what, env, ends },
      args: [path.join(root, 'dist', 'cli.mjs'), '--workspace', place.folder, ...args],
    });
    const runs: Run[] = [
      bareNode(env),
      cli('`holdpoint gate`', 0, 'gate', '--work', 'free'),
      { ...cli('`holdpoint question list`, by a caller without a name', 0, 'question', 'list', '--json'), goal: 3 },
      cli('`holdpoint question list --urgent`, which loads SQLite', 0, 'question', 'list', '--urgent', '--json'),
      cli('`holdpoint --help`', 0, '--help'),
      { what: 'a hook, an allowed edit', env, ends: 0, ...hookCall(place, 'Edit', 'docs/readme.md') },
      {
        what: 'the MCP server, until `initialize` is answered',
        env,
        args: [path.join(root, 'dist', 'mcp.mjs'), '--workspace', place.folder],
        ends: { withLine: /"serverInfo"/ },
        input: `${JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
        })}\n`,
      },
    ];
    try {
      const took = await inTurns(runs, quick ? { rounds: 8, forMs: 10_000 } : { rounds: 40, forMs: 25_000 });
      const heading = 'Cold start of every program';
      const about =
        'On a store of 10 questions, from the start of the program to its exit or answer. The limit is bare Node. Before: the last run on this page. The start of the extension is measured by itself.';
      return await programSection({ heading, about }, runs, took);
    } finally {
      fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
    }
  },
};
