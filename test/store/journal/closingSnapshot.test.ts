/** When a program that closes a store leaves a snapshot to the next one. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { listQuestions } from '../../../src/app/question/views.ts';
import { loadSqlite } from '../../../src/store/rows/sqlite.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, wasm } from '../../support/store/sandbox.ts';

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
