/** What all readers of other programs' data share: rows, what is to be said about them, and values made safe. */
import path from 'node:path';
import type { ImportedHistory, ImportedRow, ImportSource } from '../../core/records/import.ts';
import { agentId, firstLine } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/words.ts';
import { ForeignFileError, openForeignDatabase } from '../../store/rows/foreignDatabase.ts';
import type { Engine, ForeignDatabase, ForeignTable } from '../../store/rows/foreignDatabase.ts';
import { hashOf, sha256 } from '../../trust/canonical.ts';
import { agentType } from '../workspace/agents.ts';
import { AppError } from '../workspace/errors.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface Remark {
  readonly ref: string;
  readonly what: string;
}

/** What sources have rows of. */
export type FoundKind =
  | 'blockers'
  | 'tasks'
  | 'files'
  | 'documents'
  | 'decisions'
  | 'events'
  | 'work'
  | 'questions'
  | 'rfcs'
  | 'requests'
  | 'responsibilities'
  | 'history';

/** What a source says, before it is known what of it is here already. */
export interface Reading {
  readonly from: ImportSource;
  /** File or folder, as it was named. */
  readonly source: string;
  /** Hash of what was read. */
  readonly digest: string;
  /** For example `CodeFrame, legacy schema`. */
  readonly format: string;
  /** How many rows of what there are over there. */
  readonly found: Readonly<Partial<Record<FoundKind, number>>>;
  readonly rows: readonly ImportedRow[];
  /** Open questions as they were, by their keys: for those that turn out to be history here. */
  readonly originals: ReadonlyMap<string, { readonly status: string; readonly data: object }>;
  /** Rows that do not come along, and why. */
  readonly leftOut: readonly Remark[];
  /** Rows that come in otherwise than they are there. */
  readonly changed: readonly Remark[];
  /** What of files that come in does not, by file: the rest of each does. */
  readonly omitted: readonly Remark[];
  /** Tables and columns that nobody told us of, or that have no place here. */
  readonly notTaken: readonly string[];
}

/** Collects a reading. */
export interface Collector {
  readonly rows: ImportedRow[];
  remember(key: string, status: string, data: object): void;
  leaveOut(ref: string, what: string): void;
  change(ref: string, what: string): void;
  omit(ref: string, what: string): void;
  skip(what: string): void;
  /** @param found rows of what there are */
  done(reading: Pick<Reading, 'source' | 'digest' | 'format' | 'found'>): Reading;
}

export function collect(from: ImportSource): Collector {
  const rows: ImportedRow[] = [];
  const originals = new Map<string, { status: string; data: object }>();
  const leftOut: Remark[] = [];
  const changed: Remark[] = [];
  const omitted: Remark[] = [];
  const notTaken: string[] = [];
  return {
    rows,
    remember(key, status, data) {
      originals.set(key, { status, data });
    },
    leaveOut(ref, what) {
      leftOut.push({ ref, what });
    },
    change(ref, what) {
      changed.push({ ref, what });
    },
    omit(ref, what) {
      omitted.push({ ref, what });
    },
    skip(what) {
      notTaken.push(what);
    },
    done: (reading) => ({ ...reading, from, rows, originals, leftOut, changed, omitted, notTaken: notTaken.sort() }),
  };
}

export interface ReadOptions {
  /** Absolute. */
  readonly path: string;
  /** As the caller named it. */
  readonly source: string;
  /** Nothing of it is to be open here: all is history. */
  readonly asHistory: boolean;
  /** Drafts of a folder of documents too. */
  readonly drafts: boolean;
}

export interface Reader {
  readonly workspace: Workspace;
  readonly sqlite: Engine;
}

/** @throws AppError `bad_input` naming the file, for what cannot be read */
export function reading<T>(source: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error;
    throw new AppError('bad_input', `${source} ${error.message}. Nothing was imported.`, { cause: error });
  }
}

/** What a database of another program holds. */
interface Found {
  readonly format: string;
  readonly found: Reading['found'];
}

/** @throws AppError `bad_input` naming the file, for what cannot be read */
export function readingDatabase(
  { workspace, sqlite }: Reader,
  { path: file, source }: ReadOptions,
  program: ImportSource,
  read: (db: ForeignDatabase, into: Collector) => Found,
): Reading {
  return reading(source, () => {
    const db = openForeignDatabase(sqlite, workspace.options.fs, file);
    try {
      const into = collect(program);
      const found = read(db, into);
      return into.done({ source: named(source), digest: sha256(db.bytes), ...found });
    } finally {
      db.close();
    }
  });
}

export function skipColumns(into: Collector, name: string, table: ForeignTable, known: readonly string[]): void {
  for (const column of table.columns) if (!known.includes(column)) into.skip(`column ${name}.${column}`);
}

/** Control characters and broken Unicode become U+FFFD: what is imported is printed to terminals too. */
export function printable(raw: unknown): string {
  const text = typeof raw === 'string' ? raw : raw === null || raw === undefined ? '' : textOf(raw);
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/gu, '\uFFFD')
    .trim();
}

function textOf(raw: object | number | boolean | bigint | symbol | (() => void)): string {
  return typeof raw === 'object' ? (raw instanceof Uint8Array ? '(binary)' : JSON.stringify(raw)) : String(raw);
}

/** Null for what is empty. */
export function printableOrNull(raw: unknown): string | null {
  const text = printable(raw);
  return text === '' ? null : text;
}

/**
 * A time as programs write it (`2025-11-08 12:34:56`, ISO 8601 with or without a zone, seconds since 1970) as ours. Without
 * a zone it is UTC: so SQLite's CURRENT_TIMESTAMP means it. Null for anything else.
 */
export function instantOf(raw: unknown): string | null {
  if (typeof raw === 'number') return isoOf(raw < 1e11 ? raw * 1000 : raw);
  if (typeof raw !== 'string') return null;
  const match = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(raw.trim());
  if (!match) return null;
  const [, day = '', time = '00:00', fraction = '', zone = 'Z'] = match;
  return isoOf(Date.parse(`${day}T${time}${fraction.slice(0, 4)}${zone.toUpperCase()}`));
}

function isoOf(ms: number): string | null {
  const date = new Date(ms);
  return Number.isNaN(ms) || Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || ms < 0
    ? null
    : date.toISOString();
}

/** An agent's id as this workspace has them: `Alice` becomes `alice-001`. */
export function agentNamed(name: string): string {
  return agentId.safeParse(name).success ? name : `${agentType(name)}-001`;
}

/** A name in a column of its own. */
export function shortName(raw: string): string {
  return firstLine(raw, limits.id).trim() || 'unknown';
}

export function historyRow(
  key: string,
  row: Omit<ImportedHistory, 'row' | 'key' | 'data' | 'title'> & { readonly title: string; readonly data: object },
): ImportedHistory {
  const { title, status, agent, work, data, ...rest } = row;
  return {
    row: 'history',
    key,
    ...rest,
    title: firstLine(title.trim() || '(no text)', limits.title),
    status: shortName(status),
    agent: agent === null ? null : shortName(agent),
    work: work === null ? null : shortName(work),
    data: plainValue(data),
  };
}

/** As JSON has it: members without a value are left out. */
export function plainValue(value: object): ImportedHistory['data'] {
  return JSON.parse(JSON.stringify(value)) as ImportedHistory['data'];
}

/** What a row is known by: where it is from and what of it never changes. */
export function rowKey(from: ImportSource, ...parts: unknown[]): string {
  return hashOf(JSON.parse(JSON.stringify([from, ...parts])) as unknown);
}

export function named(source: string): string {
  return path.basename(source);
}
