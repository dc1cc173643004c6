/** Clocks of machines that jump while all work, with and without the server. */
import assert from 'node:assert/strict';
import { askGate } from '../../../../src/app/hold/gate.ts';
import { defaultLease } from '../../../../src/core/state/state.ts';
import { aside, count, goesOn, newRandom, newRow, once, scaled, type Budget, type Row } from '../row.ts';
import { progress, startWork } from './acts.ts';
import { checkTeam, settle } from './checks.ts';
import { free, type Team } from './team.ts';

const hour = 3_600_000;

export async function clockJumps(team: Team, budget: Budget): Promise<Row[]> {
  const wanted = scaled(budget, 20);
  const row = newRow(
    'the clock of a machine jumping by an hour to a year, back or ahead; every second time while it is cut off',
    wanted,
    'as above, on every machine; a machine that is cut off is not CLEAR after the jump',
  );
  const random = newRandom(7);
  while (row.times < wanted && goesOn(budget) && row.wrong.length === 0)
    await once(row, `jump ${String(row.times)}`, async () => {
      await settle(team);
      const { workspace, proxy, clock } = team.machines[row.times % 4]!;
      const working = startWork(team);
      try {
        await progress(working);
        const isCutOff = row.times % 2 === 0;
        if (isCutOff) proxy.cut();
        clock.error = (hour + random(365 * 24) * hour) * (random(2) === 0 ? -1 : 1);
        assert.ok(Math.abs(clock.error) > defaultLease.seconds * 1_000);
        const { state } = askGate(workspace, { work: free });
        if (isCutOff) assert.notEqual(state, 'CLEAR');
        count(row, `${isCutOff ? 'cut off' : 'connected'}: ${state} at once`);
        await progress(working, 8);
        proxy.restore();
      } finally {
        proxy.restore();
        await working.stop();
      }
    });
  await aside(row, 'at the end', () => checkTeam(team));
  return [row];
}
