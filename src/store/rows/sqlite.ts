/** sql.js (SQLite in WebAssembly), loaded once, on first use, and run synchronously. */

import { promisify } from 'node:util';
import type { SqlJsStatic, SqlValue, Statement } from 'sql.js';
import { errorCode, type FileSystem } from '../journal/files.ts';

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

// Reads other programs' SQLite files from their bytes; never writes. That way, files which SQLite itself would read as
// well (a write-ahead log, a hot journal) cannot be taken into account, so we refuse if there is one.

export type ForeignValue = SqlValue;
export type ForeignRow = Readonly<Record<string, SqlValue>>;

/** Why a file cannot be read, worded to follow its name. */
export class ForeignFileError extends Error {
  override readonly name = 'ForeignFileError';
}

/** Files are read into memory whole. Bytes. */
const largestFile = 256 * 1024 * 1024;
const mostRows = 500_000;

/** @throws ForeignFileError */
export function readForeignFile(fs: FileSystem, file: string): Buffer {
  try {
    const stat = fs.statSync(file);
    if (stat.isDirectory()) throw new ForeignFileError('is a folder, not a file');
    if (!stat.isFile()) throw new ForeignFileError('is not a plain file');
    if (stat.size === 0) throw new ForeignFileError('is empty (0 bytes)');
    if (stat.size > largestFile)
      throw new ForeignFileError(`is too large (${String(stat.size)} bytes, the limit is ${String(largestFile)})`);
    return fs.readFileSync(file);
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof ForeignFileError || code === undefined) throw error;
    const why = code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`;
    throw new ForeignFileError(why, { cause: error });
  }
}

export interface ForeignTable {
  readonly columns: readonly string[];
  readonly rows: readonly ForeignRow[];
}

export interface ForeignDatabase {
  /** Names of plain tables; views and virtual tables are not read. */
  readonly tables: readonly string[];
  /**
   * The whole table in row order; null when there is none of that name.
   * @throws ForeignFileError when damaged
   */
  table(name: string): ForeignTable | null;
  close(): void;
}

/** @throws ForeignFileError when it is not a SQLite database, is damaged, or is in use by another program */
export function openForeignDatabase(
  sqlite: SqlJsStatic,
  fs: FileSystem,
  file: string,
): ForeignDatabase & { readonly bytes: Buffer } {
  const bytes = readForeignFile(fs, file);
  requireSqlite(bytes);
  requireAtRest(fs, file);
  let db;
  try {
    db = new sqlite.Database(rollbackMode(bytes));
    // The file's author chose its constraints: checking a table must not run them.
    db.run('PRAGMA trusted_schema=off; PRAGMA query_only=on; PRAGMA ignore_check_constraints=on;');
  } catch (cause) {
    throw damagedFile(cause);
  }
  const query = (sql: string): Record<string, SqlValue>[] => {
    try {
      const statement = db.prepare(sql);
      try {
        const found: Record<string, SqlValue>[] = [];
        while (statement.step()) {
          found.push(statement.getAsObject());
          if (found.length > mostRows)
            throw new ForeignFileError(`has more than ${mostRows.toLocaleString('en')} rows in one table`);
        }
        return found;
      } finally {
        statement.free();
      }
    } catch (cause) {
      throw cause instanceof ForeignFileError ? cause : damagedFile(cause);
    }
  };
  try {
    // A view could compute forever, and a virtual table needs a module that is not loaded here.
    const tables = query(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    ).map(({ name }) => String(name));
    return {
      bytes,
      tables,
      table(name) {
        if (!tables.includes(name)) return null;
        const quoted = `"${name.replaceAll('"', '""')}"`;
        const columns = columnsOf(query(`PRAGMA table_xinfo(${quoted})`), name);
        const [check] = query(`PRAGMA quick_check(${quoted})`);
        const said = Object.values(check ?? {})[0];
        if (said !== 'ok') throw new ForeignFileError(`is damaged (${String(said)})`);
        return { columns, rows: query(`SELECT * FROM ${quoted}`) };
      },
      close() {
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Names of a table's columns. Reading a generated column would run the file's expression, which can take any time and
 * memory.
 * @throws ForeignFileError for a generated column
 */
function columnsOf(rows: readonly ForeignRow[], table: string): readonly string[] {
  const generated = rows.find(({ hidden }) => hidden !== 0);
  if (generated)
    throw new ForeignFileError(
      `has a generated column (${table}.${String(generated['name'])}), which would run code of that file: copy the table without it (CREATE TABLE … AS SELECT …)`,
    );
  return rows.map(({ name }) => String(name));
}

/** Source: "Database File Format" of SQLite, 1.3 "The Database Header". */
function requireSqlite(bytes: Buffer): void {
  if (bytes.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw new ForeignFileError('is not a SQLite database (or an encrypted one)');
  if (bytes.length < 512) throw new ForeignFileError('is cut short: it is damaged');
  const raw = bytes.readUInt16BE(16);
  const page = raw === 1 ? 65_536 : raw;
  const pages = bytes.readUInt32BE(28);
  const counted = bytes.readUInt32BE(24) === bytes.readUInt32BE(92);
  if (counted && pages * page > bytes.length)
    throw new ForeignFileError(
      `is cut short: ${String(bytes.length)} bytes, but it says ${String(pages)} pages of ${String(page)}`,
    );
}

/** A file next to it can contain newer rows or half a transaction; without it we would read stale or torn data. */
function requireAtRest(fs: FileSystem, file: string): void {
  const size = (path: string) => fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size(`${file}-wal`) > 0)
    throw new ForeignFileError(
      `has newer rows in ${file}-wal, which would be missed: close the program that uses it, or run: sqlite3 "${file}" "PRAGMA wal_checkpoint(TRUNCATE)"`,
    );
  if (size(`${file}-journal`) > 0)
    throw new ForeignFileError(
      `is being changed, or a change was cut off (${file}-journal is there): close the program that uses it, or open and close it once with sqlite3`,
    );
}

/**
 * Without a write-ahead log next to it, a file in WAL mode reads the same in rollback mode; only two header bytes
 * differ.
 */
function rollbackMode(bytes: Buffer): Uint8Array {
  if (bytes[18] !== 2 && bytes[19] !== 2) return bytes;
  const copy = Buffer.from(bytes);
  copy[18] = copy[19] = 1;
  return copy;
}

function damagedFile(cause: unknown): ForeignFileError {
  return new ForeignFileError(`is damaged (${cause instanceof Error ? cause.message : String(cause)})`, { cause });
}
