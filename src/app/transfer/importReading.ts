/** Shared by all importers: rows, remarks, and sanitising of values. */
import path from 'node:path';
import type { ImportedHistory, ImportedRow, ImportSource } from '../../core/records/import.ts';
import { firstLine, isNumberedAgent } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/limits.ts';
import { shortenText } from '../../core/rfc/document.ts';
import {
  type Engine,
  type ForeignDatabase,
  ForeignFileError,
  type ForeignTable,
  openForeignDatabase,
} from '../../store/rows/sqlite.ts';
import { hashOf, sha256 } from '../../trust/canonical.ts';
import { agentType } from '../workspace/agents.ts';
import { AppError } from '../workspace/errors.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface Remark {
  readonly ref: string;
  readonly what: string;
}

/** Kinds of rows in sources, in words. */
export const foundWords = {
  blockers: ['blocker'],
  tasks: ['task'],
  files: ['file'],
  documents: ['document'],
  decisions: ['decision'],
  events: ['event'],
  work: ['work item'],
  questions: ['question'],
  rfcs: ['RFC'],
  requests: ['request'],
  responsibilities: ['responsibility', 'responsibilities'],
  history: ['row of history', 'rows of history'],
} satisfies Readonly<Record<string, readonly [string, string?]>>;
export type FoundKind = keyof typeof foundWords;

/** The contents of a source, before comparing it with this workspace. */
export interface Reading {
  readonly from: ImportSource;
  /** File or folder, as the user named it. */
  readonly source: string;
  /** Hash of the input. */
  readonly digest: string;
  /** For example `CodeFrame, legacy schema`. */
  readonly format: string;
  /** Number of rows of each kind in the source. */
  readonly found: Readonly<Partial<Record<FoundKind, number>>>;
  readonly rows: readonly ImportedRow[];
  /** Open questions as the source has them, by key: one that asks the same as another becomes history here. */
  readonly originals: ReadonlyMap<string, { readonly status: string; readonly data: object }>;
  /** Rows that are not imported, and why. */
  readonly leftOut: readonly Remark[];
  readonly changed: readonly Remark[];
  /** Unknown tables and columns, and those without an equivalent here. */
  readonly notTaken: readonly string[];
}

export interface Collector extends ReturnType<typeof collect> {}

export function collect(from: ImportSource) {
  const rows: ImportedRow[] = [];
  const originals = new Map<string, { status: string; data: object }>();
  const leftOut: Remark[] = [];
  const changed: Remark[] = [];
  const notTaken: string[] = [];
  return {
    ...{ rows, originals },
    leaveOut(ref: string, what: string) {
      leftOut.push({ ref, what });
    },
    change(ref: string, what: string) {
      changed.push({ ref, what });
    },
    skip(what: string) {
      notTaken.push(what);
    },
    /** @param found number of rows of each kind */
    done(reading: Pick<Reading, 'source' | 'digest' | 'format' | 'found'>): Reading {
      return { ...reading, from, rows, originals, leftOut, changed, notTaken: notTaken.sort() };
    },
  };
}

export interface ReadOptions {
  /** Absolute. */
  readonly path: string;
  readonly source: string;
  /** Include drafts of a folder of documents. */
  readonly drafts: boolean;
}

export interface Reader {
  readonly workspace: Workspace;
  readonly sqlite: Engine;
}

/** @throws AppError `bad_input` naming the file, if it cannot be read */
export function reading<T>(source: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error;
    throw new AppError('bad_input', `${source} ${error.message}. Nothing was imported.`, { cause: error });
  }
}

/** @throws AppError `bad_input` naming the file, for what cannot be read */
export function readingDatabase(
  { workspace, sqlite }: Reader,
  { path: file, source }: ReadOptions,
  program: ImportSource,
  read: (db: ForeignDatabase, into: Collector) => Pick<Reading, 'format' | 'found'>,
): Reading {
  return reading(source, () => {
    const db = openForeignDatabase(sqlite, workspace.options.fs, file);
    try {
      const into = collect(program);
      const found = read(db, into);
      return into.done({ source: path.basename(source), digest: sha256(db.bytes), ...found });
    } finally {
      db.close();
    }
  });
}

export function skipColumns(into: Collector, name: string, table: ForeignTable, known: readonly string[]): void {
  for (const column of table.columns) if (!known.includes(column)) into.skip(`column ${name}.${column}`);
}

/** Replaces control characters and broken Unicode by U+FFFD, because imports are also printed to terminals. */
export function printableText(raw: unknown): string {
  const text = typeof raw === 'string' ? raw : raw === null || raw === undefined ? '' : textOf(raw);
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/gu, '\uFFFD')
    .trim();
}

function textOf(raw: object | number | boolean | bigint | symbol | (() => void)): string {
  return typeof raw === 'object' ? (raw instanceof Uint8Array ? '(binary)' : JSON.stringify(raw)) : String(raw);
}

/** Null for empty values. */
export function printableOrNull(raw: unknown): string | null {
  const text = printableText(raw);
  return text === '' ? null : text;
}

/**
 * Parses common time formats (`2025-11-08 12:34:56`, ISO 8601 with or without a zone, seconds since 1970). Without a
 * zone the time is UTC, like SQLite's CURRENT_TIMESTAMP. Null for anything else.
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

/** A valid agent id for a name: `Alice` becomes `alice-001`. */
export function agentNamed(name: string): string {
  return isNumberedAgent(name) ? name : `${agentType(name)}-001`;
}

/** The first line, cut to `max` UTF-16 units as text fields count them; never within a character. */
export function fittedLine(text: string, max: number): string {
  return shortenText(firstLine(text, Infinity), max);
}

/** A name that fits its column. */
export function shortName(raw: string): string {
  return fittedLine(raw, limits.id).trim() || 'unknown';
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
    title: fittedLine(title.trim() || '(no text)', limits.title),
    status: shortName(status),
    agent: agent === null ? null : shortName(agent),
    work: work === null ? null : shortName(work),
    data: plainValue(data),
  };
}

/** As in JSON: without undefined members. */
export function plainValue(value: object): ImportedHistory['data'] {
  return JSON.parse(JSON.stringify(value)) as ImportedHistory['data'];
}

/** Identifies a row by its source and its immutable parts. */
export function rowKey(from: ImportSource, ...parts: unknown[]): string {
  return hashOf(JSON.parse(JSON.stringify([from, ...parts])) as unknown);
}
