/** Values of a state are computed once for each position of its journal. */
import assert from 'node:assert/strict';
import { emptyState } from '../../../src/core/state/state.ts';
import { perChange } from '../../../src/ui/kit/timing.ts';

function place() {
  let position = 1;
  return {
    workspace: { position: () => ({ position, head: '' }) },
    move() {
      position += 1;
    },
  };
}

describe('a value of a state', () => {
  it('is computed again only after the journal has moved', () => {
    const { workspace, move } = place();
    const state = emptyState();
    let times = 0;
    const read = perChange(() => ++times);
    assert.deepEqual([read(workspace, state), read(workspace, state)], [1, 1]);
    move();
    assert.deepEqual([read(workspace, state), read(workspace, emptyState())], [2, 3]);
  });
});
