/** How pages share what they show. */
import assert from 'node:assert/strict';
import { createSharedModels } from '../../src/serve/pages/livePage.ts';

describe('a model that pages share', () => {
  function setting() {
    const at = { position: 0, now: 0 };
    const models = createSharedModels({ position: () => at.position, clock: () => at.now });
    const made: string[] = [];
    const of = (id: string, reader: string | null = null) =>
      models.of([id, reader], () => {
        made.push(id);
        return { id };
      });
    return { at, models, made, of };
  }

  it('is made once for all that show the same', () => {
    const { models, made, of } = setting();
    assert.equal(of('Q-1'), of('Q-1'));
    assert.equal(models.textOf(of('Q-1')), '{"id":"Q-1"}');
    assert.deepEqual(made, ['Q-1']);
  });

  it('is not shared by others, or by other readers', () => {
    const { made, of } = setting();
    assert.notEqual(of('Q-1'), of('Q-2'));
    assert.notEqual(of('Q-1', 'a'), of('Q-1', 'b'));
    assert.equal(made.length, 4);
  });

  it('is made again after a change, a new record, and a second', () => {
    const { at, models, made, of } = setting();
    of('Q-1');
    models.clear();
    of('Q-1');
    at.position += 1;
    of('Q-1');
    at.now += 999;
    of('Q-1');
    assert.equal(made.length, 3);
    at.now += 1;
    of('Q-1');
    assert.equal(made.length, 4);
  });
});
