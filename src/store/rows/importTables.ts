/** Tables of imports: the batches, rows of unfinished batches, and all imported rows with their source. */
import { oneOf } from './oneOf.ts';
import { historyKind, importSource } from '../../core/records/import.ts';
import type { ImportSource } from '../../core/records/import.ts';

export interface Imports {
  batch: string;
  /** The program or format that was read. */
  source_kind: ImportSource;
  /** File or folder, as the user named it. */
  source: string;
  digest: string;
  begun_at: string;
  begun_by: string;
  /** Null until the batch is complete; until then none of its rows counts. */
  ended_at: string | null;
}

export interface Imported {
  /** In order of arrival: `H-12` is number 12. */
  number: number;
  batch: string;
  /** Hash that identifies a row in later imports. */
  key: string;
  /** Its id in the source. */
  ref: string;
  kind: string;
  title: string;
  status: string;
  agent: string | null;
  work: string | null;
  happened_at: string;
  /** Its id here; null for history, which has no effect. */
  became: string | null;
  /** History as in the source: a JSON object. */
  data: string | null;
  /** JSON of {from, source}, if it was already history in the source. */
  origin: string | null;
}

export interface ImportTables {
  imports: Imports;
  /** `row`: JSON of an `ImportedRow`; deleted when its batch ends. */
  import_rows: { batch: string; number: number; row: string };
  imported: Imported;
}

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
