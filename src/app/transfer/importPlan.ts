/** Plans an import: which rows are new, what they become, and what they would hold. */
import { rowProblem } from '../../core/fold/import.ts';
import type { ImportedRow, LiveRow } from '../../core/records/import.ts';
import { openAtMost } from '../../core/hold/crowd.ts';
import { openHolders } from '../../core/hold/holds.ts';
import { expiryOf, questionKey } from '../../core/question/question.ts';
import type { Question } from '../../core/state/state.ts';
import { limits } from '../../core/kit/words.ts';
import type { Rows } from '../../store/rows/sqlite.ts';
import type { View } from '../../store/store.ts';
import { fittedLine, historyRow, plainValue } from './importReading.ts';
import type { Reading, Remark } from './importReading.ts';

export interface WouldHold {
  readonly ref: string;
  readonly kind: 'question' | 'rfc';
  readonly title: string;
  /** Ids of work items; empty for a question that holds only its asker. */
  readonly work: readonly string[];
  readonly holds: readonly string[];
  readonly agent: string;
}

export interface Plan extends Reading {
  /** New rows, ready to be written. */
  readonly rows: readonly ImportedRow[];
  /** Number of rows that were imported before, or are duplicates. */
  readonly already: number;
  readonly wouldHold: readonly WouldHold[];
  /** Agents that would exceed the limit of items waiting for humans: they are held, whatever they work on. */
  readonly crowds: readonly { readonly agent: string; readonly waiting: number }[];
}

type OpenQuestion = Extract<LiveRow, { row: 'question' }>;

/** Maximum size of a row, so that it fits into a journal line. Characters. */
const largestRow = 600_000;

export function planImport(view: View, reading: Reading): Plan {
  const known = knownRows(
    view.rows,
    reading.rows.map(({ key }) => key),
  );
  const leftOut = [...reading.leftOut];
  const changed = [...reading.changed];
  const rows: ImportedRow[] = [];
  /** For each event read, its position in the batch or its id here. */
  const places: (number | string | null)[] = [];
  const placeByKey = new Map<string, number>();
  const seen = new Set<string>();
  const asked = new Map<string, number>();
  let already = 0;
  let events = 0;
  for (const row of reading.rows) {
    const became = known.get(row.key);
    if (became !== undefined || seen.has(row.key)) {
      already++;
      if (row.row === 'event') places.push(placeByKey.get(row.key) ?? became ?? null);
      continue;
    }
    seen.add(row.key);
    if (row.row === 'work' && view.state.work.has(textIn(row.registered['id']))) {
      already++;
      continue;
    }
    if (JSON.stringify(row).length > largestRow) {
      leftOut.push({ ref: row.ref, what: 'is larger than what one act can save (1 MiB)' });
      if (row.row === 'event') places.push(null);
      continue;
    }
    const why = row.row === 'work' || row.row === 'question' ? null : rowProblem(row);
    if (why !== null) {
      leftOut.push({ ref: row.ref, what: `cannot be imported: ${why}` });
      if (row.row === 'event') places.push(null);
      continue;
    }
    if (row.row === 'event') {
      places.push(++events);
      placeByKey.set(row.key, events);
      rows.push(row);
    } else if (row.row === 'question') takeQuestion(row);
    else rows.push(row);
  }
  /** Skips a question that is already open here with the same words on the same work. */
  function takeQuestion(row: OpenQuestion): void {
    const { text, work } = row.raised;
    const key = questionKey(row.by, typeof work === 'string' ? work : null, textIn(text));
    const same = view.state.pendingKeys.get(key);
    const twin = rows[asked.get(key) ?? -1];
    if (same === undefined && twin === undefined) {
      asked.set(key, rows.length);
      rows.push({ ...row, raised: { ...row.raised, expiresAt: endOf(view, row, changed) } });
      return;
    }
    const here = view.state.questions.get(same ?? '');
    const stricter = here && isSync(row) ? moreThan(here, row) : null;
    if (here && stricter) {
      changed.push({ ref: row.ref, what: `asks the same as ${here.id}, which is open: ${here.id} holds what it held` });
      sayUnheld(here, row);
      rows.push(stricter);
      return;
    }
    if (here) sayUnheld(here, row);
    const other = same ?? twin?.ref ?? '';
    changed.push({ ref: row.ref, what: `asks the same as ${other}, which is open: it is imported as history` });
    if (twin?.row === 'question') rows[asked.get(key) ?? -1] = merged(twin, row);
    rows.push(asHistory(reading, row));
  }

  /** Reports items that the open question cannot be extended to hold. */
  function sayUnheld(here: Question, row: OpenQuestion): void {
    const unheld = isSync(row) ? textsIn(row.raised['alsoWork']).filter((id) => !here.alsoWork.includes(id)) : [];
    const lost = unheld.filter((id) => id !== here.work);
    if (lost.length > 0) changed.push({ ref: row.ref, what: `held ${lost.join(', ')} too: ${here.id} does not` });
  }

  /** Holds that the open question here lacks; null if it has them all. */
  function moreThan(here: Question, row: OpenQuestion): ImportedRow | null {
    const critical = row.raised['urgency'] === 'critical' && here.urgency !== 'critical';
    const known = [...here.holds, ...here.addedHolds];
    const added = heldBeside(here.holds, row).filter((glob) => !known.includes(glob));
    if (here.mode === 'sync' && !critical && added.length === 0) return null;
    const { key, ref, at, by, raised } = row;
    const data = reading.originals.get(key)?.data ?? raised;
    const title = fittedLine(textIn(raised['text']), limits.title);
    return { row: 'again', key, ref, at, by, added, question: here.id, critical, title, data: plainValue(data) };
  }

  /** Merges two questions with the same words, keeping the holds of both. */
  function merged(first: OpenQuestion, twin: OpenQuestion): OpenQuestion {
    const mode = isSync(twin) ? 'sync' : first.raised['mode'];
    const urgency = twin.raised['urgency'] === 'critical' ? 'critical' : first.raised['urgency'];
    const added = [...new Set([...first.added, ...heldBeside(textsIn(first.raised['holds']), twin)])];
    const also = [...new Set([...textsIn(first.raised['alsoWork']), ...textsIn(twin.raised['alsoWork'])])];
    const more = also.length === 0 ? {} : { alsoWork: also };
    const said = { ...more, ...(mode === undefined ? {} : { mode }), ...(urgency === undefined ? {} : { urgency }) };
    return { ...first, added, raised: { ...first.raised, ...said } };
  }

  /** Additional globs of a question: its own or else those of its work, which the other one may override. */
  function heldBeside(others: readonly string[], { raised, added }: OpenQuestion): string[] {
    const own = textsIn(raised['holds']);
    const work = textIn(raised['work']);
    const ofWork = () => {
      const row = rows.find((one) => one.row === 'work' && one.registered['id'] === work);
      return row?.row === 'work' ? textsIn(row.registered['holds']) : (view.state.work.get(work)?.holds ?? []);
    };
    return [...new Set([...(own.length === 0 && others.length > 0 ? ofWork() : own), ...added])];
  }

  return {
    ...reading,
    leftOut,
    changed,
    rows: rows.map((row) => withPlaces(row, places)),
    already,
    wouldHold: rows.flatMap((row) => holdOf(view, row)),
    crowds: crowdsOf(view, rows),
  };
}

function isSync({ raised }: OpenQuestion): boolean {
  return raised['mode'] === 'sync';
}

/** All are imported, because omitting some would release what they hold; the gate then holds the agent itself. */
function crowdsOf(view: View, rows: readonly ImportedRow[]): Plan['crowds'] {
  const waiting = new Map<string, number>();
  const count = (agent: string) => waiting.set(agent, (waiting.get(agent) ?? 0) + 1);
  for (const row of rows)
    if (row.row === 'rfc' || (row.row === 'question' && isSync(row)) || upgrades(view, row)) count(row.by);
  if (waiting.size > 0) for (const { asker } of openHolders(view.state)) if (waiting.has(asker.id)) count(asker.id);
  return [...waiting].flatMap(([agent, many]) => (many < openAtMost.holders ? [] : [{ agent, waiting: many }]));
}

function upgrades(view: View, row: ImportedRow): row is Extract<LiveRow, { row: 'again' }> {
  return row.row === 'again' && view.state.questions.get(row.question)?.mode === 'async';
}

function asHistory(reading: Reading, row: OpenQuestion): ImportedRow {
  const { key, ref, at, by: agent, raised } = row;
  const { status, data } = reading.originals.get(key) ?? { status: 'pending', data: raised };
  const work = typeof raised['work'] === 'string' ? raised['work'] : null;
  return historyRow(key, { ref, at, of: 'question', title: textIn(raised['text']), status, agent, work, data });
}

/** An imported question gets the same lifetime as a new one, unless it states its expiry. */
function endOf(view: View, { ref, raised }: OpenQuestion, changed: Remark[]): string {
  const said = raised['expiresAt'];
  const expiry = expiryOf(view.state, view.now);
  if (typeof said !== 'string') return expiry;
  if (said > view.now) return said;
  changed.push({ ref, what: `has expired: it is asked again, until ${expiry}` });
  return expiry;
}

function withPlaces(row: ImportedRow, places: readonly (number | string | null)[]): ImportedRow {
  if (row.row !== 'event') return row;
  const placeOf = (place: number | string) => (typeof place === 'number' ? (places[place - 1] ?? null) : place);
  const related = row.related.flatMap((place) => placeOf(place) ?? []);
  const { closed } = row;
  if (closed?.how !== 'superseded') return { ...row, related };
  const successor = placeOf(closed.successor);
  const { at, by, reason = 'Superseded by an event that was not imported.' } = closed;
  return {
    ...row,
    related,
    closed: successor === null ? { how: 'resolved', at, by, reason } : { ...closed, successor },
  };
}

function holdOf(view: View, row: ImportedRow): WouldHold[] {
  if (row.row === 'again') {
    const work = view.state.questions.get(row.question)?.work ?? null;
    return [
      {
        ref: row.ref,
        kind: 'question',
        title: row.title,
        work: work === null ? [] : [work],
        holds: row.added,
        agent: row.by,
      },
    ];
  }
  if (row.row === 'question' && isSync(row)) {
    const { text, work, alsoWork, holds } = row.raised;
    return [
      {
        ref: row.ref,
        kind: 'question',
        title: textIn(text),
        work: [...(typeof work === 'string' ? [work] : []), ...textsIn(alsoWork)],
        holds: [...textsIn(holds), ...row.added],
        agent: row.by,
      },
    ];
  }
  if (row.row !== 'rfc') return [];
  const { document, workflows, tasks, holds } = row.proposed;
  const work = [...textsIn(workflows), ...textsIn(tasks)];
  const title =
    typeof document === 'object' && document !== null && 'title' in document
      ? textIn((document as { title: unknown }).title)
      : row.ref;
  return work.length + textsIn(holds).length + row.added.length === 0
    ? []
    : [{ ref: row.ref, kind: 'rfc', title, work, holds: [...textsIn(holds), ...row.added], agent: row.by }];
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Keys of rows imported before, with their ids here; null for history. */
export function knownRows(rows: Rows, keys: readonly string[]): Map<string, string | null> {
  const known = new Map<string, string | null>();
  for (let from = 0; from < keys.length; from += 500)
    for (const { key, became } of rows.all(
      rows.query
        .selectFrom('imported')
        .select(['key', 'became'])
        .where('key', 'in', keys.slice(from, from + 500)),
    ))
      known.set(key, became);
  return known;
}
