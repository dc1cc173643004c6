/** Kills programs that write to a shared journal, on machines where several write one copy. */
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from '../../store/programs.ts';
import { aside, count, goesOn, newRandom, newRow, scaled, type Budget, type Row } from '../row.ts';
import { checkTeam } from './checks.ts';
import { sizes } from './partitions.ts';
import type { Machine, Team } from './team.ts';

export async function sharedKills(bundle: string, team: Team, budget: Budget): Promise<Row[]> {
  const wanted = scaled(budget, 300);
  const row = newRow(
    '4 programs on 2 machines that write, one of them killed (SIGKILL) and restarted',
    wanted,
    'as above, on every machine',
  );
  const before = sizes(team);
  let begun = 0;

  async function lane(machine: Machine, name: string): Promise<void> {
    const random = newRandom(name.charCodeAt(0));
    for (let round = 0; begun < wanted && goesOn(budget) && row.wrong.length === 0; round++) {
      begun++;
      const run = `k${String(before.said)}${name}${String(round)}`;
      const { folder, home } = machine.sandbox;
      const writer = start(bundle, { folder, home, env: machine.env }, { does: 'write', name: run });
      const life = random(12);
      let said = 0;
      for (let line = await writer.next(); line !== null; line = await writer.next()) {
        if (line !== 'ready') team.log.acknowledged.add(line);
        if (said++ !== life) continue;
        if (round % 2 === 1) await sleep(random(6));
        writer.kill();
        row.times++;
      }
      if (said <= life) row.wrong.push(`${run} ended by itself`);
    }
  }

  const [one, two] = team.machines;
  await Promise.all([lane(one, 'a'), lane(one, 'b'), lane(two, 'c'), lane(two, 'd')]);
  count(row, 'acknowledged', sizes(team).acknowledged - before.acknowledged);
  await aside(row, `after ${String(row.times)} kills`, () => checkTeam(team));
  return [row];
}
