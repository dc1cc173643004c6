/** Rows of imports: kept separately while a batch is open, and moved to their tables by the record that ends it. */
import { isCriticalWarning } from '../../core/memory/event.ts';
import { importedRow } from '../../core/records/import.ts';
import type { ImportedEvent, ImportedRow, ImportRecord } from '../../core/records/import.ts';
import type { RecordOf } from '../../core/records/records.ts';
import { firstLine } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/words.ts';
import type { Imported } from './importTables.ts';
import { putEvent } from './projectEvents.ts';
import type { Projecting, Projections } from './projection.ts';
import { put } from './put.ts';
import type { Database } from './sqlite.ts';

export const importProjections: Projections<ImportRecord['kind']> = {
  'import.begun': ({ db, effect: { time, actor } }, { batch, from, source, digest }) => {
    put(db, 'imports', ['batch'], {
      batch,
      source_kind: from,
      source,
      digest,
      begun_at: time,
      begun_by: actor.id,
      ended_at: null,
    });
  },
  'import.rows': ({ db }, { batch, rows }) => {
    const before = numberOf(db, 'SELECT coalesce(max(number), 0) FROM import_rows WHERE batch = ?', [batch]);
    for (const [index, row] of rows.entries())
      put(db, 'import_rows', ['batch', 'number'], { batch, number: before + index + 1, row: JSON.stringify(row) });
  },
  'import.abandoned': ({ db }, { batch }) => {
    db.run('DELETE FROM import_rows WHERE batch = ?', [batch]);
  },
  'import.ended': end,
};

/** The batch's other records follow it in the line, in the order of its rows. */
function end({ db, effect: { time }, following }: Projecting, record: RecordOf<'import.ended'>): void {
  const rows = db.rows
    .all(db.rows.query.selectFrom('import_rows').select('row').where('batch', '=', record.batch).orderBy('number'))
    .map(({ row }) => importedRow.parse(JSON.parse(row)));
  const base = Number(record.firstEvent.slice(2)) - 1;
  const events = rows.filter((row) => row.row === 'event');
  const idOf = (place: number | string) => (typeof place === 'number' ? `E-${String(base + place)}` : place);
  for (const [index, event] of events.entries())
    putEvent(db, {
      ...event,
      number: base + index + 1,
      author_kind: 'agent',
      posted_at: event.at,
      listed: event.closed === null && !isCriticalWarning(event),
      imported: true,
      mentioned_at: time,
    });
  // After all are inserted, because they refer to each other.
  for (const [index, event] of events.entries()) closeEvent(db, base + index + 1, event, idOf);
  const ids = following().flatMap(({ record: act }) => (firsts.has(act.kind) && 'id' in act ? [act.id] : []));
  let number = numberOf(db, 'SELECT coalesce(max(number), 0) FROM imported', []);
  let event = 0;
  let live = 0;
  for (const row of rows) {
    put(db, 'imported', ['number'], {
      ...columnsOf(row),
      number: ++number,
      batch: record.batch,
      became: becameOf(row),
    });
  }
  function becameOf(row: ImportedRow): string | null {
    if (row.row === 'history') return null;
    if (row.row === 'event') return idOf(++event);
    return row.row === 'again' ? row.question : (ids[live++] ?? null);
  }
  db.run('DELETE FROM import_rows WHERE batch = ?', [record.batch]);
  db.run('UPDATE imports SET ended_at = ? WHERE batch = ?', [time, record.batch]);
}

/** Record kinds that create an item: each live row of a batch has exactly one, unless the item exists already. */
const firsts: ReadonlySet<string> = new Set(['work.registered', 'question.raised', 'rfc.proposed']);

function columnsOf(row: ImportedRow): Omit<Imported, 'number' | 'batch' | 'became'> {
  const { key, ref, at: happened_at } = row;
  const common = { key, ref, happened_at, work: null, data: null, origin: null };
  switch (row.row) {
    case 'history':
      return {
        ...common,
        kind: row.of,
        title: row.title,
        status: row.status,
        agent: row.agent,
        work: row.work,
        data: JSON.stringify(row.data),
        origin: row.origin ? JSON.stringify(row.origin) : null,
      };
    case 'event':
      return {
        ...common,
        kind: 'event',
        title: firstLine(row.text),
        status: row.closed?.how ?? 'active',
        agent: row.author,
      };
    case 'again':
      return {
        ...common,
        kind: 'question',
        title: row.title,
        status: 'open',
        agent: row.by,
        data: JSON.stringify(row.data),
      };
    default: {
      const of = row.row === 'question' ? row.raised['text'] : row.row === 'work' ? row.registered['title'] : row.ref;
      const title = typeof of === 'string' ? firstLine(of, limits.title) : row.ref;
      return { ...common, kind: row.row, title, status: 'open', agent: row.by };
    }
  }
}

function closeEvent(
  db: Database,
  number: number,
  event: ImportedEvent,
  idOf: (place: number | string) => string,
): void {
  const id = `E-${String(number)}`;
  const relate = (from: string, to: string) => {
    put(db, 'event_relations', ['event_id', 'related_id'], { event_id: from, related_id: to });
  };
  for (const place of event.related) relate(id, idOf(place));
  const { closed } = event;
  if (closed) {
    const successor = closed.how === 'superseded' ? idOf(closed.successor) : null;
    db.run(
      'UPDATE events SET status = ?, resolved_reason = ?, superseded_by_event_id = ?, closed_at = ?, closed_by = ? WHERE number = ?',
      [closed.how, closed.reason ?? null, successor, closed.at, closed.by, number],
    );
    if (successor !== null) relate(successor, id);
  }
}

function numberOf(db: Database, sql: string, parameters: readonly string[]): number {
  return Number(db.value(sql, parameters) ?? 0);
}
