/** A database that refuses rows of lines that count: the journal has them, nothing is taken from the rows, and it is said. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { SqlValue } from 'sql.js';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { finish } from '../../../src/core/kit/finish.ts';
import type { StateFile } from '../../../src/store/journal/stateFile.ts';
import { loadSqlite } from '../../../src/store/rows/sqlite.ts';
import type { Engine } from '../../../src/store/rows/sqlite.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, wasm } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';

const asked = { type: 'approval', urgency: 'medium', mode: 'sync', work: null } as const;

/** SQLite as it is, but no row that has this text is inserted. */
function refusing(sqlite: Engine, text: string): Engine {
  class Database extends sqlite.Database {
    override prepare(sql: string) {
      const statement = super.prepare(sql);
      const run = statement.run.bind(statement);
      statement.run = (values) => {
        if ((values as SqlValue[]).includes(text)) throw new Error('CHECK constraint failed: text');
        run(values);
      };
      return statement;
    }
  }
  return { ...sqlite, Database };
}

describe('rows that the database refuses', () => {
  let sandbox: Sandbox;
  let stateFile: StateFile;
  beforeEach(() => {
    sandbox = makeSandbox();
    ({ stateFile } = sandbox.open());
  });
  afterEach(removeSandboxes);

  async function opened(refused: string | null): Promise<Store> {
    const sqlite = await loadSqlite(wasm);
    return openStore({
      root: sandbox.folder,
      fs: realFs,
      trust: createTrust(() => []),
      stateFile,
      sqlite: refused === null ? sqlite : refusing(sqlite, refused),
      platform: 'linux',
      now: () => new Date(sandbox.clock.now).toISOString(),
      newId: randomUUID,
    });
  }

  const texts = ({ rows }: ReturnType<Store['read']>) =>
    rows.all(rows.query.selectFrom('questions').select('question_text').orderBy('number'));

  it('make the journal unreadable for this program when they are needed; its act is saved', async () => {
    const store = await opened('Drop the table?');
    await raiseQuestion(store, agent(), { ...asked, text: 'Keep it?' });
    await raiseQuestion(store, agent(), { ...asked, text: 'Drop the table?' });
    const unreadable = /The store cannot be read \(CHECK constraint failed: text\)/;
    assert.throws(() => texts(store.read()), { code: 'unknown-state', message: unreadable });
    assert.equal(store.problem?.code, 'unreadable');
    assert.throws(() => store.read(), { code: 'unknown-state', message: unreadable });
    await assert.rejects(raiseQuestion(store, agent(), { ...asked, text: 'And now?' }), { code: 'unknown-state' });
    store.close();
    const other = await opened(null);
    assert.deepEqual(texts(other.read()), [{ question_text: 'Keep it?' }, { question_text: 'Drop the table?' }]);
    other.close();
  });

  for (const after of ['the journal', 'lines after a saved state'])
    it(`are found when a program opens ${after}`, async () => {
      const other = await opened(null);
      await raiseQuestion(other, agent(), { ...asked, text: 'Keep it?' });
      if (after !== 'the journal') finish(other.saving(1) ?? assert.fail('nothing was saved'));
      await raiseQuestion(other, agent(), { ...asked, text: 'Drop the table?' });
      const store = await opened('Drop the table?');
      assert.equal(store.problem?.code, 'unreadable');
      for (const each of [store, other]) each.close();
    });

  it('of another program are found when they are needed, or are many', async () => {
    const other = await opened(null);
    await raiseQuestion(other, agent(), { ...asked, text: 'Keep it?' });
    const store = await opened('Drop the table?');
    assert.equal(texts(store.read()).length, 1);
    await raiseQuestion(other, agent(), { ...asked, text: 'Drop the table?' });
    for (let at = 0; at < 300; at++)
      await raiseQuestion(other, agent(), { ...asked, text: `And ${String(at)}?`, holds: [`area-${String(at)}/**`] });
    store.refresh();
    assert.equal(store.problem?.code, 'unreadable');
    for (const each of [store, other]) each.close();
  });
});
