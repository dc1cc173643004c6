/** Rows that are written when some are read are the same, at each reading, as rows that are written at once. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { laterRows } from '../../../src/store/rows/laterRows.ts';
import { loadSqlite, openDatabase } from '../../../src/store/rows/sqlite.ts';
import type { Engine, SqliteDatabase } from '../../../src/store/rows/sqlite.ts';
import { runs } from '../../support/runs.ts';
import { wasm } from '../../support/store/sandbox.ts';

const put = 'INSERT INTO agents VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET label = excluded.label';
const row = (id: string, label: string) => [id, 'type', 'host', label];

const statement = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), label: fc.constantFrom('x', 'y', 'z') });
const act = fc.record({
  statements: fc.array(statement, { maxLength: 4 }),
  /** Before which of its statements the act reads rows. */
  reads: fc.option(fc.nat(4), { nil: null, freq: 3 }),
  isKept: fc.boolean(),
});
const step = fc.oneof(act, fc.constantFrom('read' as const, 'settle' as const, 'many' as const));

describe('rows that are written later', () => {
  let sqlite: Engine;
  before(async () => {
    sqlite = await loadSqlite(wasm);
  });

  function opened(): SqliteDatabase {
    const db = openDatabase(sqlite);
    db.run("CREATE TABLE agents (id TEXT PRIMARY KEY, type TEXT, host TEXT, label TEXT CHECK (label <> 'no')) STRICT");
    return db;
  }

  const labels = ({ rows }: Pick<SqliteDatabase, 'rows'>) =>
    rows.all(rows.query.selectFrom('agents').select(['id', 'label']).orderBy('id'));

  it('are those that would have been written at once, inside of an act as well', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const at = opened();
        const later = laterRows(opened(), (cause) => cause);
        for (const one of steps) {
          if (one === 'settle') later.settle();
          else if (one === 'many') later.settleMany('use');
          else if (one === 'read') assert.deepEqual(labels(later), labels(at));
          else {
            at.run('BEGIN');
            later.begin();
            for (const [index, { id, label }] of one.statements.entries()) {
              if (one.reads === index) assert.deepEqual(labels(later), labels(at));
              for (const db of [at, later]) db.run(put, row(id, label));
            }
            if (one.isKept) at.run('COMMIT');
            else at.rollback();
            later.end(one.isKept);
          }
        }
        assert.equal(later.value('SELECT count(*) FROM agents'), at.value('SELECT count(*) FROM agents'));
        assert.deepEqual(labels(later), labels(at));
        for (const db of [at, later]) db.close();
      }),
      { numRuns: runs(300) },
    );
  });

  it('are in the exported file', () => {
    const later = laterRows(opened(), (cause) => cause);
    later.begin();
    later.run(put, row('a', 'x'));
    later.end(true);
    const again = openDatabase(sqlite, later.export());
    assert.deepEqual(labels(again), [{ id: 'a', label: 'x' }]);
    for (const db of [again, later]) db.close();
  });

  for (const [during, unwritten] of [
    ['replay', 256],
    ['use', 64],
  ] as const)
    it(`are fewer than ${String(unwritten)} ${during === 'use' ? 'in use' : 'in a replay'}`, () => {
      const db = opened();
      const later = laterRows(db, (cause) => cause);
      for (let at = 1; at <= 1_000; at++) {
        later.begin();
        later.run(put, row(String(at), 'x'));
        later.end(true);
        later.settleMany(during);
        assert.ok(at - Number(db.value('SELECT count(*) FROM agents')) < unwritten);
      }
      later.close();
    });

  describe('that the database refuses', () => {
    it('are reported as what the caller makes of it, and nothing of them is written', () => {
      const db = opened();
      const later = laterRows(db, (cause) => new Error('no rows', { cause }));
      for (const [id, label] of [
        ['a', 'x'],
        ['b', 'no'],
      ] as const) {
        later.begin();
        later.run(put, row(id, label));
        later.end(true);
      }
      assert.throws(() => labels(later), /^Error: no rows$/);
      assert.deepEqual(labels(db), []);
      later.close();
    });

    it('are refused at once in an act that has read rows, and only this act is dropped', () => {
      const later = laterRows(opened(), () => new Error('of an earlier act'));
      later.begin();
      later.run(put, row('a', 'x'));
      later.end(true);
      later.begin();
      assert.deepEqual(labels(later), [{ id: 'a', label: 'x' }]);
      later.run(put, row('b', 'y'));
      assert.throws(() => {
        later.run(put, row('c', 'no'));
      }, /CHECK constraint failed/);
      later.end(false);
      assert.deepEqual(labels(later), [{ id: 'a', label: 'x' }]);
      later.close();
    });
  });
});
