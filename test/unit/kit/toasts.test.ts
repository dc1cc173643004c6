/** Tests which notifications a window shows: none for what is visible, and one for a burst. */
import assert from 'node:assert/strict';
import { countsOf, gathering, onScreen, toastsOf, unseenItems } from '../../../src/vscode/status/notices.ts';

const question = (id: string, critical = false) => ({ kind: 'question', key: id, critical }) as const;

const ids = (all: readonly { key: string }[]) => all.map(({ key }) => key);

describe('an item that is visible', () => {
  const all = [question('Q-1'), question('Q-2'), question('Q-3', true), question('Q-4', true)];

  it('gets no notification, whether its form or a list shows it', () => {
    const seen = { isShown: (key: string) => key === 'Q-1', listed: new Set(['Q-2']) };
    assert.deepEqual(ids(unseenItems(all, seen)), ['Q-3', 'Q-4']);
    assert.deepEqual(ids(unseenItems(all, { isShown: () => false, listed: new Set() })), ['Q-1', 'Q-2', 'Q-3', 'Q-4']);
  });

  it('gets a notification if it is critical and only a list shows it', () => {
    const seen = { isShown: (key: string) => key === 'Q-4', listed: new Set(['Q-1', 'Q-2', 'Q-3', 'Q-4']) };
    assert.deepEqual(ids(unseenItems(all, seen)), ['Q-3']);
  });
});

describe('a burst of items', () => {
  function check(title: string, all: readonly { key: string; critical: boolean }[], [singly, together]: string[][]) {
    it(title, () => {
      const toasts = toastsOf(all.map((one) => ({ ...one, kind: 'question' as const })));
      assert.deepEqual([ids(toasts.singly), ids(toasts.together)], [singly, together]);
    });
  }
  const [a, b, c, d] = [question('a'), question('b'), question('c'), question('d')];
  const [x, y] = [question('x', true), question('y', true)];
  it('counts changed files as changes of their items, not as further critical questions', () => {
    const change = (id: string) => ({ ...question(id, true), isChange: true });
    const counts = countsOf([question('x', true), question('a'), change('b'), change('c')]);
    assert.deepEqual(counts, { question: 2, rfc: 0, request: 0, warning: 0, change: 2, critical: 1 });
  });
  check('begins at three', [a, b], [['a', 'b'], []]);
  check('gets one notification', [a, b, c, d], [[], ['a', 'b', 'c', 'd']]);
  check('gets a separate notification for one critical item', [a, x, b, c], [['x'], ['a', 'b', 'c']]);
  check('gets one notification for several critical items', [a, x, y, b], [[], ['a', 'x', 'y', 'b']]);
});

describe('news in quick succession', () => {
  /** A clock that the test controls. */
  function gatherer() {
    const waiting: (() => void)[] = [];
    const given: string[][] = [];
    const gather = gathering<string>({
      after: (_, run) => waiting.push(run),
      flush: (all) => given.push([...all]),
    });
    const pass = () => waiting.shift()?.();
    return { gather, given, pass, isIdle: () => waiting.length === 0 };
  }

  it('is shown together once no more arrives', () => {
    const { gather, given, pass, isIdle } = gatherer();
    gather(['a']);
    gather(['b', 'c']);
    pass();
    gather(['d']);
    pass();
    assert.deepEqual(given, []);
    pass();
    assert.deepEqual(given, [['a', 'b', 'c', 'd']]);
    assert.ok(isIdle());
    gather(['e']);
    pass();
    assert.deepEqual(given[1], ['e']);
  });

  it('is shown even if the stream never pauses', () => {
    const { gather, given, pass } = gatherer();
    for (let count = 0; count < 20 && given.length === 0; count++) {
      gather([String(count)]);
      pass();
    }
    assert.equal(given.length, 1);
    assert.ok(given[0]!.length < 20);
  });

  it('schedules nothing for an empty list', () => {
    const { gather, isIdle } = gatherer();
    gather([]);
    assert.ok(isIdle());
  });
});

describe('notifications of one agent', () => {
  /** Shows so many items of an agent, which stay open. */
  function flood(show: ReturnType<typeof onScreen>, agent: string, count: number, isCurrent = () => true): string[] {
    const seen: string[] = [];
    const stays = (what: string) => () => {
      seen.push(what);
      return new Promise<never>(() => undefined);
    };
    for (let at = 0; at < count; at++)
      void show({ agent, item: `${agent} ${String(at)}`, isCurrent, show: stays('single'), showMore: stays('more') });
    return seen;
  }

  it('appear three times, then one covers the rest', () => {
    assert.deepEqual(flood(onScreen(), 'flood-001', 500), ['single', 'single', 'single', 'more']);
  });

  it('take no place once their items are decided elsewhere, also after one that covers the rest', () => {
    const show = onScreen();
    let waits = true;
    flood(show, 'builder-001', 4, () => waits);
    waits = false;
    assert.deepEqual(flood(show, 'builder-001', 5), ['single', 'single', 'single', 'more']);
  });

  it('leave the limit of other agents alone', () => {
    const show = onScreen();
    flood(show, 'flood-001', 10);
    assert.deepEqual(flood(show, 'other-001', 1), ['single']);
  });
});
