import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import type { Outcome } from '../../../src/ui/kit/view.ts';
import type { QuestionMessage } from '../../../src/ui/answer/messages.ts';
import { createQueue } from '../../../src/ui/answer/queue.ts';

type Answer = Extract<QuestionMessage, { type: 'answer' }>;

const waiting = (...ids: string[]) => ids.map((id) => ({ key: `0/${id}`, id }));
const done = (act: string): Outcome => ({ type: 'done', act });

function setting(seconds = 5) {
  const [signed, failures]: [string[], string[]] = [[], []];
  const timers = new Set<() => void>();
  let at: string | null = null;
  let outcome = done;
  const queue = createQueue({
    selection: { key: () => at, select: (key) => (at = key) },
    undoSeconds: () => seconds,
    failed: ({ id }) => failures.push(id),
    changed: () => undefined,
    now: () => 0,
    later(_, run) {
      timers.add(run);
      return () => timers.delete(run);
    },
  });
  queue.begin();
  const decide = ({ act, key }: Answer) => {
    const result = outcome(act);
    if (result.type === 'done') signed.push(key);
    return Promise.resolve(result);
  };
  return {
    ...{ queue, signed, failures },
    at: () => at,
    fail: () => (outcome = (act) => ({ type: 'refused', act, reason: 'changed', text: 'Changed.' })),
    /** Draws: the first item that is left is on the screen if no other is. */
    draw(...ids: string[]): string[] {
      const left = queue.arrange(waiting(...ids));
      if (!queue.isThrough()) at ??= left.find(({ id }) => !id.startsWith('RFC'))?.key ?? null;
      return left.map(({ id }) => id);
    },
    answer(key: string) {
      const message = { type: 'answer', act: `act ${key}`, key, choices: ['Yes'], text: '' } as unknown as Answer;
      const view = { type: 'question', key, id: key } as Parameters<typeof queue.sign>[1];
      const check = ({ act }: { readonly act: string }) => Promise.resolve(done(act));
      return queue.sign(message, view, { check, decide: () => decide(message) });
    },
    /** The time to undo is over. */
    async pass(): Promise<void> {
      for (const run of timers) run();
      timers.clear();
      await nextTurn();
    },
  };
}

describe('the queue of a tab', () => {
  it('shows items in their order without RFCs, and ends after the last', () => {
    const { queue, at, draw } = setting();
    draw('Q-1', 'RFC-1', 'Q-2');
    assert.equal(at(), '0/Q-1');
    assert.deepEqual(queue.state(), { run: { index: 1, of: 2, done: 0 }, held: [] });
    queue.go('next');
    assert.equal(at(), '0/Q-2');
    queue.go('next');
    assert.deepEqual(draw('Q-1', 'RFC-1', 'Q-2'), ['Q-1', 'Q-2', 'RFC-1'], 'what was skipped is left');
    assert.ok(queue.isThrough());
    assert.deepEqual(queue.state(), { run: { of: 2, done: 0 }, held: [] });
    queue.go('next');
    assert.equal(at(), '0/Q-1', 'once more through what is left');
  });

  it('with nothing in it is at its end', () => {
    const { queue, at, draw } = setting();
    assert.deepEqual(draw(), []);
    for (const to of ['next', 'back'] as const) queue.go(to);
    assert.equal(at(), null);
  });

  it('goes back, not beyond the first, and from the end to the last that is left', async () => {
    const { queue, at, draw, answer } = setting();
    draw('Q-1', 'Q-2', 'Q-3');
    queue.go('back');
    assert.equal(at(), '0/Q-1');
    queue.go('next');
    await answer('0/Q-2');
    assert.equal(at(), '0/Q-3');
    queue.go('back');
    assert.equal(at(), '0/Q-1', 'passes over what is decided');
    queue.go('next');
    queue.go('next');
    assert.ok(queue.isThrough());
    queue.go('back');
    assert.equal(at(), '0/Q-3');
  });

  it('signs a decision once its time is over, and not one that was taken back', async () => {
    const { queue, at, draw, answer, signed, pass } = setting();
    draw('Q-1', 'Q-2', 'Q-3');
    await answer('0/Q-1');
    await answer('0/Q-2');
    assert.deepEqual(signed, []);
    assert.equal(queue.state()?.run?.done, 2);
    queue.undo('act 0/Q-2');
    assert.equal(at(), '0/Q-2');
    assert.equal(queue.state()?.run?.done, 1);
    assert.deepEqual(await answer('0/Q-1').then(({ type }) => type), 'refused', 'it is decided already');
    queue.end();
    await pass();
    assert.deepEqual(signed, ['0/Q-1']);
    assert.equal(queue.state(), undefined);
  });

  it('says so if a decision could not be recorded: its item is left', async () => {
    const { queue, draw, answer, fail, signed, failures, pass } = setting();
    draw('Q-1', 'Q-2');
    await answer('0/Q-1');
    fail();
    await pass();
    assert.deepEqual([signed, failures], [[], ['0/Q-1']]);
    assert.deepEqual(queue.state()?.failed, { key: '0/Q-1', why: 'Changed.' });
    queue.end();
    queue.begin();
    assert.deepEqual(draw('Q-1', 'Q-2'), ['Q-1', 'Q-2']);
  });

  it('sends nothing when the editor closes', async () => {
    const { queue, draw, answer, signed, pass } = setting();
    draw('Q-1');
    await answer('0/Q-1');
    queue.drop();
    await pass();
    assert.deepEqual(signed, []);
  });

  it('signs at once and goes on where the policy gives no time', async () => {
    const { queue, at, draw, answer, signed } = setting(0);
    draw('Q-1', 'Q-2');
    await answer('0/Q-1');
    assert.deepEqual([signed, at()], [['0/Q-1'], '0/Q-2']);
    assert.deepEqual(queue.state()?.held, []);
  });

  it('takes new items at its end, also when it was through', () => {
    const { queue, at, draw } = setting();
    draw('Q-1');
    queue.go('next');
    assert.deepEqual(draw('Q-2', 'Q-1'), ['Q-1', 'Q-2']);
    assert.equal(at(), null, 'the end stays until the human goes on');
    assert.equal(queue.state()?.run?.of, 2);
  });

  it('passes over what was settled elsewhere, but not from under the reader', () => {
    const { queue, at, draw } = setting();
    draw('Q-1', 'Q-2', 'Q-3');
    assert.deepEqual(draw('Q-3'), ['Q-3']);
    assert.equal(at(), '0/Q-1');
    assert.deepEqual(queue.state(), { run: { index: 1, of: 3, done: 2 }, held: [] });
    queue.go('next');
    assert.equal(at(), '0/Q-3');
    // A question that waits again, for example after a revision, is back at its place.
    draw('Q-2', 'Q-3');
    queue.go('back');
    assert.equal(at(), '0/Q-2');
  });

  it('names first what follows the displayed item', () => {
    const { queue, draw } = setting();
    draw('Q-1', 'Q-2', 'Q-3');
    queue.go('next');
    assert.deepEqual(draw('Q-1', 'Q-3'), ['Q-3', 'Q-1']);
  });

  it('delays the decision on a single item, which stays displayed', async () => {
    const { queue, at, draw, answer, signed, pass } = setting();
    queue.end();
    assert.deepEqual(draw('Q-2', 'RFC-1', 'Q-1'), ['Q-2', 'RFC-1', 'Q-1']);
    const key = at() ?? '';
    assert.equal(queue.state(), undefined);
    await answer(key);
    assert.deepEqual([at(), signed, queue.state()?.held.length, queue.state()?.run], [key, [], 1, undefined]);
    queue.undo(`act ${key}`);
    await pass();
    assert.deepEqual([signed, queue.state()], [[], undefined]);
    await answer(key);
    await pass();
    assert.deepEqual(signed, [key]);
  });

  it('neither loses nor repeats an item, whatever is done', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.constantFrom('next' as const, 'back' as const, 'answer' as const),
        fc.subarray(['Q-1', 'Q-2', 'Q-3', 'Q-4']),
      ),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { queue, at, draw, answer } = setting();
        draw('Q-1', 'Q-2', 'Q-3');
        for (const step of all) {
          const key = at();
          if (typeof step !== 'string') draw(...step);
          else if (step !== 'answer') queue.go(step);
          else if (key !== null) await answer(key);
          const { run, held = [] } = queue.state() ?? {};
          const { index = 1, of = 0 } = run ?? {};
          assert.ok(of === 3 || of === 4);
          assert.ok(index <= of);
          assert.ok(!held.some((one) => one.key === at()));
        }
      }),
    );
  });
});
