/** How pages share what they show, and take turns to be drawn. */
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createRedraws, createSharedModels } from '../../src/serve/pages/livePage.ts';
import { until } from '../support/until.ts';

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

describe('redrawing', () => {
  it('draws each page once for a burst of changes, and answers requests in between', async () => {
    const redraws = createRedraws();
    const done: string[] = [];
    redraws.event(() => {
      done.push('first');
      void nextTurn().then(() => done.push('request'));
    });
    for (const name of ['second', 'third']) redraws.event(() => done.push(name));
    redraws.soon();
    redraws.soon();
    await until('all are drawn', () => done.length >= 4);
    assert.ok(done.indexOf('request') < done.indexOf('third'), String(done));
    assert.deepEqual(done.toSorted(), ['first', 'request', 'second', 'third']);
    redraws.dispose();
  });

  it('draws a page again for a change that comes while others are drawn', async () => {
    const redraws = createRedraws();
    const done: string[] = [];
    redraws.event(() => done.push('first'));
    redraws.event(() => {
      done.push('second');
      if (done.length === 2) redraws.soon();
    });
    redraws.soon();
    await until('both are drawn twice', () => done.length >= 4);
    assert.deepEqual(done, ['first', 'second', 'first', 'second']);
    redraws.dispose();
  });

  it('draws nothing after disposal', async () => {
    const redraws = createRedraws();
    const other = createRedraws();
    const done: string[] = [];
    redraws.event(() => done.push('disposed'));
    other.event(() => done.push('other'));
    redraws.soon();
    redraws.dispose();
    other.soon();
    await until('the other is drawn', () => done.length > 0);
    assert.deepEqual(done, ['other']);
    other.dispose();
  });
});
