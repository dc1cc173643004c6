/** Tables of imports: what was read, rows of batches that are not ended yet, and all rows that came in with their source. */
import { historyKind, importSource } from '../../core/records/import.ts';
import type { ImportSource } from '../../core/records/import.ts';

export interface Imports {
  batch: string;
  /** What was read: a program or a format. */
  source_kind: ImportSource;
  /** File or folder, as it was named. */
  source: string;
  digest: string;
  begun_at: string;
  begun_by: string;
  /** Null until all rows are there: until then none of them is. */
  ended_at: string | null;
}

export interface Imported {
  /** In the order they came in: `H-12` is number 12. */
  number: number;
  batch: string;
  /** Hash by which a row is known again. */
  key: string;
  /** Its id over there. */
  ref: string;
  kind: string;
  title: string;
  status: string;
  agent: string | null;
  work: string | null;
  happened_at: string;
  /** Its id here; null for history, which has no effect. */
  became: string | null;
  /** History as it was over there: an object of JSON. */
  data: string | null;
  /** JSON of {from, source}, where it was history over there already. */
  origin: string | null;
}

export interface ImportTables {
  imports: Imports;
  /** `row`: JSON of an `ImportedRow`; gone once its batch is ended. */
  import_rows: { batch: string; number: number; row: string };
  imported: Imported;
}

const oneOf = (column: string, values: readonly string[]) =>
  values.map((value) => `${column} = '${value}'`).join(' OR ');

export const importSchema = (): string[] => [
  `CREATE TABLE imports (
    batch TEXT PRIMARY KEY, source_kind TEXT NOT NULL CHECK (${oneOf('source_kind', importSource.options)}),
    source TEXT NOT NULL, digest TEXT NOT NULL, begun_at TEXT NOT NULL, begun_by TEXT NOT NULL, ended_at TEXT) STRICT`,
  `CREATE TABLE import_rows (
    batch TEXT NOT NULL REFERENCES imports(batch), number INTEGER NOT NULL, row TEXT NOT NULL,
    PRIMARY KEY (batch, number)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE imported (
    number INTEGER PRIMARY KEY, batch TEXT NOT NULL REFERENCES imports(batch), key TEXT NOT NULL, ref TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (${oneOf('kind', historyKind.options)}), title TEXT NOT NULL, status TEXT NOT NULL,
    agent TEXT, work TEXT, happened_at TEXT NOT NULL, became TEXT, data TEXT, origin TEXT,
    CHECK (became IS NOT NULL OR data IS NOT NULL)) STRICT`,
  `CREATE INDEX imported_by_key ON imported (key)`,
  `CREATE INDEX imported_by_id ON imported (became) WHERE became IS NOT NULL`,
  `CREATE INDEX imported_history ON imported (kind, number) WHERE became IS NULL`,
];
