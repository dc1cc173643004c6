/** sql.js on content that is read block by block behaves as on the same file in memory. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import type { Database, SqlJsStatic } from 'sql.js';
import { pagedContent } from '../../../src/store/rows/pagedContent.ts';
import { runs } from '../../support/runs.ts';

const init = createRequire(import.meta.url)('sql.js') as () => Promise<SqlJsStatic>;
const blockSize = 8192;

/** One statement; `size` is that of a text in it. */
const act = fc.record({
  does: fc.constantFrom('insert', 'insert', 'insert', 'update', 'delete', 'read', 'roll back', 'export'),
  id: fc.nat(300),
  size: fc.constantFrom(1, 40, 900, 20_000),
});
type Acting = typeof act extends fc.Arbitrary<infer T> ? T : never;

function run(db: Database, { does, id, size }: Acting): unknown {
  const text = `${String(id)} `.repeat(size);
  switch (does) {
    case 'insert':
      return db.run('INSERT OR REPLACE INTO t VALUES (?, ?)', [id, text]);
    case 'update':
      return db.run('UPDATE t SET x = ? WHERE id BETWEEN ? AND ?', [text.slice(0, 2_000), id, id + 5]);
    case 'delete':
      return db.run('DELETE FROM t WHERE id > ?', [id]);
    case 'roll back':
      return db.run('BEGIN; DELETE FROM t; ROLLBACK');
    case 'read':
      return db.exec('SELECT id, length(x) FROM t WHERE x > ? ORDER BY x LIMIT 20', [String(id)]);
    case 'export':
      return Buffer.from(db.export()).toString('base64');
  }
}

describe('the content of a database, in blocks', () => {
  it('holds the same rows after any statements, also where it becomes larger or smaller', async function () {
    this.timeout(60_000);
    const sqlite = await init();
    const open = (content: Uint8Array) => {
      const db = new sqlite.Database(content);
      db.run('PRAGMA locking_mode=exclusive; PRAGMA journal_mode=memory; PRAGMA synchronous=off');
      return db;
    };
    fc.assert(
      fc.property(fc.array(act, { maxLength: 12 }), fc.array(act, { maxLength: 25 }), (before, acts) => {
        const first = new sqlite.Database();
        first.run('CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT); CREATE INDEX tx ON t (x)');
        for (const acting of before) run(first, acting);
        const bytes = first.export();
        first.close();
        const read = (block: number) => bytes.slice(block * blockSize, (block + 1) * blockSize);
        const paged = open(pagedContent({ size: bytes.length, blockSize, read }));
        const whole = open(bytes.slice());
        for (const acting of acts)
          assert.deepEqual(run(paged, acting) instanceof Object, run(whole, acting) instanceof Object);
        assert.deepEqual(paged.exec('PRAGMA integrity_check')[0]?.values, [['ok']]);
        assert.deepEqual(paged.exec('SELECT * FROM t ORDER BY x'), whole.exec('SELECT * FROM t ORDER BY x'));
        assert.deepEqual(Buffer.from(paged.export()), Buffer.from(whole.export()));
        paged.close();
        whole.close();
      }),
      { numRuns: runs(200) },
    );
  });

  it('is read as far as statements need it', async () => {
    const sqlite = await init();
    const first = new sqlite.Database();
    first.run('CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)');
    for (let id = 0; id < 2_000; id++) first.run('INSERT INTO t VALUES (?, ?)', [id, 'x'.repeat(500)]);
    const bytes = first.export();
    first.close();
    const blocks: number[] = [];
    const read = (block: number) => {
      blocks.push(block);
      return bytes.slice(block * blockSize, (block + 1) * blockSize);
    };
    const db = new sqlite.Database(pagedContent({ size: bytes.length, blockSize, read }));
    assert.equal(db.exec('SELECT length(x) FROM t WHERE id = 1234')[0]?.values[0]?.[0], 500);
    assert.ok(blocks.length > 0 && blocks.length <= 5, blocks.join());
    assert.equal(db.exec('SELECT count(*), sum(length(x)) FROM t')[0]?.values[0]?.[1], 1_000_000);
    assert.equal(blocks.length, Math.ceil(bytes.length / blockSize));
    assert.equal(new Set(blocks).size, blocks.length, 'each block once');
    db.close();
  });

  it('passes on what reading a block throws', async () => {
    const sqlite = await init();
    const first = new sqlite.Database();
    first.run('CREATE TABLE t (x TEXT)');
    for (let id = 0; id < 200; id++) first.run('INSERT INTO t VALUES (?)', ['x'.repeat(500)]);
    const bytes = first.export();
    first.close();
    const read = (block: number) => {
      if (block > 2) throw new RangeError('gone');
      return bytes.slice(block * blockSize, (block + 1) * blockSize);
    };
    const db = new sqlite.Database(pagedContent({ size: bytes.length, blockSize, read }));
    assert.throws(() => db.exec('SELECT sum(length(x)) FROM t'), RangeError);
  });
});
