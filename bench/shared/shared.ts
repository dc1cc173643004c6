/** A journal that a team shares, beside one of this machine alone. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Part } from '../part.ts';
import { answerTable, measureAnswers } from './answers.ts';
import { appendTable, measureAppends } from './appends.ts';
import type { Stores } from './appends.ts';
import { gateTable, outageTable } from './gates.ts';
import { startTeam } from './team.ts';

export const shared: Part = {
  name: 'shared',
  what: 'a shared journal on PostgreSQL beside a local one: commits by 1 to 64 clients, network delays, answers across machines, gate, outages',
  minutes: 15,
  async run({ folder: parent, quick, say, seed }) {
    const folder = path.join(parent, 'shared');
    mkdirSync(folder, { recursive: true });
    const team = await startTeam(folder);
    try {
      const made = await seed(1_000);
      say('  sharing 1,000 records');
      const few: Stores = { folder, team, seed: made, shared: await team.share(made) };
      const delays = quick ? [0, 20] : [0, 20, 80, 200];
      say('  gate');
      const gates = await gateTable(few, quick ? 6 : 16);
      say('  answers');
      const answers = await measureAnswers(few, delays, quick ? 5 : 12);
      say('  outages');
      const outages = await outageTable(few, quick ? 1 : 3);
      say('  commits');
      const plan = { clients: quick ? [1, 4] : [1, 4, 16, 64], delays, rounds: 2, forMs: quick ? 500 : 1_000 };
      const appends = await measureAppends(few, plan);
      return [
        '### A shared journal beside a local one',
        `PostgreSQL ${String(team.database.postgres.version)} on this machine, with its usual settings for durability; the network is a proxy on loopback that adds the delay to each round trip. Local and shared take turns. Each client of the shared store is a machine of its own, with its own copy; all clients of the local store use one folder. Up to eight programs run the clients. A round trip is a query that does nothing.`,
        '#### One acknowledged commit, 1,000 records',
        appendTable(appends),
        '#### From an answer on one machine to the waiting call on another',
        'The time includes the commit of the answer.',
        answerTable(answers),
        '#### Gate, 1,000 open questions',
        gates,
        '#### Outages',
        'Seen: until the gate and the views no longer call the copy current. Back: until they do again. A server that starts again has its time after its start.',
        outages,
      ].join('\n\n');
    } finally {
      await team.stop();
    }
  },
};
