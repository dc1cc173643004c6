/** A short version of `npm run faults -- --shared`: the same faults and checks, a few of each. */
import assert from 'node:assert/strict';
import { holds } from '../../support/faults/row.ts';
import { sharedFaults, type SharedFault } from '../../support/faults/shared/all.ts';
import { startTeam, type Team } from '../../support/faults/shared/team.ts';
import { bundleWriter } from '../../support/store/programs.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

/** Whose shortest form takes too long for each run of the tests. */
const long: ReadonlySet<SharedFault> = new Set(['silences']);

describe('in short: a shared journal', function () {
  this.timeout(300_000);
  let bundle: string;
  let team: Team;

  before(async () => {
    bundle = await bundleWriter(makeSandbox().base);
    team = await startTeam();
  });
  after(async () => {
    await team.close();
    removeSandboxes();
  });

  for (const [name, run] of Object.entries(sharedFaults))
    if (!long.has(name as SharedFault))
      it(name, async () => {
        const rows = await run({ bundle, team, budget: { scale: 0.02, until: Infinity } });
        assert.ok(rows.length > 0);
        for (const row of rows) assert.ok(holds(row), `${row.fault}\n${row.wrong.slice(0, 3).join('\n')}`);
      });
});
