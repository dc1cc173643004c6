/**
 * A short version of `npm run faults`: the same faults and checks, dozens of each instead of thousands, and half of those
 * in `npm test`.
 */
import assert from 'node:assert/strict';
import { calls } from '../../support/faults/calls.ts';
import { clockFaults } from '../../support/faults/clocks.ts';
import { cuts } from '../../support/faults/cuts.ts';
import { flips } from '../../support/faults/flips.ts';
import { flood } from '../../support/faults/flood.ts';
import { kills } from '../../support/faults/kills.ts';
import { powerLoss } from '../../support/faults/power.ts';
import { races } from '../../support/faults/races.ts';
import { holds, type Budget, type Row } from '../../support/faults/row.ts';
import { skew } from '../../support/faults/skew.ts';
import { stops } from '../../support/faults/stops.ts';
import { isFull } from '../../support/runs.ts';
import { bundleWriter } from '../../support/store/programs.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

describe('in short: a store', () => {
  let bundle: string;

  before(async () => {
    bundle = await bundleWriter(makeSandbox().base);
  });
  after(removeSandboxes);

  /** @param least minimum number of faults, all rows together */
  function check(name: string, scale: number, least: number, run: (bundle: string, budget: Budget) => Promise<Row[]>) {
    it(name, async () => {
      const part = isFull ? 1 : 1 / 4;
      const rows = await run(bundle, { scale: scale * part, until: Infinity });
      for (const row of rows) assert.ok(holds(row), `${row.fault}\n${row.wrong.slice(0, 3).join('\n')}`);
      const times = rows.reduce((sum, row) => sum + row.times, 0);
      assert.ok(times >= least * part, `${String(times)} faults`);
    }).timeout(300_000);
  }

  check('whose programs are killed while they write', 0.024, 24, kills);
  check('whose disk fails at any call', 0.04, 70, (_, budget) => calls(budget));
  check('whose disk is gone from any call on', 0.4, 150, (_, budget) => calls(budget, ['EIO from there on']));
  check('whose programs are paused in mid-commit', 0.02, 20, stops);
  check('whose programs have wrong clocks', 0.02, 40, clockFaults);
  check('whose files have a flipped bit', 0.04, 390, (_, budget) => flips(budget));
  check('whose journal was truncated', 0.003, 190, (_, budget) => cuts(budget));
  check('that is flooded', 0.01, 100, flood);
  check('that eight programs race for', 0.008, 20, races);
  check('whose machine loses power', 0.04, 50, (_, budget) => powerLoss(budget));
  check('that an older and a newer program share', 0.06, 16, skew);
});
