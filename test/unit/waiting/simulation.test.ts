/** The simulation of docs/performance.md, on short days: the same seed gives the same day, and the policy does its part. */
import assert from 'node:assert/strict';
import { simulate } from '../../support/simulation/day.ts';
import { settings, simulationTable } from '../../support/simulation/table.ts';

const short = { seed: 7, agents: 3, hours: 2 };
const dayOf = (name: string) => simulate({ ...short, ...settings[name]! });

describe('the simulated day', () => {
  it('is the same for the same seed, and another for another', () => {
    assert.equal(simulationTable(short), simulationTable(short));
    assert.notEqual(simulationTable(short), simulationTable({ ...short, seed: 8 }));
  });

  it('without a policy interrupts more often, and parks nothing', () => {
    const before = dayOf('before, calls of 45 s');
    const after = dayOf('digest every 30 min');
    assert.ok(before.asked > 5 && after.asked > 5);
    assert.ok(
      after.interruptions < before.interruptions,
      `${String(after.interruptions)} ${String(before.interruptions)}`,
    );
    assert.deepEqual([before.parked, before.expired], [0, 0], 'calls that repeat keep the cache');
    assert.ok(after.parked > 0 && after.resumed <= after.parked && after.answered <= after.asked);
    assert.ok(before.tokensReread > 0);
  });

  it('loses the cache in one long call', () => {
    const one = dayOf('before, one call');
    assert.equal(one.tokensReread, 0);
    assert.equal(one.expired === 0, one.tokensLost === 0);
  });

  it('has questions answered by precedents where a person signs them, with shorter waits', () => {
    const without = dayOf('parking, bursts, same shape');
    const day = dayOf('and precedents');
    assert.equal(without.byPrecedents, 0);
    assert.ok(day.byPrecedents > 0 && day.byPrecedents < day.answered);
    assert.ok(day.medianWaitMs! < without.medianWaitMs!);
  });
});
