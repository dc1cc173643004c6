import assert from 'node:assert/strict';
import { inTurns } from '../../../src/ui/kit/timing.ts';

describe('listeners that take turns', () => {
  function setting() {
    const turns: (() => void)[] = [];
    const heard: string[] = [];
    const event = inTurns((run) => turns.push(run));
    const listen = (name: string, act?: () => void) =>
      event.event(() => {
        heard.push(name);
        act?.();
      });
    return { event, listen, heard, turn: () => turns.shift()?.(), turns };
  }

  it('run one per turn, in order', () => {
    const { event, listen, heard, turn, turns } = setting();
    listen('a');
    listen('b');
    event.fire();
    assert.deepEqual(heard, [], 'none runs at once');
    turn();
    assert.deepEqual(heard, ['a']);
    turn();
    assert.deepEqual(heard, ['a', 'b']);
    turn();
    assert.equal(turns.length, 0, 'no turn is left');
  });

  it('run once for all events before their turn, and again for later ones', () => {
    const { event, listen, heard, turn } = setting();
    listen('a');
    listen('b');
    event.fire();
    event.fire();
    turn();
    event.fire();
    for (let count = 0; count < 5; count++) turn();
    assert.deepEqual(heard, ['a', 'b', 'a']);
  });

  it('still run after another listener throws', () => {
    const { event, listen, heard, turn } = setting();
    listen('a', () => {
      throw new Error('of a');
    });
    listen('b');
    event.fire();
    assert.throws(turn, /of a/);
    turn();
    assert.deepEqual(heard, ['a', 'b']);
    event.fire();
    assert.throws(() => {
      for (let count = 0; count < 5; count++) turn();
    }, /of a/);
    assert.deepEqual(heard, ['a', 'b', 'a']);
  });

  it('do not run when they are removed before their turn', () => {
    const { event, listen, heard, turn } = setting();
    const first = listen('a', () => {
      second.dispose();
    });
    const second = listen('b');
    event.fire();
    for (let count = 0; count < 5; count++) turn();
    first.dispose();
    event.fire();
    for (let count = 0; count < 5; count++) turn();
    assert.deepEqual(heard, ['a']);
  });

  it('do not run after disposal', () => {
    const { event, listen, heard, turn } = setting();
    listen('a');
    event.fire();
    event.dispose();
    for (let count = 0; count < 5; count++) turn();
    assert.deepEqual(heard, []);
  });
});
