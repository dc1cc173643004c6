/** The alternative to a store of our own: SQLite as a native module. */
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

type Sqlite = 'better-sqlite3' | 'node:sqlite';

/** The first is not a dependency of the project: it is installed in bench/node_modules, if at all. */
const openers: Readonly<Record<Sqlite, (file: string) => Native>> = {
  'better-sqlite3'(file) {
    const Opened = createRequire(import.meta.url)('better-sqlite3') as Constructor;
    return new Opened(file);
  },
  'node:sqlite'(file) {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    return new DatabaseSync(file);
  },
};

/** Null if it is not installed or not built into this Node. */
function versionOf(sqlite: Sqlite): string | null {
  try {
    const db = openers[sqlite](':memory:');
    const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string };
    db.close();
    return version;
  } catch {
    return null;
  }
}

/** The reference: better-sqlite3 if it could be installed, else the one built into Node. */
function nativeSqlite(): Sqlite {
  return versionOf('better-sqlite3') === null ? 'node:sqlite' : 'better-sqlite3';
}

/** Its name and SQLite version. */
export function nativeName(): string {
  const sqlite = nativeSqlite();
  return `${sqlite} (SQLite ${versionOf(sqlite) ?? '?'})`;
}

/** Durable: an acknowledged commit is on disk. */
export function openNative(file: string): Native {
  const db = openers[nativeSqlite()](file);
  db.exec('PRAGMA busy_timeout=10000; PRAGMA synchronous=FULL; PRAGMA foreign_keys=on; PRAGMA journal_mode=WAL;');
  return db;
}
