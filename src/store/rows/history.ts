/** Imported rows: they become items when their batch ends. */
import type { ImportedEvent, ImportedRow, ImportRecord } from '../../core/records/import.ts';
import type { RecordOf } from '../../core/records/records.ts';
import { firstLine } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/limits.ts';
import { closeEvent, newEvent } from './events.ts';
import type { ImportedItem } from './items.ts';
import type { Projecting, Projections } from './projection.ts';
import { recordsOf } from './read.ts';
import type { Database } from './sqlite.ts';

export const importProjections: Projections<ImportRecord['kind']> = {
  'import.abandoned': ({ db }, { batch }) => {
    dropRows(db, batch);
  },
  'import.ended': ended,
};

/** What an export has of batches that never ended. */
export function dropRows(db: Database, batch: string): void {
  db.run(`DELETE FROM records WHERE subject = ? AND kind = 'import.rows'`, batch);
}

/** The batch's other records follow it in the line, in the order of its rows. */
function ended({ db, items, effect: { time }, following }: Projecting, record: RecordOf<'import.ended'>): void {
  const { batch } = record;
  const rows = recordsOf(db.rows, batch, 'import.rows').flatMap((part) => part.record.rows);
  const base = Number(record.firstEvent.slice(2)) - 1;
  const idOf = (place: number | string) => (typeof place === 'number' ? `E-${String(base + place)}` : place);
  const events = rows.filter((row) => row.row === 'event');
  for (const [index, event] of events.entries())
    items.put('event', idOf(index + 1), {
      ...newEvent(base + index + 1),
      ...{ type: event.type, priority: event.priority, text: event.text, scopes: event.scopes, author: event.author },
      ...{ author_kind: 'agent', posted_at: event.at, imported: true, mentioned_at: time },
      related: event.related.map(idOf),
    });
  // After all are there, because they refer to each other.
  for (const [index, event] of events.entries()) close(event, idOf(index + 1));

  function close({ closed }: ImportedEvent, id: string): void {
    if (!closed) return;
    const by = closed.how === 'superseded' ? idOf(closed.successor) : null;
    const { how, reason = null, at } = closed;
    closeEvent(items, id, { how, reason, by, at, closedBy: closed.by });
  }

  const begun = recordsOf(db.rows, batch, 'import.begun')[0];
  if (!begun) return;
  const from = { from: begun.record.from, source: begun.record.source };
  const ids = following().flatMap(({ record: act }) => (firsts.has(act.kind) && 'id' in act ? [act.id] : []));
  let number =
    db.rows.all<{ last: number | null }>(`SELECT max(number) AS last FROM items WHERE kind = 'history'`)[0]?.last ?? 0;
  // Those of an earlier batch may not be written yet.
  while (items.get('history', `H-${String(number + 1)}`)) number++;
  let [event, live] = [0, 0];
  for (const row of rows) {
    const id = `H-${String(++number)}`;
    items.put('history', id, {
      ...{ id, ...from, ...itemOf(row), imported_at: time, imported_by: begun.actor, became: becameOf(row) },
      ...{ key: row.key, ref: row.ref, happened_at: row.at },
    });
  }
  function becameOf(row: ImportedRow): string | null {
    if (row.row === 'history') return null;
    if (row.row === 'event') return idOf(++event);
    return row.row === 'again' ? row.question : (ids[live++] ?? null);
  }
  dropRows(db, batch);
}

/** Record kinds that create an item: each live row of a batch has exactly one, unless the item exists already. */
const firsts: ReadonlySet<string> = new Set(['work.registered', 'question.raised', 'rfc.proposed']);

type Described = Pick<ImportedItem, 'kind' | 'title' | 'status' | 'agent' | 'work' | 'data'> &
  Partial<Pick<ImportedItem, 'from' | 'source'>>;

function itemOf(row: ImportedRow): Described {
  const common = { work: null, data: null };
  switch (row.row) {
    case 'history': {
      const { of: kind, title, status, agent, work, data, origin } = row;
      return { kind, title, status, agent, work, data, ...origin };
    }
    case 'event':
      return {
        ...{ ...common, kind: 'event', title: firstLine(row.text), agent: row.author },
        status: row.closed?.how ?? 'active',
      };
    case 'again':
      return { ...common, kind: 'question', title: row.title, status: 'open', agent: row.by, data: row.data };
    default: {
      const of = row.row === 'question' ? row.raised['text'] : row.row === 'work' ? row.registered['title'] : row.ref;
      const title = typeof of === 'string' ? firstLine(of, limits.title) : row.ref;
      return { ...common, kind: row.row, title, status: 'open', agent: row.by };
    }
  }
}
