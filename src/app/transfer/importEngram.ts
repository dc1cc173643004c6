/** Imports Engram's events, from schema v1 (no relations) to v4 (status, priority, reasons, successors). */
import path from 'node:path';
import type { ImportedEvent } from '../../core/records/import.ts';
import { cleanPath, PathError } from '../../core/kit/paths.ts';
import { eventPriority, eventType } from '../../core/kit/words.ts';
import { limits } from '../../core/kit/limits.ts';
import { shortenText } from '../../core/rfc/document.ts';
import type {
  ForeignDatabase,
  ForeignRow as Row,
  ForeignTable,
  ForeignValue as SqlValue,
} from '../../store/rows/sqlite.ts';
import { AppError } from '../workspace/errors.ts';
import {
  historyRow,
  instantOf,
  printableText,
  printableOrNull,
  readingDatabase,
  rowKey,
  shortName,
  skipColumns,
  type Collector,
  type Reader,
  type Reading,
  type ReadOptions,
} from './importReading.ts';
import type { Workspace } from '../workspace/workspace.ts';

const columns = [
  'id',
  'timestamp',
  'event_type',
  'agent_id',
  'content',
  'scope',
  'related_ids',
  'status',
  'priority',
  'resolved_reason',
  'superseded_by_event_id',
];

/** @throws AppError `bad_input` for a file that is not Engram's, or cannot be read */
export function readEngram(reader: Reader, options: ReadOptions): Reading {
  const { source } = options;
  return readingDatabase(reader, options, 'engram', (db, into) => {
    const events = db.table('events');
    const missing = ['id', 'timestamp', 'event_type', 'content'].filter((name) => !events?.columns.includes(name));
    if (!events || missing.length > 0)
      throw new AppError(
        'bad_input',
        `${source} is not an Engram database: ${events ? `its table "events" has no ${missing.join(', ')}` : `it has no table "events" (but ${db.tables.slice(0, 10).join(', ') || 'none at all'})`}. Nothing was imported.`,
      );
    for (const table of db.tables)
      if (table !== 'events' && table !== 'meta' && !table.startsWith('events_fts')) into.skip(`table ${table}`);
    skipColumns(into, 'events', events, columns);
    readEvents(into, reader.workspace, events);
    return { format: `Engram, schema v${versionOf(db, events)}`, found: { events: events.rows.length } };
  });
}

/** The stated version, or else the one inferred from the columns. */
function versionOf(db: ForeignDatabase, { columns: there }: ForeignTable): string {
  const said = db.tables.includes('meta')
    ? db.table('meta')?.rows.find(({ key }) => key === 'schema_version')?.['value']
    : undefined;
  if (said !== undefined && /^\d{1,3}$/.test(printableText(said))) return printableText(said);
  return there.includes('status') || there.includes('priority') ? '4' : there.includes('related_ids') ? '2' : '1';
}

interface ReadEvent {
  readonly row: Row;
  readonly id: string;
  readonly event: ImportedEvent;
}

function readEvents(into: Collector, workspace: Workspace, { rows }: ForeignTable): void {
  const events: ReadEvent[] = [];
  // In the order of posting, because a greater number means a newer event.
  const sorted = rows
    .map((row) => ({ row, at: instantOf(row['timestamp']) ?? '' }))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  for (const { row } of sorted) {
    const event = readEvent(into, workspace, row);
    if (event) events.push({ row, id: printableText(row['id']), event });
  }
  const places = new Map(events.map(({ id }, index) => [id, index + 1]));
  const times = new Map(events.map(({ id, event }) => [id, event.at]));
  const loops = inLoops(new Map(events.map(({ row, id }) => [id, printableText(row['superseded_by_event_id'])])));
  for (const one of events) {
    const successors = { places: loops.has(one.id) ? null : places, times };
    const closed = closedOf(into, one, successors);
    into.rows.push({ ...one.event, related: relatedOf(into, one, places), closed });
  }
}

function readEvent(into: Collector, workspace: Workspace, row: Row): ImportedEvent | null {
  const ref = printableText(row['id']) || '(no id)';
  const text = printableText(row['content']);
  const type = eventType.safeParse(printableText(row['event_type']).toLowerCase());
  const at = instantOf(row['timestamp']);
  if (at === null) into.change(ref, 'has no readable time: it counts as posted now');
  const author = shortName(printableOrNull(row['agent_id']) ?? 'unknown-agent');
  const key = rowKey('engram', row['id'], row['event_type'], row['content'], row['timestamp']);
  const why =
    text === ''
      ? 'has no text'
      : text.length > limits.otherText
        ? `has ${String(text.length)} characters, an event at most ${String(limits.otherText)}`
        : type.success
          ? null
          : `is of an unknown type ("${printableText(row['event_type']).slice(0, 40)}")`;
  if (why !== null) {
    into.leaveOut(ref, `${why}: it is imported as history and appears in no briefing`);
    const said = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, printableOrNull(value)]));
    into.rows.push(
      historyRow(key, {
        ref,
        at: at ?? workspace.now(),
        of: 'event',
        title: text,
        status: printableOrNull(row['status']) ?? 'active',
        agent: author,
        work: null,
        data: said,
      }),
    );
    return null;
  }
  const priority = eventPriority.safeParse(printableOrNull(row['priority'])?.toLowerCase() ?? 'normal');
  if (!priority.success)
    into.change(ref, `priority "${printableText(row['priority']).slice(0, 40)}" is unknown: normal`);
  return {
    row: 'event',
    key,
    ref,
    at: at ?? workspace.now(),
    type: type.data ?? 'discovery',
    text,
    priority: priority.data ?? 'normal',
    scopes: scopesOf(into, workspace, ref, row['scope']),
    related: [],
    author,
    closed: null,
  };
}

/** A JSON list, or a single plain path. */
function listOf(raw: SqlValue | undefined): string[] {
  const text = printableText(raw);
  if (text === '') return [];
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed.map((one) => printableText(one)).filter((one) => one !== '');
    return [printableText(parsed)];
  } catch {
    return [text];
  }
}

function scopesOf(into: Collector, workspace: Workspace, ref: string, raw: SqlValue | undefined): string[] {
  const { root } = workspace.location;
  const scopes: string[] = [];
  for (const scope of listOf(raw))
    try {
      const inside = path.isAbsolute(scope) ? path.relative(root, scope).split(path.sep).join('/') || '.' : scope;
      scopes.push(cleanPath(inside));
    } catch (error) {
      if (!(error instanceof PathError)) throw error;
      into.change(ref, `scope "${scope.slice(0, 100)}" ${error.message}: left out`);
    }
  const distinct = [...new Set(scopes)];
  if (distinct.length > limits.listItems) into.change(ref, `only the first ${String(limits.listItems)} scopes`);
  return distinct.slice(0, limits.listItems);
}

function relatedOf(
  into: Collector,
  { row, id, event: { ref } }: ReadEvent,
  places: ReadonlyMap<string, number>,
): ImportedEvent['related'] {
  const related: number[] = [];
  for (const other of new Set(listOf(row['related_ids']))) {
    const place = places.get(other);
    if (other === id) continue;
    if (place === undefined) into.change(ref, `is related to ${other.slice(0, 60)}, which is not imported`);
    else related.push(place);
  }
  if (related.length > limits.listItems) into.change(ref, `only the first ${String(limits.listItems)} relations`);
  return related.slice(0, limits.listItems);
}

interface Successors {
  /** Null: the event would be superseded by itself. */
  readonly places: ReadonlyMap<string, number> | null;
  readonly times: ReadonlyMap<string, string>;
}

/**
 * v4 has no closing time; uses that of the successor, or else of the event itself, so that nothing looks recently
 * resolved.
 */
function closedOf(into: Collector, { row, event }: ReadEvent, { places, times }: Successors): ImportedEvent['closed'] {
  const status = printableText(row['status']).toLowerCase();
  const said = printableOrNull(row['resolved_reason']);
  const reason = said === null ? undefined : shortenText(said, limits.otherText);
  const by = event.author;
  if (status === 'superseded') {
    const other = printableText(row['superseded_by_event_id']);
    const successor = places?.get(other);
    if (successor !== undefined) {
      const why = reason === undefined ? {} : { reason };
      return { how: 'superseded', successor, at: times.get(other) ?? event.at, by, ...why };
    }
    const what =
      other === ''
        ? 'nothing that is named'
        : `${other.slice(0, 60)}, which ${places ? 'is not imported' : 'leads back to it'}`;
    into.change(event.ref, `was superseded by ${what}: it counts as resolved`);
    return { how: 'resolved', reason: reason ?? 'Superseded in Engram.', at: event.at, by };
  }
  if (status === 'resolved')
    return { how: 'resolved', reason: reason ?? 'Resolved in Engram, without a reason.', at: event.at, by };
  if (status !== '' && status !== 'active')
    into.change(event.ref, `status "${status.slice(0, 40)}" is unknown: it counts as active`);
  return null;
}

/** Events whose chains of successors form a cycle. */
function inLoops(successors: ReadonlyMap<string, string>): Set<string> {
  const loops = new Set<string>();
  const seen = new Set<string>();
  for (const start of successors.keys()) {
    const path: string[] = [];
    let id: string | undefined = start;
    while (id !== undefined && successors.has(id) && !seen.has(id)) {
      seen.add(id);
      path.push(id);
      id = successors.get(id);
    }
    const from = id === undefined ? -1 : path.indexOf(id);
    if (from >= 0) for (const one of path.slice(from)) loops.add(one);
  }
  return loops;
}
