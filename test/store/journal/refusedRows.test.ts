/** A database that refuses rows of lines that count: the journal has them, and who reads rows is told. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { SqlValue } from 'sql.js';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import type { StateFile } from '../../../src/store/journal/stateFile.ts';
import { loadSqlite, type Engine } from '../../../src/store/rows/sqlite.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, wasm, type Sandbox } from '../../support/store/sandbox.ts';

const asked = { type: 'approval', urgency: 'medium', mode: 'sync', work: null } as const;

/** SQLite as it is, but no row that has this text is written. */
function refusing(sqlite: Engine, text: string): Engine {
  class Database extends sqlite.Database {
    override prepare(sql: string) {
      const statement = super.prepare(sql);
      const run = statement.run.bind(statement);
      statement.run = (values) => {
        if ((values as SqlValue[]).includes(text)) throw new Error('the disk is full');
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

  const count = ({ rows }: ReturnType<Store['read']>) =>
    rows.all<{ count: number }>("SELECT count(*) AS count FROM items WHERE kind = 'question'")[0]?.count;

  it('fail no act, and each reading until they are written; another program has them', async () => {
    const store = await opened('Drop the table?');
    await raiseQuestion(store, agent(), { ...asked, text: 'Drop the table?' });
    for (let number = 1; number < 70; number++)
      await raiseQuestion(store, agent(), { ...asked, text: `Keep ${String(number)}?` });
    for (let reading = 0; reading < 2; reading++) assert.throws(() => count(store.read()), /the disk is full/);
    assert.equal(store.problem, null);
    assert.equal(store.read().state.questions.size, 70);
    store.close();
    const other = await opened(null);
    assert.equal(count(other.read()), 70);
    other.close();
  });
});
