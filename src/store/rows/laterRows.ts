/**
 * Rows that are written when some are read: an act is acknowledged without waiting for them, and those of many lines take
 * one transaction, in which SQLite writes a page once that several of them change. Until then their statements are kept,
 * with the values that the fold had at their line.
 */
import type { SqlValue } from 'sql.js';
import type { Database, SqliteDatabase } from './sqlite.ts';

/** A database whose rows follow the journal. */
export interface Projection extends Database {
  /** Begins the rows of one act, to which all statements until `end` belong. */
  begin(): void;
  /** Keeps the rows of the act, or drops them. Refuses nothing unless the act read rows itself. */
  end(isKept: boolean): void;
  /** Writes what is kept. @throws what `refused` makes of it when the database refuses a row */
  settle(): void;
  /** Writes what is kept if it is so much that it would take long later. @throws as `settle` */
  settleMany(during: keyof typeof many): void;
}

type Kept = readonly [sql: string, parameters: readonly SqlValue[]];

/**
 * Statements that are written together. A replay takes less time with more of them. A program in use is blocked while
 * they are written: the first time, SQLite reads pages of its indexes for most of them.
 */
const many = { replay: 256, use: 64 };

/**
 * @param refused what to throw when the database refuses rows of lines that count: they are lost to it
 */
export function laterRows(db: SqliteDatabase, refused: (cause: unknown) => unknown): Projection {
  let kept: Kept[] = [];
  /** How many of them are of earlier acts; null outside of an act. */
  let before: number | null = null;
  /** The current act has read rows: its own are in a transaction of the database. */
  let isOpen = false;

  function settle(): void {
    if (isOpen) return;
    const earlier = kept.slice(0, before ?? kept.length);
    const own = kept.slice(earlier.length);
    kept = [];
    if (before !== null) before = 0;
    if (earlier.length > 0) write(earlier);
    if (before === null) return;
    db.run('BEGIN');
    isOpen = true;
    for (const [sql, parameters] of own) db.run(sql, parameters);
  }

  function write(statements: readonly Kept[]): void {
    try {
      db.run('BEGIN');
      for (const [sql, parameters] of statements) db.run(sql, parameters);
      db.run('COMMIT');
    } catch (cause) {
      db.rollback();
      throw refused(cause);
    }
  }

  return {
    rows: {
      query: db.rows.query,
      sql: db.rows.sql,
      all(compilable) {
        settle();
        return db.rows.all(compilable);
      },
      first(compilable) {
        settle();
        return db.rows.first(compilable);
      },
    },
    begin() {
      before = kept.length;
    },
    end(isKept) {
      if (isOpen && isKept) db.run('COMMIT');
      else if (isOpen) db.rollback();
      else if (!isKept) kept.length = before ?? kept.length;
      isOpen = false;
      before = null;
    },
    settle,
    settleMany(during) {
      if (kept.length >= many[during]) settle();
    },
    run(sql, parameters = []) {
      if (isOpen) db.run(sql, parameters);
      else kept.push([sql, parameters]);
    },
    value(sql, parameters) {
      settle();
      return db.value(sql, parameters);
    },
    export() {
      settle();
      return db.export();
    },
    close() {
      db.close();
    },
  };
}
