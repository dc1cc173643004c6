/** Snapshots that programs write while idle, so that later programs need not replay days of journal. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { saveWhenIdle } from '../../../src/app/workspace/savingWhenIdle.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Store } from '../../../src/store/store.ts';
import { dump } from '../../support/store/dump.ts';
import { writeManyByHand } from '../../support/store/handwriting.ts';
import { longLine } from '../../support/store/lab.ts';
import { agent } from '../../support/store/people.ts';
import { until } from '../../support/until.ts';
import { makeSandbox, removeSandboxes, type Sandbox, wasm } from '../../support/store/sandbox.ts';
import { noting, savingThread } from '../../support/store/savedState.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { listQuestions } from '../../../src/app/question/views.ts';
import { loadSqlite } from '../../../src/store/rows/sqlite.ts';
import { filesOf, writeManagedRing } from '../../support/store/managed.ts';
import { locally } from '../../support/store/locally.ts';

describe('a snapshot while idle', function () {
  this.timeout(240_000);
  afterEach(removeSandboxes);

  async function used(): Promise<{ sandbox: Sandbox; store: Store }> {
    const sandbox = makeSandbox();
    const store = await sandbox.open().store();
    await register(store, 'T1');
    writeManyByHand(sandbox.journal, [longLine('H'), longLine('I')]);
    store.read();
    return { sandbox, store };
  }

  async function register(store: Store, id: string): Promise<void> {
    await registerWork(store, agent(), { id, workKind: 'task', title: id });
  }

  function files(sandbox: Sandbox): string[] {
    return fs.readdirSync(sandbox.at('ws', '.holdpoint')).filter((name) => name.startsWith('holdpoint-'));
  }

  it('is loaded by the next program, and its writer continues', async () => {
    const { sandbox, store } = await used();
    assert.ok(store.hasGrown(1));
    store.save();
    assert.equal(files(sandbox).length, 2);
    assert.ok(!store.hasGrown(1), 'once');
    await register(store, 'T2');
    const noted = noting();
    const next = await sandbox.open({ fs: noted.fs }).store();
    assert.deepEqual(dump(next.read()), dump(store.read()));
    assert.ok(noted.opened.includes('.sqlite'));
  });

  it('is not written for few changes, nor after another program wrote one', async () => {
    const { sandbox, store } = await used();
    assert.ok(!store.hasGrown(1024 * 1024 * 1024));
    (await sandbox.open().store()).save();
    assert.ok(!store.hasGrown(1));
  });

  it('replaces older ones, and removes those left unfinished by crashed programs', async () => {
    const { sandbox, store } = await used();
    const [left, writing] = ['left', 'writing'].map((content, index) => {
      const name = `holdpoint-${String(index)}-0123456789abcdef.sqlite.6f1c-${String(index)}.tmp`;
      fs.writeFileSync(sandbox.at('ws', '.holdpoint', name), content);
      return name;
    });
    fs.utimesSync(sandbox.at('ws', '.holdpoint', left!), 0, 0);
    store.save();
    await register(store, 'T2');
    store.save();
    const found = files(sandbox);
    assert.equal(found.length, 3, found.join(', '));
    assert.ok(found.includes(writing!), 'another program may still be at it');
  });

  it('is written in this thread after a quiet time', async () => {
    const { sandbox, store } = await used();
    const idle = saveWhenIdle(
      () => store,
      () => 0,
      { worthIt: [{ quietMs: 0, bytes: 1 }] },
    );
    idle.stir();
    await until('it is written', () => !store.hasGrown(1));
    idle.stop();
    assert.equal(files(sandbox).length, 2);
  });
});

/** When a program that closes a store leaves a snapshot to the next one. */
describe('a snapshot at closing', () => {
  afterEach(removeSandboxes);

  it('is written from 16 KiB on, and again once the journal has grown by a quarter', async () => {
    const sandbox = makeSandbox();
    let asked = 0;
    /** Opens the store, asks questions of about two KiB each, and closes it; returns the snapshots. */
    async function session(questions: number): Promise<string[]> {
      const workspace = sandbox.open();
      const store = await workspace.store();
      for (let count = 0; count < questions; count++) {
        const text = `Question ${String(++asked)}? `;
        const background = 'Both would do. '.repeat(120);
        const about = { type: 'decision', urgency: 'low', mode: 'sync', work: null } as const;
        await raiseQuestion(store, agent(), { text, background, ...about });
      }
      workspace.close();
      return fs.readdirSync(sandbox.at('ws', '.holdpoint')).filter((name) => /^holdpoint-.*\.sqlite$/.test(name));
    }
    assert.deepEqual(await session(3), []);
    const [first, ...others] = await session(20);
    assert.ok(first);
    assert.deepEqual(others, []);
    assert.deepEqual(await session(0), [first]);
    assert.deepEqual(await session(3), [first]);
    const [second, ...more] = await session(9);
    assert.notEqual(second, first);
    assert.deepEqual(more, []);
    const reopened = await sandbox.open().store();
    assert.equal(reopened.read().state.questions.size, asked);
  });

  it('leaves a copy of the database for SQLite tools, of which nothing is read', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    const asked = { type: 'decision', urgency: 'low', mode: 'sync', work: null } as const;
    await raiseQuestion(await workspace.store(), agent(), {
      ...asked,
      text: 'Which way?',
      background: 'x'.repeat(9_000),
    });
    await raiseQuestion(await workspace.store(), agent(), {
      ...asked,
      text: 'How far?',
      background: 'y'.repeat(9_000),
    });
    workspace.close();
    const file = sandbox.at('ws', '.holdpoint', 'index.sqlite');
    const db = new (await loadSqlite(wasm)).Database(fs.readFileSync(file));
    assert.deepEqual(db.exec('SELECT id, status, question FROM blockers')[0]?.values, [
      ['Q-1', 'PENDING', 'Which way?'],
      ['Q-2', 'PENDING', 'How far?'],
    ]);
    const withText = (table: string) => db.exec(`SELECT count(*) FROM ${table} WHERE json LIKE '%Which way?%'`);
    assert.deepEqual(
      ['items', 'records'].map((table) => withText(table)[0]?.values),
      [[[1]], [[0]]],
      'a text is there once',
    );
    db.close();
    fs.writeFileSync(file, 'changed');
    assert.equal(listQuestions((await sandbox.open().store()).read()).total, 2);
  });
});

/** A long journal without a usable saved state, which another thread reads and saves before the editor opens it. */
type Changes = Parameters<Sandbox['open']>[0];

describe('a journal read first by another thread', function () {
  this.timeout(60_000);
  afterEach(removeSandboxes);

  /** @param lines some 700 KB each */
  async function written(lines: number): Promise<Sandbox> {
    const sandbox = makeSandbox();
    await registerWork(await sandbox.open().store(), agent(), { id: 'T1', workKind: 'task', title: 'T1' });
    write(sandbox, lines, 'H');
    return sandbox;
  }

  function write(sandbox: Sandbox, lines: number, prefix: string): void {
    const line = (_: unknown, number: number) => longLine(`${prefix}${String(number)}-`);
    writeManyByHand(sandbox.journal, Array.from({ length: lines }, line));
  }

  const thread = (sandbox: Sandbox) => savingThread(sandbox, () => sandbox.open());

  locally('is opened from what that thread saved', async () => {
    const sandbox = await written(2);
    const { begun, saveBeside } = thread(sandbox);
    const { opened, fs } = noting();
    const store = await sandbox.open({ saveBeside, fs }).store();
    assert.equal(begun.length, 1);
    assert.ok(opened.includes('.sqlite'), opened.join(' '));
    assert.deepEqual(dump(store.read()), dump((await sandbox.open().store()).read()));
    await sandbox.open({ saveBeside }).store();
    assert.equal(begun.length, 1, 'the next window has a saved state');
  });

  locally('is read there again once most of it is not in the saved state', async () => {
    const sandbox = await written(2);
    const { begun, saveBeside } = thread(sandbox);
    await sandbox.open({ saveBeside }).store();
    write(sandbox, 2, 'M');
    const store = await sandbox.open({ saveBeside }).store();
    assert.equal(begun.length, 2);
    assert.equal(store.read().state.work.size, 12_001);
  });

  const alone: readonly (readonly [why: string, lines: number, changes: (sandbox: Sandbox) => Changes])[] = [
    ['it is short', 1, () => ({})],
    ['nothing may be written', 2, () => ({ mayWrite: () => false })],
    [
      'an administrator manages the keys, because nothing that a thread saves is believed',
      2,
      (sandbox) => ({ managedFolder: writeManagedRing(sandbox, []).folder, fs: filesOf() }),
    ],
  ];
  for (const [why, lines, changes] of alone)
    locally(`is read here where ${why}`, async () => {
      const sandbox = await written(lines);
      const { begun, saveBeside } = thread(sandbox);
      const store = await sandbox.open({ saveBeside, ...changes(sandbox) }).store();
      assert.equal(begun.length, 0);
      assert.equal(store.read().state.work.size, lines * 3_000 + 1);
    });

  locally('is read here when that thread fails', async () => {
    const sandbox = await written(2);
    const store = await sandbox.open({ saveBeside: () => Promise.reject(new Error('of that thread')) }).store();
    assert.equal(store.read().state.work.size, 6_001);
  });
});
