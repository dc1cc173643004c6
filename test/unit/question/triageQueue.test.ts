import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  back,
  decidedIn,
  goTo,
  left,
  marked,
  merged,
  next,
  placeIn,
  startQueue,
} from '../../../src/vscode/question/triageQueue.ts';
import type { Queue } from '../../../src/vscode/question/triageQueue.ts';

const waiting = (...ids: string[]) => ids.map((id) => ({ key: `0/${id}`, id }));
const idsLeft = (queue: Queue) => left(queue).map(({ id }) => id);

describe('the queue of a triage', () => {
  it('shows items in their order, and ends after the last', () => {
    const first = startQueue(waiting('Q-1', 'RFC-1', 'Q-2'));
    assert.equal(first.at, '0/Q-1');
    assert.deepEqual(placeIn(first), { index: 1, of: 3 });
    const last = next(next(first));
    assert.equal(last.at, '0/Q-2');
    const end = next(last);
    assert.equal(end.at, null);
    assert.deepEqual(placeIn(end), { of: 3 });
    assert.deepEqual(idsLeft(end), ['Q-1', 'RFC-1', 'Q-2']);
  });

  it('with nothing in it is at its end', () => {
    assert.equal(startQueue([]).at, null);
    assert.equal(next(startQueue([])).at, null);
    assert.equal(back(startQueue([])).at, null);
  });

  it('goes back, not beyond the first, and from the end to the last that is left', () => {
    const second = next(startQueue(waiting('Q-1', 'Q-2', 'Q-3')));
    assert.equal(back(second).at, '0/Q-1');
    assert.equal(back(back(second)).at, '0/Q-1');
    const end = next(next(marked(second, '0/Q-2', 'decided')));
    assert.equal(end.at, null);
    assert.equal(back(marked(end, '0/Q-3', 'held')).at, '0/Q-1');
  });

  it('passes over what is decided, in both directions, and from the end begins again with what is left', () => {
    const queue = marked(startQueue(waiting('Q-1', 'Q-2', 'Q-3')), '0/Q-2', 'held');
    const third = next(queue);
    assert.equal(third.at, '0/Q-3');
    assert.equal(back(third).at, '0/Q-1');
    const end = next(marked(third, '0/Q-3', 'decided'));
    assert.deepEqual(idsLeft(end), ['Q-1']);
    assert.equal(next(end).at, '0/Q-1');
    assert.equal(decidedIn(end), 2);
  });

  it('a decision that is taken back is the item on the screen again, and counts as none', () => {
    const decided = next(marked(startQueue(waiting('Q-1', 'Q-2')), '0/Q-1', 'held'));
    const undone = goTo(marked(decided, '0/Q-1', 'open'), '0/Q-1');
    assert.deepEqual(placeIn(undone), { index: 1, of: 2 });
    assert.equal(decidedIn(undone), 0);
    assert.equal(next(undone).at, '0/Q-2');
  });

  it('goes only to items that it has', () => {
    const queue = startQueue(waiting('Q-1'));
    assert.equal(goTo(queue, '1/Q-1').at, '0/Q-1');
  });

  it('takes new items at its end, also when it was through', () => {
    const end = next(startQueue(waiting('Q-1')));
    const more = merged(marked(end, '0/Q-1', 'decided'), waiting('Q-2'));
    assert.equal(more.at, null, 'the summary stays until the human goes on');
    assert.deepEqual(idsLeft(more), ['Q-2']);
    assert.equal(next(more).at, '0/Q-2');
  });

  it('leaves out what was settled elsewhere, but not from under the reader', () => {
    const queue = startQueue(waiting('Q-1', 'Q-2', 'Q-3'));
    const changed = merged(queue, waiting('Q-3'));
    assert.equal(changed.at, '0/Q-1');
    assert.deepEqual(placeIn(changed), { index: 1, of: 2 });
    const third = next(changed);
    assert.equal(third.at, '0/Q-3');
    assert.deepEqual(placeIn(merged(third, waiting('Q-3'))), { index: 1, of: 1 });
    // A question that waits again, for example after a revision, is back at its place.
    assert.deepEqual(idsLeft(merged(third, waiting('Q-2', 'Q-3'))).includes('Q-2'), true);
  });

  it('neither loses nor repeats an item, whatever is done', () => {
    const steps = fc.array(
      fc.oneof(
        fc.constant(next),
        fc.constant(back),
        fc.constant((queue: Queue) => (queue.at === null ? queue : next(marked(queue, queue.at, 'held')))),
        fc.subarray(['Q-1', 'Q-2', 'Q-3', 'Q-4']).map((ids) => (queue: Queue) => merged(queue, waiting(...ids))),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, (all) => {
        let queue = startQueue(waiting('Q-1', 'Q-2', 'Q-3'));
        for (const step of all) {
          queue = step(queue);
          const keys = queue.items.map(({ key }) => key);
          assert.equal(new Set(keys).size, keys.length);
          assert.ok(['0/Q-1', '0/Q-2', '0/Q-3'].every((key) => keys.includes(key)));
          const { index = 1, of } = placeIn(queue);
          assert.ok(index >= 1 && (queue.at === null || index <= of));
          assert.ok(!queue.items.some(({ key, fate }) => key === queue.at && (fate === 'held' || fate === 'decided')));
        }
      }),
    );
  });
});
