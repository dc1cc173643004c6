/** sql.js (SQLite in WebAssembly), loaded once, on first use, and run synchronously. */
import { promisify } from 'node:util';
import type { SqlJsStatic, SqlValue, Statement } from 'sql.js';

export type Engine = SqlJsStatic;

let engine: Promise<Engine> | undefined;

/** @param wasm bytes of sql-wasm.wasm, plain or, as packaged, in Brotli */
export function loadSqlite(wasm: () => Uint8Array): Promise<Engine> {
  return (engine ??= load(wasm));
}

async function load(wasm: () => Uint8Array): Promise<Engine> {
  // In another thread, while sql.js is loaded in this one.
  const [wasmBinary, { default: init }] = await Promise.all([unpack(wasm()), import('sql.js')]);
  return init({ wasmBinary: new Uint8Array(wasmBinary).buffer });
}

/** This file is a third of the package; Brotli makes it a seventh smaller than the VSIX's own compression. */
async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  const isPlain = Buffer.from(bytes.subarray(0, 4)).equals(Buffer.from('\0asm'));
  return isPlain ? bytes : promisify((await import('node:zlib')).brotliDecompress)(bytes);
}

/** The read side of the database, open to every use case. */
export interface Rows {
  all<Row>(sql: string, ...parameters: readonly SqlValue[]): Row[];
}

export interface Database {
  readonly rows: Rows;
  run(sql: string, ...parameters: readonly SqlValue[]): void;
  /** Rolls the transaction back, unless SQLite did by itself (out of memory). */
  rollback(): void;
  export(): Uint8Array;
  close(): void;
}

/** @param content a SQLite file; omit for an empty database */
export function openDatabase(sqlite: Engine, content?: Uint8Array): Database {
  const db = new sqlite.Database(content);
  // Items of a kilobyte or two leave less of a page unused than with the usual 4096.
  if (!content) db.run('PRAGMA page_size=8192');
  const statements = new Map<string, Statement>();
  // No other program opens it: an exclusive lock saves checking for foreign changes with each transaction.
  db.run(
    'PRAGMA locking_mode=exclusive; PRAGMA journal_mode=memory; PRAGMA synchronous=off; PRAGMA temp_store=memory;',
  );
  const prepared = (sql: string) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  function all<Row>(sql: string, ...parameters: readonly SqlValue[]): Row[] {
    const statement = prepared(sql);
    try {
      statement.bind([...parameters]);
      const found: object[] = [];
      while (statement.step()) found.push(statement.getAsObject());
      return found as Row[];
    } finally {
      statement.reset();
    }
  }
  return {
    rows: { all },
    run(sql, ...parameters) {
      const statement = prepared(sql);
      try {
        statement.run([...parameters]);
      } catch (error) {
        statement.reset();
        throw error;
      }
    },
    rollback() {
      try {
        db.run('ROLLBACK');
      } catch (error) {
        if (!String(error).includes('no transaction is active')) throw error;
      }
    },
    export: () => db.export(),
    close() {
      for (const statement of statements.values()) statement.free();
      db.close();
    },
  };
}

// A copy of the index for other programs. The journal remains the source of truth.

export function databaseOf(sqlite: SqlJsStatic, bytes: Uint8Array): Buffer {
  const db = new sqlite.Database(bytes);
  try {
    // Of imports that have not ended.
    db.run(`DELETE FROM records WHERE kind = 'import.rows'`);
    db.run('VACUUM');
    return Buffer.from(db.export());
  } finally {
    db.close();
  }
}
