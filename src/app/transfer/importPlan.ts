/**
 * Plans an import: which rows are new, what they become, and what they would hold. The record of an earlier
 * import is not enough, because agents can import files that they wrote. An open item counts as imported only if it exists
 * here and holds what the source says.
 */
import { rowProblem } from '../../core/fold/import.ts';
import { namedScopes } from '../../core/hold/holds.ts';
import { limits } from '../../core/kit/limits.ts';
import { urgency } from '../../core/kit/words.ts';
import { never, expiryOf, questionKey } from '../../core/question/question.ts';
import type { ImportedRow, LiveRow } from '../../core/records/import.ts';
import { isHoldingRfc } from '../../core/rfc/rfc.ts';
import type { Question } from '../../core/state/state.ts';
import { itemOf } from '../../store/rows/read.ts';
import type { Rows } from '../../store/rows/sqlite.ts';
import type { View } from '../../store/store.ts';
import { AppError } from '../workspace/errors.ts';
import { fittedLine, historyRow, type Reading, type Remark } from './importReading.ts';

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
  /** Their keys, without those of rows that were imported before and are imported again. */
  readonly fresh: readonly string[];
  /** Number of rows that are here. */
  readonly already: number;
  readonly wouldHold: readonly WouldHold[];
}

/** Maximum size of a row, so that it fits into a journal line. Bytes. */
const largestRow = 1_000_000;

/** @throws AppError `bad_input` naming a question or work item that is invalid: without it, what it holds would go on */
export function planImport(view: View, reading: Reading): Plan {
  const keys = reading.rows.map(({ key }) => key);
  const known = knownRows(view.rows, keys);
  const leftOut = [...reading.leftOut];
  const changed = [...reading.changed];
  const rows: ImportedRow[] = [];
  const filesOf = filesOfWork(view, reading.rows);
  const takeQuestion = questionPlanner({ view, reading, filesOf, rows, changed });
  /** For each event read, its position in the batch or its id here. */
  const places: (number | string | null)[] = [];
  const placeByKey = new Map<string, number>();
  const seen = new Set<string>();
  let already = 0;
  for (const given of reading.rows) {
    const became = known.get(given.key);
    const row = withFilesOfWork(given, filesOf);
    const isHere = seen.has(row.key) || isKnown(view, row, became);
    seen.add(row.key);
    const why = isHere ? null : whyNot(row);
    if (why !== null) {
      if (row.row === 'question' || row.row === 'work')
        throw new AppError('bad_input', `${reading.source}: ${row.ref} ${why}. Nothing was imported.`);
      leftOut.push({ ref: row.ref, what: why });
    } else if (isHere || (row.row === 'question' && !takeQuestion(row))) already++;
    else if (row.row === 'event') placeByKey.set(row.key, placeByKey.size + 1);
    if (row.row === 'event') places.push(placeByKey.get(row.key) ?? became ?? null);
    if (why === null && !isHere && row.row !== 'question') rows.push(row);
  }
  return {
    ...reading,
    leftOut,
    changed,
    rows: rows.map((row) => withPlaces(row, places)),
    fresh: rows.flatMap(({ key }) => (known.has(key) ? [] : [key])),
    already,
    wouldHold: rows.flatMap((row) => holdOf(view, row)),
  };
}

/** Keys of rows imported before, with their ids here; null for those that are only history. */
export function knownRows(rows: Rows, keys: readonly string[]): Map<string, string | null> {
  const wanted = new Set(keys);
  const known = new Map<string, string | null>();
  const all = rows.all<{ key: string; became: string | null }>(
    `SELECT json ->> '$.key' AS key, json ->> '$.became' AS became FROM items WHERE kind = 'history' ORDER BY number`,
  );
  for (const { key, became } of all) if (wanted.has(key)) known.set(key, became ?? known.get(key) ?? null);
  return known;
}

/** Whether a row exists here. Decided items count as they are; an open one must hold what the source says. */
function isKnown({ state, rows }: View, row: ImportedRow, became: string | null | undefined): boolean {
  if (row.row === 'work') return state.work.has(textIn(row.registered['id']));
  if (row.row === 'history') return became !== undefined;
  if (typeof became !== 'string') return false;
  if (row.row === 'rfc') {
    const rfc = state.rfcs.get(became);
    if (!rfc || !isHoldingRfc(rfc)) return true;
    const held = [...rfc.workflows, ...rfc.tasks, ...namedScopes(state, rfc)];
    return [...workOf(row), ...textsIn(row.proposed['holds']), ...row.added].every((one) => held.includes(one));
  }
  if (row.row !== 'question') return true;
  const question = state.questions.get(became);
  // An open one is compared when the row is taken.
  if (!question || question.status === 'pending') return false;
  const text = itemOf(rows, 'question', became)?.raised.text ?? '';
  const isSame = questionKey(question.asker.id, question.work, text) === keyOf(row);
  // Only its agent withdraws one: that is not a decision.
  return isSame && !(question.resolution?.how === 'withdrawn' && isSync(row));
}

/** Why a row cannot be imported, to follow its name; null when it can. */
function whyNot(row: ImportedRow): string | null {
  if (Buffer.byteLength(JSON.stringify(row)) > largestRow) return 'is larger than one record can be (1 MiB)';
  // The expiry of a question is set when it is taken.
  const whole = row.row === 'question' ? { ...row, raised: { expiresAt: never, ...row.raised } } : row;
  const why = rowProblem(whole);
  return why === null ? null : `cannot be imported: ${why}`;
}

type FilesOf = (id: string) => { readonly there: readonly string[]; readonly here: readonly string[] | undefined };

/** The files of a work item in the source, and here if it is registered. */
function filesOfWork({ state }: View, rows: readonly ImportedRow[]): FilesOf {
  const files = new Map(
    rows.flatMap((row) =>
      row.row === 'work' ? [[textIn(row.registered['id']), textsIn(row.registered['holds'])] as const] : [],
    ),
  );
  return (id) => ({ there: files.get(id) ?? [], here: state.work.get(id)?.holds });
}

type OpenQuestion = Extract<LiveRow, { row: 'question' }>;
type OpenItem = OpenQuestion | Extract<LiveRow, { row: 'rfc' }>;

function workOf(row: OpenItem): string[] {
  const { work, alsoWork, workflows, tasks } = row.row === 'question' ? row.raised : row.proposed;
  return [...(typeof work === 'string' ? [work] : []), ...[alsoWork, workflows, tasks].flatMap(textsIn)];
}

/** Gives an open item without files the files of its work, where the work exists here without them. */
function withFilesOfWork(row: ImportedRow, filesOf: FilesOf): ImportedRow {
  if (row.row !== 'question' && row.row !== 'rfc') return row;
  if (textsIn((row.row === 'question' ? row.raised : row.proposed)['holds']).length > 0) return row;
  const lacking = workOf(row).flatMap((id) => {
    const { there, here } = filesOf(id);
    return here ? there.filter((glob) => !here.includes(glob)) : [];
  });
  return lacking.length === 0 ? row : { ...row, added: [...new Set([...row.added, ...lacking])] };
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

function holdOf({ state }: View, row: ImportedRow): WouldHold[] {
  if (row.row !== 'again' && row.row !== 'question' && row.row !== 'rfc') return [];
  const { ref, added, by: agent } = row;
  const common = { ref, kind: row.row === 'rfc' ? 'rfc' : 'question', agent } as const;
  if (row.row === 'again') {
    const work = state.questions.get(row.question)?.work ?? null;
    return [{ ...common, title: row.title, work: work === null ? [] : [work], holds: added }];
  }
  const work = workOf(row);
  if (row.row === 'question') {
    const { text, holds } = row.raised;
    return isSync(row) ? [{ ...common, title: textIn(text), work, holds: [...textsIn(holds), ...added] }] : [];
  }
  const { document } = row.proposed;
  const title = typeof document === 'object' && document !== null && 'title' in document ? document['title'] : row.ref;
  const holds = [...textsIn(row.proposed['holds']), ...added];
  return work.length + holds.length === 0 ? [] : [{ ...common, title: textIn(title), work, holds }];
}

// Plans the questions of an import: each is asked once here, and holds at least what it holds in its source.

interface Planning {
  readonly view: View;
  readonly reading: Reading;
  readonly filesOf: FilesOf;
  /** Filled as rows are taken. */
  readonly rows: ImportedRow[];
  readonly changed: Remark[];
}

/** Takes one question after the other. Returns false if it is here already and holds no less. */
function questionPlanner(planning: Planning): (row: OpenQuestion) => boolean {
  const { view, reading, rows, changed } = planning;
  /** Places in `rows` by agent, work and words. */
  const asked = new Map<string, number>();
  return (row) => {
    const key = keyOf(row);
    const here = view.state.questions.get(view.state.pendingKeys.get(key) ?? '');
    if (here) return isSync(row) && takeAgain(here, row, planning);
    const place = asked.get(key) ?? rows.length;
    const twin = rows[place];
    if (twin?.row === 'question') {
      changed.push({ ref: row.ref, what: `asks the same as ${twin.ref}: ${twin.ref} holds what both held` });
      rows[place] = mergeTwins(twin, row, planning);
      rows.push(asHistory(reading, row));
      return true;
    }
    asked.set(key, place);
    rows.push({ ...row, raised: { ...row.raised, expiresAt: endOf(view, row, changed) } });
    return true;
  };
}

function keyOf({ by, raised: { work, text } }: OpenQuestion): string {
  return questionKey(by, typeof work === 'string' ? work : null, textIn(text));
}

function isSync({ raised }: OpenQuestion): boolean {
  return raised['mode'] === 'sync';
}

/** Adds to the question that is open here what it lacks; false if it lacks nothing. */
function takeAgain(here: Question, row: OpenQuestion, planning: Planning): boolean {
  const { view, rows, changed } = planning;
  const { key, ref, at, by, raised } = row;
  const lost = workOf(row).filter((id) => id !== here.work && !here.alsoWork.includes(id));
  if (lost.length > 0) changed.push({ ref, what: `held ${lost.join(', ')} too: ${here.id} does not` });
  const critical = raised['urgency'] === 'critical' && here.urgency !== 'critical';
  const held = namedScopes(view.state, here);
  const added = scopesOf(row, planning).filter((glob) => !held.includes(glob));
  if (here.mode === 'sync' && !critical && added.length === 0) return false;
  changed.push({ ref, what: `asks the same as ${here.id}, which is open: ${here.id} holds what it held` });
  const title = fittedLine(textIn(raised['text']), limits.title);
  rows.push({ row: 'again', key, ref, at, by, added, question: here.id, critical, title, data: raised });
  return true;
}

/** Merges two questions with the same words, keeping the holds of both. */
function mergeTwins(first: OpenQuestion, twin: OpenQuestion, planning: Planning): OpenQuestion {
  const held = scopesOf(first, planning);
  const more = scopesOf(twin, planning).filter((glob) => !held.includes(glob));
  const work = new Set([...workOf(first), ...workOf(twin)]);
  const alsoWork = [...work].filter((id) => id !== first.raised['work']);
  const raised = {
    ...first.raised,
    ...(alsoWork.length === 0 ? {} : { alsoWork }),
    ...(isSync(twin) ? { mode: 'sync' } : {}),
    ...(twin.raised['urgency'] === 'critical' ? { urgency: 'critical' } : {}),
  };
  return { ...first, added: [...first.added, ...more], raised };
}

function asHistory({ originals }: Reading, { key, ref, at, by: agent, raised }: OpenQuestion): ImportedRow {
  const { status, data } = originals.get(key) ?? { status: 'pending', data: raised };
  const work = typeof raised['work'] === 'string' ? raised['work'] : null;
  return historyRow(key, { ref, at, of: 'question', title: textIn(raised['text']), status, agent, work, data });
}

/** The globs of a question: its own or else those of its work, and those that were added. */
function scopesOf(row: OpenQuestion, { filesOf }: Planning): string[] {
  const own = textsIn(row.raised['holds']);
  const ofWork = () => workOf(row).flatMap((id) => filesOf(id).here ?? filesOf(id).there);
  return [...new Set([...(own.length > 0 ? own : ofWork()), ...row.added])];
}

/** An imported question gets the same lifetime as a new one, unless it states its expiry. */
function endOf(view: View, { ref, raised }: OpenQuestion, changed: Remark[]): string {
  const said = raised['expiresAt'];
  const expiry = expiryOf(view.state, urgency.catch('medium').parse(raised['urgency']), view.now);
  if (typeof said !== 'string') return expiry;
  if (said > view.now) return said;
  changed.push({ ref, what: `has expired: it is asked again, until ${expiry}` });
  return expiry;
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
