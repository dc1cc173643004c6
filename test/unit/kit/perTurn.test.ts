import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenFolder } from '../../../src/ui/kit/folders.ts';
import { perTurn } from '../../../src/ui/kit/timing.ts';

it('a value per turn is computed once for each folder, and again in the next turn', async () => {
  const [one, other] = [{}, {}] as [OpenFolder, OpenFolder];
  let computed = 0;
  const valueOf = perTurn(() => ++computed);
  assert.deepEqual([valueOf(one), valueOf(one), valueOf(other)], [1, 1, 2]);
  await Promise.resolve();
  assert.equal(valueOf(other), 2, 'the same turn');
  await nextTurn();
  assert.deepEqual([valueOf(other), valueOf(one), valueOf(one)], [3, 4, 4]);
});
