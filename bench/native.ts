/** Native SQLite: better-sqlite3 where it could be installed, else the one inside Node. Both have the same few methods. */
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

/** Not a dependency of the project: it lies in bench/node_modules, if anywhere. */
const betterSqlite = 'better-sqlite3';

function load(): { name: string; open: Constructor } {
  try {
    const open = createRequire(import.meta.url)(betterSqlite) as Constructor;
    new open(':memory:').close();
    return { name: betterSqlite, open };
  } catch {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    return { name: 'node:sqlite', open: DatabaseSync };
  }
}

const found = load();

/** Which one it is, and the SQLite in it. */
export function nativeName(): string {
  const db = new found.open(':memory:');
  const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  db.close();
  return `${found.name} (SQLite ${version})`;
}

/** Durable: an acknowledged commit is on disk. */
export function openNative(file: string): Native {
  const db = new found.open(file);
  db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=on; PRAGMA busy_timeout=10000;');
  return db;
}
