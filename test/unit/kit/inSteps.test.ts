import assert from 'node:assert/strict';
import fs from 'node:fs';
import { inSteps, restFor, whileAwaited } from '../../../src/app/workspace/inSteps.ts';

/** Steps that each take a millisecond, and note when they run. */
function* work(name: string, steps: number, ran: string[]): Generator<undefined, string> {
  for (let step = 0; step < steps; step++) {
    const until = performance.now() + 1;
    while (performance.now() < until);
    ran.push(name);
    yield;
  }
  return name;
}

describe('long work in steps', () => {
  it('returns its result', async () => {
    assert.equal(await inSteps(work('a', 3, [])), 'a');
  });

  it('fails with its error, and stops', async () => {
    const failing = function* () {
      yield;
      throw new Error('no');
    };
    await assert.rejects(inSteps(failing()), /no/);
    assert.equal(await inSteps(work('next', 30, [])), 'next');
  });

  it('gives other work a turn', async () => {
    const ran: string[] = [];
    const done = inSteps(work('a', 60, ran));
    setImmediate(() => ran.push('other'));
    await done;
    assert.ok(ran.includes('other') && ran.at(-1) === 'a', ran.join());
  });

  it('lets the event loop look at timers and files between the turn of its caller and the next', async () => {
    const ran: string[] = [];
    const noting = function* () {
      let isNoted = false;
      for (const _ of work('', 60, [])) {
        if (!isNoted)
          queueMicrotask(() => {
            isNoted = false;
            ran.push('turn');
          });
        isNoted = true;
        yield;
      }
    };
    // As in a message of the editor, which the loop handles before what `setImmediate` was given.
    await new Promise<void>((resolve, reject) => {
      fs.stat('.', () => {
        setTimeout(() => ran.push('timer'), 0);
        inSteps(noting()).then(resolve, reject);
      });
    });
    assert.deepEqual(ran.slice(0, 2), ['turn', 'timer'], ran.join(' '));
  });

  it('leaves what is done with the result to another turn', async () => {
    const ran: string[] = [];
    const long: Iterator<undefined, undefined> = {
      next() {
        const until = performance.now() + 6;
        while (performance.now() < until);
        return { done: true, value: undefined };
      },
    };
    const done = inSteps(long).then(() => ran.push('result'));
    setImmediate(() => ran.push('other'));
    await done;
    assert.deepEqual(ran, ['other', 'result']);
  });

  it('that a human waits for ends before other work goes on', async () => {
    const ran: string[] = [];
    const others = ['a', 'b'].map((name) => inSteps(work(name, 60, ran)));
    await inSteps(work('awaited', 60, ran), { isAwaited: true });
    // The caller starts each of them with a turn.
    const since = ran.slice(ran.indexOf('awaited'), ran.lastIndexOf('awaited'));
    assert.deepEqual([...new Set(since)], ['awaited'], ran.join(' '));
    await Promise.all(others);
    assert.equal(ran.length, 180);
  });

  it('rests while a human waits for something else, and goes on after it', async () => {
    const ran: string[] = [];
    const others = [inSteps(work('before', 60, ran))];
    let isShown = false;
    await whileAwaited(async () => {
      const from = ran.length;
      others.push(inSteps(work('meanwhile', 60, ran)));
      await inSteps(work('awaited', 30, ran), { isAwaited: true });
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.deepEqual([...new Set(ran.slice(from))], ['awaited']);
      isShown = true;
    });
    assert.ok(isShown);
    await Promise.all(others);
    assert.equal(ran.length, 150);
  });

  it('goes on after something failed that a human waited for', async () => {
    await assert.rejects(
      whileAwaited(() => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await inSteps(work('next', 30, [])), 'next');
  });

  it('begins later where it is to rest first, and awaited work does not', async () => {
    const ran: string[] = [];
    restFor(50);
    const others = ['a', 'b'].map((name) => inSteps(work(name, 20, ran)));
    await inSteps(work('awaited', 20, ran), { isAwaited: true });
    assert.deepEqual([...new Set(ran)], ['awaited']);
    await Promise.all(others);
    assert.equal(ran.length, 60);
  });

  it('begins after its own rest, however long an earlier one would have been', async () => {
    await whileAwaited(async () => {
      void inSteps(work('meanwhile', 1, []));
      await inSteps(work('awaited', 20, []), { isAwaited: true });
    });
    restFor(20);
    const later = new Promise((resolve) => setTimeout(resolve, 1_500, 'later'));
    assert.equal(await Promise.race([inSteps(work('rested', 1, [])), later]), 'rested');
  });

  it('takes turns with other long work, of which only one runs between two turns of the editor', async () => {
    const ran: string[] = [];
    let going = true;
    const tick = () => {
      ran.push('turn');
      if (going) setImmediate(tick);
    };
    setImmediate(tick);
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map((name) => inSteps(work(name, 60, ran))));
    going = false;
    const turns = ran.join(' ').split(' turn');
    // The first turn is that of the caller, who starts all of them.
    for (const turn of turns.slice(1)) assert.ok(new Set(turn.trim().split(' ')).size <= 1, ran.join(' '));
  });
});
