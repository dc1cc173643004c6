/** A journal that a team shares, beside one of this machine alone. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Part } from '../part.ts';
import { thousands } from '../stats.ts';
import { answerTable, measureAnswers } from './answers.ts';
import { appendTable, growthTable, measureAppends } from './appends.ts';
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
      const stores = async (records: number): Promise<Stores> => {
        const made = await seed(records);
        say(`  sharing ${thousands(records)} records`);
        return { folder, team, seed: made, records, shared: await team.share(made) };
      };
      const few = await stores(1_000);
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
      const alone = { clients: [1], delays: [0], rounds: quick ? 3 : 6, forMs: 1_000 };
      const many = await stores(quick ? 10_000 : 100_000);
      const growth = [...(await measureAppends(few, alone)), ...(await measureAppends(many, alone))];
      return [
        '### A shared journal beside a local one',
        `PostgreSQL ${String(team.database.postgres.version)} on this machine, with its usual settings for durability; the network is a proxy on loopback that adds the delay to each round trip. Local and shared take turns. Each client of the shared store is a machine of its own, with its own copy; all clients of the local store use one folder. Up to eight programs run the clients. A round trip is a query that does nothing.`,
        '#### One acknowledged commit, 1,000 records',
        appendTable(appends),
        '#### From the smallest store to the largest, one client',
        growthTable(growth),
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
