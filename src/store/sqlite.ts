/** sql.js (SQLite in WebAssembly): loaded once, on first use, and run synchronously. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { Compilable, InferResult } from 'kysely';
import type { SqlJsStatic, SqlValue, Statement } from 'sql.js';
import type { Tables } from './tables.ts';

let engine: Promise<SqlJsStatic> | undefined;

/** @param wasm bytes of sql-wasm.wasm */
export function loadSqlite(wasm: () => Uint8Array): Promise<SqlJsStatic> {
  engine ??= import('sql.js').then((sqlJs) => sqlJs.default({ wasmBinary: new Uint8Array(wasm()).buffer }));
  return engine;
}

/** Builds queries only: they run through `Rows`, synchronously. */
export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** The read side: what every use case may do with the database. */
export interface Rows {
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

/** @param bytes a SQLite file, or nothing for an empty database */
export function openDatabase(sqlite: SqlJsStatic, bytes?: Uint8Array): Database {
  const db = new sqlite.Database(bytes);
  const statements = new Map<string, Statement>();
  db.run('PRAGMA journal_mode=memory; PRAGMA synchronous=off; PRAGMA foreign_keys=on;');
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
      all: <Q extends Compilable>(compilable: Q) => all(compilable) as InferResult<Q>,
      first: <Q extends Compilable>(compilable: Q) =>
        all(compilable)[0] as InferResult<Q> extends (infer Row)[] ? Row | undefined : never,
    },
    run(sql, parameters = []) {
      const statement = prepared(sql);
      try {
        statement.run([...parameters]);
      } finally {
        statement.reset();
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
    },
  };
}
