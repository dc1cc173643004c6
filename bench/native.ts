/** Alternatives to a store of our own: SQLite as a native module, built into Node, and as WebAssembly with files. */
import { createRequire } from 'node:module';

interface Prepared {
  run(...values: unknown[]): unknown;
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}

export interface Native {
  exec(sql: string): void;
  prepare(sql: string): Prepared;
  close(): void;
}

type Constructor = new (file: string) => Native;

export type Sqlite = 'better-sqlite3' | 'node:sqlite' | 'node-sqlite3-wasm';

/** Not dependencies of the project: installed in bench/node_modules, if at all. */
const openers: Readonly<Record<Sqlite, () => (file: string) => Native>> = {
  'better-sqlite3': () => {
    const Opened = createRequire(import.meta.url)('better-sqlite3') as Constructor;
    return (file) => new Opened(file);
  },
  'node:sqlite': () => {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    return (file) => new DatabaseSync(file);
  },
  'node-sqlite3-wasm': () => {
    const { Database } = createRequire(import.meta.url)('node-sqlite3-wasm') as { Database: Constructor };
    return (file) => withLists(new Database(file));
  },
};

/** Accepts the values of a statement as one list. */
function withLists(db: Native): Native {
  return {
    exec: (sql) => {
      db.exec(sql);
    },
    prepare(sql) {
      const statement = db.prepare(sql);
      return {
        run: (...values) => statement.run(values),
        get: (...values) => statement.get(values),
        all: (...values) => statement.all(values),
      };
    },
    close: () => {
      db.close();
    },
  };
}

/** Null if it is not installed or not built into this Node. */
export function versionOf(sqlite: Sqlite): string | null {
  try {
    const db = openers[sqlite]()(':memory:');
    const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string };
    db.close();
    return version;
  } catch {
    return null;
  }
}

/** The reference: better-sqlite3 if it could be installed, else the one built into Node. */
export function nativeSqlite(): Sqlite {
  return versionOf('better-sqlite3') === null ? 'node:sqlite' : 'better-sqlite3';
}

/** Its name and SQLite version. */
export function nativeName(): string {
  const sqlite = nativeSqlite();
  return `${sqlite} (SQLite ${versionOf(sqlite) ?? '?'})`;
}

/**
 * Durable: an acknowledged commit is on disk. The WebAssembly build has no shared memory, so no WAL: it keeps its
 * rollback journal. We do not query the mode, because that fails with "locked" while another program uses the file.
 */
export function openNative(file: string, sqlite: Sqlite = nativeSqlite()): Native {
  const db = openers[sqlite]()(file);
  const patienceMs = sqlite === 'node-sqlite3-wasm' ? 3_000 : 10_000; // its lock is not fair, so waiting longer does not help
  db.exec(`PRAGMA busy_timeout=${String(patienceMs)}; PRAGMA synchronous=FULL; PRAGMA foreign_keys=on;`);
  if (sqlite !== 'node-sqlite3-wasm') db.exec('PRAGMA journal_mode=WAL;');
  return db;
}
