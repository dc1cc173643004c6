import assert from 'node:assert/strict';
import { createHeldBack, type Held } from '../../../src/ui/answer/queue.ts';

/** A clock that only the test moves, with its timers. */
function createClock() {
  let now = 1_000;
  const timers = new Map<object, { readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    later(ms: number, run: () => void) {
      const timer = {};
      timers.set(timer, { at: now + ms, run });
      return () => timers.delete(timer);
    },
    async pass(ms: number) {
      now += ms;
      for (const [timer, { at, run }] of timers) {
        if (at > now) continue;
        timers.delete(timer);
        run();
      }
      await new Promise(setImmediate);
    },
    pending: () => timers.size,
  };
}

describe('decisions that are held back', () => {
  let clock: ReturnType<typeof createClock>;
  let sent: Held<string>[];
  let held: ReturnType<typeof createHeldBack<string>>;
  beforeEach(() => {
    clock = createClock();
    sent = [];
    held = createHeldBack<string>({
      now: clock.now,
      later: clock.later,
      send: (one) => {
        sent.push(one);
        return Promise.resolve();
      },
    });
  });
  const hold = (act: string, key: string, ms = 5_000) => held.hold({ act, key, decision: `${key} yes` }, ms);
  const acts = () => sent.map(({ act }) => act);

  it('are sent when their time is over, not before, and once', async () => {
    assert.ok(hold('a', 'Q-1'));
    assert.deepEqual(held.all, [{ act: 'a', key: 'Q-1', decision: 'Q-1 yes', until: 6_000 }]);
    await clock.pass(4_999);
    assert.deepEqual(acts(), []);
    await clock.pass(1);
    assert.deepEqual(acts(), ['a']);
    assert.deepEqual(held.all, []);
    await clock.pass(60_000);
    assert.deepEqual(acts(), ['a']);
  });

  it('each has its own time', async () => {
    hold('a', 'Q-1');
    await clock.pass(3_000);
    hold('b', 'Q-2');
    await clock.pass(2_000);
    assert.deepEqual(acts(), ['a']);
    await clock.pass(3_000);
    assert.deepEqual(acts(), ['a', 'b']);
  });

  it('taken back in time, are never sent', async () => {
    hold('a', 'Q-1');
    hold('b', 'Q-2');
    assert.equal(held.takeBack('b')?.decision, 'Q-2 yes');
    assert.equal(held.takeBack('b'), undefined, 'only once');
    await clock.pass(60_000);
    assert.deepEqual(acts(), ['a']);
    assert.equal(clock.pending(), 0);
  });

  it('cannot be taken back while or after they are sent', async () => {
    let finish: () => void = () => undefined;
    const slow = createHeldBack<string>({
      now: clock.now,
      later: clock.later,
      send: () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    });
    slow.hold({ act: 'a', key: 'Q-1', decision: 'yes' }, 5_000);
    await clock.pass(5_000);
    assert.equal(slow.takeBack('a'), undefined);
    finish();
    await clock.pass(0);
    assert.equal(slow.takeBack('a'), undefined);
  });

  it('an item has one at most, until it was taken back or sent', async () => {
    assert.ok(hold('a', 'Q-1'));
    assert.ok(!hold('b', 'Q-1'));
    assert.ok(!hold('a', 'Q-2'), 'an act is held once');
    held.takeBack('a');
    assert.ok(hold('c', 'Q-1'));
    await clock.pass(5_000);
    assert.deepEqual(acts(), ['c']);
  });

  it('dropped, are never sent: the editor has ended', async () => {
    hold('a', 'Q-1');
    held.drop();
    await clock.pass(60_000);
    assert.deepEqual(acts(), []);
    assert.equal(held.takeBack('a'), undefined);
  });
});
