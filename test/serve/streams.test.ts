/** Two hundred open pages of the running server: each ends at the newest state, and none loses an outcome. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { InboxSnapshot } from '../../src/ui/kit/view.ts';
import type { Snapshot } from '../../src/ui/answer/view.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { startServe, type Served } from './program.ts';
import { addPasskey, openStream, openStreams, pagesOfSession, signIn, type Streams } from './streams.ts';

const pages = 200;
/** So many of them show a question of their own, all others the first one that is waiting. */
const deciding = 5;
const idOf = (page: number) => (page < deciding ? `Q-${String(page + 1)}` : null);
const pathOf = (page: number) => (idOf(page) === null ? '/' : `/open/${String(idOf(page))}`);

describe('two hundred open pages', () => {
  let served: Served;
  let streams: Streams;
  before(async () => {
    served = await startServe();
    const workspace = served.sandbox.open({ clock: Date.now });
    await served.agent('work', 'register', '--id', 't-1', '--title', 'API tokens');
    for (let number = 1; number <= deciding; number += 1) await ask(`May I delete table ${String(number)}?`);
    const passkey = addPasskey(workspace, served.origin);
    workspace.close();
    streams = await openStreams(served.origin, passkey, pages, pathOf);
  });
  after(async () => {
    streams.close();
    await served.stop();
    removeSandboxes();
  });

  /** The rows that each page shows by now. */
  function labels(): string[][] {
    return Array.from({ length: pages }, (_, page) => {
      const last = streams.events.findLast(({ stream, event }) => stream === page && event === 'inbox');
      const { groups } = last ? (JSON.parse(last.data) as InboxSnapshot) : { groups: [] };
      return groups.flatMap(({ rows }) => rows.map(({ label }) => label));
    });
  }

  async function ask(text: string): Promise<void> {
    const { code, err } = await served.agent('question', 'create', '--text', text, '--blocking-task-id', 't-1');
    assert.equal(code, 0, err);
  }

  /** What this page was sent, oldest first. */
  const snapshots = (page: number) =>
    streams.events
      .filter(({ stream, event }) => stream === page && event === 'surface')
      .map(({ data }) => JSON.parse(data) as Snapshot);
  const formOf = ({ view }: Snapshot) => (view.type === 'question' ? view : null);
  const lastForm = (page: number) =>
    snapshots(page)
      .flatMap((sent) => formOf(sent) ?? [])
      .at(-1);

  it('all show each question that an agent asks, in the list and in the form, and never go back', async () => {
    const texts = ['JWT or sessions?', 'Which colour?', 'Drop the table?'];
    for (const text of texts) await ask(text);
    const all = deciding + texts.length;
    await until('each list shows all questions', () => labels().every((shown) => shown.length === all));
    for (const shown of labels()) for (const text of texts) assert.ok(shown.includes(text));
    const counts = (page: number) => snapshots(page).flatMap((sent) => formOf(sent)?.position?.of ?? []);
    const forms = Array.from({ length: pages }, (_, page) => page);
    await until('each form counts all questions', () => forms.every((page) => counts(page).at(-1) === all));
    for (const page of forms)
      assert.deepEqual(
        counts(page),
        counts(page).toSorted((a, b) => a - b),
      );
    for (const page of forms) assert.equal(lastForm(page)?.id, idOf(page) ?? 'Q-1', `page ${String(page)}`);
  });

  /** Answers until the page has settled. @returns the last outcome */
  async function answer(page: number): Promise<Snapshot['outcome']> {
    for (let turn = 0; ; turn += 1) {
      const form = lastForm(page);
      assert.ok(form);
      const { key, shown, render } = form;
      const act = `${String(page)}-${String(turn)}`;
      await streams.tell(page, { type: 'answer', act, key, shown, render, choices: [], text: 'Yes', confirmed: true });
      const outcome = () => snapshots(page).flatMap((sent) => (sent.outcome?.act === act ? [sent.outcome] : []));
      const asked = () => streams.events.findLast(({ stream, event }) => stream === page && event === 'sign');
      await until('an outcome, or a request for a signature', () => outcome().length > 0 || asked() !== undefined);
      const signature = asked();
      if (signature) await streams.sign(page, JSON.parse(signature.data) as Parameters<Streams['sign']>[1]);
      await until('the outcome', () => outcome().length > 0);
      const [only, ...others] = outcome();
      assert.deepEqual(others, [], 'each act has one outcome');
      if (only?.type === 'done' || signature) return only;
    }
  }

  it('get the outcome of each decision while agents go on asking', async () => {
    const own = Array.from({ length: deciding }, (_, page) => page);
    const asking = (async () => {
      for (let number = 0; number < 5; number += 1) await ask(`And what about ${String(number)}?`);
    })();
    const outcomes = await Promise.all(own.map(answer));
    await asking;
    assert.deepEqual(
      outcomes.map((outcome) => outcome?.type),
      own.map(() => 'done'),
    );
    await until('each page shows its answer', () =>
      own.every((page) => lastForm(page)?.resolution.type === 'answered'),
    );
  });
});

describe('a person who goes from page to page', () => {
  let served: Served;
  let cookie: string;
  before(async () => {
    served = await startServe();
    await served.agent('question', 'create', '--text', 'Which colour?');
    const workspace = served.sandbox.open({ clock: Date.now });
    const passkey = addPasskey(workspace, served.origin);
    workspace.close();
    cookie = await signIn(served.origin, passkey);
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  const open = (): Promise<IncomingMessage> =>
    openStream(served.origin, { page: { id: randomUUID(), cookie, path: '/' }, number: 0, events: [] });

  it('sees each of them: those that were left make room', async () => {
    for (let page = 0; page < pagesOfSession + 10; page += 1) (await open()).destroy();
  });

  it('has only so many open at once', async () => {
    const all: IncomingMessage[] = [];
    for (let page = 0; page < pagesOfSession; page += 1) all.push(await open());
    await assert.rejects(open(), /429/);
    all.pop()?.destroy();
    await until('there is room again', async () => {
      const opened = await open().catch(() => null);
      if (opened) all.push(opened);
      return opened !== null;
    });
    for (const one of all) one.destroy();
  });
});
