/** sql.js (SQLite in WebAssembly), loaded once, on first use, and run synchronously. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Compilable, InferResult, Kysely, Sql } from 'kysely';
import type { SqlJsStatic, SqlValue, Statement } from 'sql.js';
import { pagedContent } from './pagedContent.ts';
import type { Blocks } from './pagedContent.ts';
import type { Tables } from './tables.ts';

/** sql.js with Kysely as query builder; queries run through `Rows`, synchronously. */
export interface Engine extends SqlJsStatic {
  readonly query: Kysely<Tables>;
  /** Kysely's `sql`. Not imported here, because that would load Kysely in every program at start. */
  readonly sql: Sql;
}

let engine: Promise<Engine> | undefined;

/**
 * @param wasm bytes of sql-wasm.wasm, plain or, as packaged, in Brotli
 * @param takesTurn whether what follows gets a turn of its own
 */
export async function loadSqlite(wasm: () => Uint8Array, takesTurn = false): Promise<Engine> {
  const loaded = await (engine ??= load(wasm));
  if (takesTurn) await nextTurn();
  return loaded;
}

async function load(wasm: () => Uint8Array): Promise<Engine> {
  // In another thread, while the two are loaded in this one.
  const [wasmBinary, { default: init }, kysely] = await Promise.all([
    unpacked(wasm()),
    import('sql.js'),
    import('kysely'),
  ]);
  const query = new kysely.Kysely<Tables>({
    dialect: {
      createAdapter: () => new kysely.SqliteAdapter(),
      createDriver: () => new kysely.DummyDriver(),
      createIntrospector: (db) => new kysely.SqliteIntrospector(db),
      createQueryCompiler: () => new kysely.SqliteQueryCompiler(),
    },
  });
  const sqlite = await init({ wasmBinary: new Uint8Array(wasmBinary).buffer });
  return { ...sqlite, query, sql: kysely.sql };
}

/** This file is a third of the package; Brotli makes it a seventh smaller than the VSIX's own compression. */
async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  const isPlain = Buffer.from(bytes.subarray(0, 4)).equals(Buffer.from('\0asm'));
  return isPlain ? bytes : promisify((await import('node:zlib')).brotliDecompress)(bytes);
}

/** The read side of the database, open to every use case. */
export interface Rows extends Pick<Engine, 'query' | 'sql'> {
  all<Q extends Compilable>(compilable: Q): InferResult<Q>;
  first<Q extends Compilable>(compilable: Q): InferResult<Q> extends (infer Row)[] ? Row | undefined : never;
}

export interface Database {
  readonly rows: Rows;
  run(sql: string, parameters?: readonly SqlValue[]): void;
  /** The first column of the first row, or undefined. */
  value(sql: string, parameters?: readonly SqlValue[]): SqlValue | undefined;
  export(): Uint8Array;
  close(): void;
}

export interface SqliteDatabase extends Database {
  /** Rolls the transaction back, unless SQLite did by itself (out of memory). */
  rollback(): void;
}

/**
 * In blocks, which are added as it grows: sql.js would copy a whole array each time that it has grown by an eighth. It has
 * its first page, because sql.js does not keep an empty file that it is given.
 */
function emptyFile(sqlite: Engine): Blocks {
  const db = new sqlite.Database();
  db.run('PRAGMA user_version = 0'); // writes the first page
  const page = db.export();
  db.close();
  return { size: page.length, blockSize: 64 * 1024, read: () => page };
}

/**
 * @param content a SQLite file, or its blocks, which are read when SQLite needs them; omit for an empty database
 * @param closed called when the database is closed
 */
export function openDatabase(sqlite: Engine, content?: Uint8Array | Blocks, closed?: () => void): SqliteDatabase {
  const file = content ?? emptyFile(sqlite);
  const db = new sqlite.Database('read' in file ? pagedContent(file) : file);
  const statements = new Map<string, Statement>();
  // No other program opens it: an exclusive lock saves checking for foreign changes with each transaction.
  db.run('PRAGMA locking_mode=exclusive; PRAGMA journal_mode=memory; PRAGMA synchronous=off; PRAGMA foreign_keys=on;');
  // Files are in memory too: sorting, as for an index of all rows, need not write any.
  db.run('PRAGMA temp_store=memory');
  const prepared = (sql: string) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const all = (compilable: Compilable) => {
    const { sql, parameters } = compilable.compile();
    const statement = prepared(sql);
    try {
      statement.bind(parameters as SqlValue[]);
      const found: object[] = [];
      while (statement.step()) found.push(statement.getAsObject());
      return found;
    } finally {
      statement.reset();
    }
  };
  return {
    rows: {
      query: sqlite.query,
      sql: sqlite.sql,
      all: <Q extends Compilable>(compilable: Q) => all(compilable) as InferResult<Q>,
      first: <Q extends Compilable>(compilable: Q) =>
        all(compilable)[0] as InferResult<Q> extends (infer Row)[] ? Row | undefined : never,
    },
    run(sql, parameters = []) {
      const statement = prepared(sql);
      try {
        statement.run(parameters as SqlValue[]);
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
    value(sql, parameters = []) {
      const statement = prepared(sql);
      try {
        statement.bind([...parameters]);
        return statement.step() ? statement.get()[0] : undefined;
      } finally {
        statement.reset();
      }
    },
    export: () => db.export(),
    close() {
      for (const statement of statements.values()) statement.free();
      db.close();
      closed?.();
    },
  };
}
