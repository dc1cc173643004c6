/** The host’s side of every view that signs, with a scripted page. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Outcome } from '../../../src/ui/kit/view.ts';
import { createSigningSurface, type Page } from '../../../src/ui/surface/signingSurface.ts';

interface Snapshot {
  readonly type: 'snapshot';
  readonly now: string;
  readonly view:
    | { readonly type: 'form'; readonly key: string; readonly shown: string; readonly render: string }
    | { readonly type: 'unavailable'; readonly title: string; readonly text: string };
  readonly news: number;
  readonly focus?: string;
  readonly kept?: string;
  readonly outcome?: Outcome;
}

interface Act {
  readonly type: 'sign';
  readonly act: string;
  readonly key: string;
  readonly shown: string;
  readonly render: string;
}
type Message = Act | { readonly type: 'ready' } | { readonly type: 'keep'; readonly saved: string };

/** The longest time before a form accepts an act. */
const longEnough = 500;

function openPage() {
  const events = new EventEmitter();
  const on = (name: string) => (listener: (message: unknown) => unknown) => {
    events.on(name, listener);
    return { dispose: () => events.off(name, listener) };
  };
  const snapshots: Snapshot[] = [];
  let isVisible = true;
  const page: Page = {
    webview: {
      postMessage(snapshot: Snapshot) {
        snapshots.push(snapshot);
        return Promise.resolve(true);
      },
      onDidReceiveMessage: on('message'),
    },
    isVisible: () => isVisible,
    onDidChangeVisibility: on('visibility'),
    onDidDispose: on('disposal'),
  };
  return {
    page,
    snapshots,
    say: (message: Message) => {
      events.emit('message', message);
    },
    setVisible(visible: boolean) {
      isVisible = visible;
      events.emit('visibility');
    },
  };
}

describe('A signing surface', () => {
  let now = 0;
  let content = { shown: 'a', news: 0 };
  let signed: string[] = [];
  let opened: ReturnType<typeof openPage>;
  let surface: ReturnType<typeof openSurface>;

  const openSurface = () =>
    createSigningSurface<Snapshot, Message, { targets: { key: string; shown: string }[] }>({
      schema: { safeParse: (raw) => ({ data: raw as Message }) },
      current: (render) => {
        const view = { type: 'form' as const, key: 'Q-1', shown: content.shown, render };
        return Promise.resolve({ view, seen: { targets: [view] } });
      },
      beside: () => ({ news: content.news }),
      kept: () => 'a draft',
      keep: () => Promise.resolve(),
      sign: ({ act, render }) => {
        signed.push(render);
        return Promise.resolve({ type: 'done', act });
      },
      receive: () => undefined,
      clock: () => now,
    });

  beforeEach(async () => {
    now = 0;
    content = { shown: 'a', news: 0 };
    signed = [];
    opened = openPage();
    surface = openSurface();
    surface.attach(opened.page);
    opened.say({ type: 'ready' });
    await idle();
  });
  afterEach(() => {
    surface.dispose();
  });

  /** Waits until every started act is done, without a clock. */
  const idle = () => new Promise((resolve) => setImmediate(resolve));
  const last = () => opened.snapshots.at(-1)!;
  const render = (snapshot = last()) => (snapshot.view.type === 'form' ? snapshot.view.render : '');
  const act = async (over: Partial<Act> = {}) => {
    const name = `act-${String(Math.random())}`;
    opened.say({ type: 'sign', act: name, key: 'Q-1', shown: content.shown, render: render(), ...over });
    await idle();
    return last().outcome;
  };

  it('sends a draft once, to a page that has just started', async () => {
    assert.equal(last().kept, 'a draft');
    content = { ...content, news: 1 };
    await surface.draw();
    assert.equal(last().kept, undefined);
    assert.equal(opened.snapshots.length, 2);
  });

  it('signs nothing in the first moment after a snapshot appears', async () => {
    assert.equal((await act())?.type, 'refused');
    assert.deepEqual(signed, []);
    now += longEnough;
    assert.equal((await act())?.type, 'done');
    content = { ...content, shown: 'b' };
    await surface.draw();
    assert.equal((await act())?.type, 'refused');
    now += longEnough;
    assert.equal((await act())?.type, 'done');
    assert.equal(signed.length, 2);
  });

  it('sends no snapshot twice, before or after an act', async () => {
    await surface.draw();
    await surface.draw();
    assert.equal(opened.snapshots.length, 1);
    now += longEnough;
    await act();
    assert.equal(opened.snapshots.length, 2);
    await surface.draw();
    await surface.draw();
    assert.equal(opened.snapshots.length, 2);
  });

  it('accepts one act on any rendering of the same content', async () => {
    const first = render();
    content = { ...content, news: 1 };
    await surface.draw();
    now += longEnough;
    assert.notEqual(render(), first);
    const second = render();
    assert.equal((await act({ render: first }))?.type, 'done');
    assert.equal((await act({ render: second }))?.type, 'refused');
    assert.deepEqual(signed, [first]);
  });

  it('refuses content that was not shown or is no longer on the screen', async () => {
    now += longEnough;
    const first = render();
    assert.equal((await act({ key: 'Q-2' }))?.type, 'refused');
    assert.equal((await act({ shown: 'b' }))?.type, 'refused');
    assert.equal((await act({ render: 'made up' }))?.type, 'refused');
    opened.setVisible(false);
    opened.setVisible(true);
    opened.say({ type: 'ready' });
    await idle();
    now += longEnough;
    assert.equal((await act({ render: first }))?.type, 'refused');
    assert.deepEqual(signed, []);
    assert.equal((await act())?.type, 'done');
  });

  it('performs an act once, and answers every message about it', async () => {
    now += longEnough;
    const once = { act: 'the same', render: render() };
    assert.deepEqual(await act(once), { type: 'done', act: 'the same' });
    const count = opened.snapshots.length;
    assert.deepEqual(await act(once), { type: 'done', act: 'the same' });
    assert.equal(opened.snapshots.length, count + 1);
    assert.equal(signed.length, 1);
  });

  it('reports every act, also when several end together', async () => {
    now += longEnough;
    const { shown } = content;
    const common = { type: 'sign', key: 'Q-1', shown, render: render() } as const;
    opened.say({ ...common, act: 'one' });
    opened.say({ ...common, act: 'two' });
    await idle();
    await idle();
    const outcomes = opened.snapshots.flatMap(({ outcome }) => outcome ?? []);
    assert.deepEqual(outcomes.map(({ act: name, type }) => `${name} ${type}`).sort(), ['one done', 'two refused']);
  });

  it('keeps data for one snapshot until a page runs, and sends it once', async () => {
    opened.setVisible(false);
    surface.add({ focus: 'now' });
    await surface.draw();
    assert.equal(opened.snapshots.length, 1);
    opened.setVisible(true);
    await surface.draw();
    assert.equal(last().focus, undefined);
    opened.say({ type: 'ready' });
    await idle();
    assert.equal(last().focus, 'now');
    assert.equal(last().kept, 'a draft');
    content = { ...content, news: 1 };
    await surface.draw();
    assert.equal(last().focus, undefined);
  });
});
