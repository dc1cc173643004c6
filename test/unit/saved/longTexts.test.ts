/** Long texts are given to SQLite as bytes. */
import assert from 'node:assert/strict';
import { insert } from '../../../src/store/rows/put.ts';
import { createSchema } from '../../../src/store/rows/project.ts';
import { loadSqlite, openDatabase } from '../../../src/store/rows/sqlite.ts';
import { wasm } from '../../support/store/sandbox.ts';

describe('a text in a row', () => {
  const texts = [
    '',
    'short',
    'a'.repeat(39),
    'a'.repeat(40),
    'é'.repeat(40),
    '漢😀'.repeat(2_000),
    `nul \0 ${'b'.repeat(60)}`,
  ];

  it('is the text that was inserted, however long', async () => {
    const db = openDatabase(await loadSqlite(wasm));
    createSchema(db);
    for (const [at, label] of texts.entries())
      insert(db, 'agents', { id: `a-${String(at)}`, type: 'test', host: 'test', label }, ['label']);
    const { all, query } = db.rows;
    const rows = all(query.selectFrom('agents').select('label').orderBy('id'));
    assert.deepEqual(
      rows,
      texts.map((label) => ({ label })),
    );
    assert.equal(db.value("SELECT count(*) FROM agents WHERE typeof(label) <> 'text'"), 0);
    db.close();
  });
});
