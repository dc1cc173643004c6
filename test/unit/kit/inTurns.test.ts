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
});
