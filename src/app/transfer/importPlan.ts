/** Plans an import: which rows are new, what they become, and what they would hold. */
import { rowProblem } from '../../core/fold/import.ts';
import type { ImportedRow, LiveRow } from '../../core/records/import.ts';
import { openHolders, openAtMost } from '../../core/hold/holds.ts';
import { never, expiryOf, questionKey } from '../../core/question/question.ts';
import type { View } from '../../store/store.ts';
import { AppError } from '../workspace/errors.ts';
import { changedEvents, knownRows, lackingRfc, lackingWork, textIn, textsIn, latestQuestions } from './importKnown.ts';
import { fittedLine, historyRow, plainValue, type Reading, type Remark } from './importReading.ts';
import type { Question } from '../../core/state/state.ts';
import { urgency } from '../../core/kit/words.ts';
import { limits } from '../../core/kit/limits.ts';

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
  /** Number of rows that were imported before, or are duplicates. */
  readonly already: number;
  readonly wouldHold: readonly WouldHold[];
  /** Agents that would exceed the limit of items waiting for humans: they are held, whatever they work on. */
  readonly crowds: readonly { readonly agent: string; readonly waiting: number }[];
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
  const takeQuestion = questionPlanner({ view, reading, rows, changed });
  const holding = holdingMore(view, changed);
  const differing = changedEvents(view, reading.rows, known);
  /** For each event read, its position in the batch or its id here. */
  const places: (number | string | null)[] = [];
  const placeByKey = new Map<string, number>();
  const seen = new Set<string>();
  let already = 0;
  let events = 0;
  for (const given of reading.rows) {
    const became = known.get(given.key);
    const row = holding(given);
    const isHere = seen.has(row.key) || isKnown(view, row, became);
    seen.add(row.key);
    if (isHere) {
      already++;
      sayDifference(row, became);
      if (row.row === 'event') places.push(placeByKey.get(row.key) ?? became ?? null);
      continue;
    }
    const why = whyNot(row);
    if (why !== null) {
      if (row.row === 'question' || row.row === 'work')
        throw new AppError('bad_input', `${reading.source}: ${row.ref} ${why}. Nothing was imported.`);
      leftOut.push({ ref: row.ref, what: why });
      if (row.row === 'event') places.push(null);
      continue;
    }
    if (row.row === 'event') {
      places.push(++events);
      placeByKey.set(row.key, events);
      rows.push(row);
    } else if (row.row !== 'question') rows.push(row);
    else if (!takeQuestion(row, became !== undefined)) already++;
  }

  function sayDifference(row: ImportedRow, became: string | null | undefined): void {
    const event = differing.get(row.key);
    if (event !== undefined) changed.push({ ref: row.ref, what: event });
    const lost = row.row === 'rfc' ? lackingRfc(view.state, became ?? '', row) : [];
    if (lost.length > 0)
      changed.push({ ref: row.ref, what: `holds ${lost.join(', ')} there now: ${became ?? ''} does not` });
  }

  return {
    ...reading,
    leftOut,
    changed,
    rows: rows.map((row) => withPlaces(row, places)),
    fresh: rows.flatMap(({ key }) => (known.has(key) ? [] : [key])),
    already,
    wouldHold: rows.flatMap((row) => holdOf(view, row)),
    crowds: crowdsOf(view, rows),
  };
}

/** Questions are compared with what is here. Other open items and events matter only if they became something. */
function isKnown({ state }: View, row: ImportedRow, became: string | null | undefined): boolean {
  if (row.row === 'work') return state.work.has(textIn(row.registered['id']));
  if (row.row === 'question') return false;
  return row.row === 'history' ? became !== undefined : typeof became === 'string';
}

/** Why a row cannot be imported, to follow its name; null when it can. */
function whyNot(row: ImportedRow): string | null {
  if (Buffer.byteLength(JSON.stringify(row)) > largestRow) return 'is larger than one record can be (1 MiB)';
  // The expiry of a question is set when it is taken.
  const whole = row.row === 'question' ? { ...row, raised: { expiresAt: never, ...row.raised } } : row;
  const why = rowProblem(whole);
  return why === null ? null : `cannot be imported: ${why}`;
}

/** Adds to open items the files of work that is here without them, and reports what else that work lacks. */
function holdingMore({ state }: View, changed: Remark[]): (row: ImportedRow) => ImportedRow {
  const lacking = new Map<string, readonly string[]>();
  return (row) => {
    if (row.row === 'work') {
      const lacks = lackingWork(state, row);
      if (!lacks) return row;
      const { workflow, dependsOn, holds } = lacks;
      lacking.set(textIn(row.registered['id']), holds);
      const edges = [...(workflow === null ? [] : [workflow]), ...dependsOn, ...holds];
      changed.push({ ref: row.ref, what: `is here already, without ${edges.join(', ')}: it stays so` });
      return row;
    }
    if (row.row !== 'question' && row.row !== 'rfc') return row;
    const { work, alsoWork, workflows, tasks, holds } = row.row === 'question' ? row.raised : row.proposed;
    if (textsIn(holds).length > 0) return row;
    const named = [textIn(work), ...[alsoWork, workflows, tasks].flatMap(textsIn)];
    const added = new Set([...row.added, ...named.flatMap((id) => lacking.get(id) ?? [])]);
    return added.size === row.added.length ? row : { ...row, added: [...added] };
  };
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

// Plans the questions of an import: each is asked once here, and holds at least what it holds in its source.

type OpenQuestion = Extract<LiveRow, { row: 'question' }>;

interface Planning {
  readonly view: View;
  readonly reading: Reading;
  /** Filled as rows are taken. */
  readonly rows: ImportedRow[];
  readonly changed: Remark[];
}

/** Takes one question after the other. Returns false if it is here already and holds no less. */
function questionPlanner(planning: Planning): (row: OpenQuestion, isKnown: boolean) => boolean {
  const { view, reading, rows, changed } = planning;
  /** Places in `rows` by agent, work and words. */
  const asked = new Map<string, number>();
  let latest: ReadonlyMap<string, Question> | null = null;
  return (row, isKnown) => {
    const { work, text } = row.raised;
    const key = questionKey(row.by, typeof work === 'string' ? work : null, textIn(text));
    const former = isKnown ? (latest ??= latestQuestions(view)).get(key) : undefined;
    if (former && former.status !== 'pending' && !(isWithdrawn(former) && isSync(row))) return false;
    const same = view.state.pendingKeys.get(key);
    const twin = rows[asked.get(key) ?? -1];
    if (same === undefined && twin === undefined) {
      asked.set(key, rows.length);
      rows.push({ ...row, raised: { ...row.raised, expiresAt: endOf(view, row, changed) } });
      return true;
    }
    const here = view.state.questions.get(same ?? '');
    if (here) sayUnheld(here, row, changed);
    const stricter = here && isSync(row) ? moreThan(here, row, planning) : null;
    if (here && stricter) {
      changed.push({ ref: row.ref, what: `asks the same as ${here.id}, which is open: ${here.id} holds what it held` });
      rows.push(stricter);
      return true;
    }
    if (former) return false;
    const other = same ?? twin?.ref ?? '';
    changed.push({ ref: row.ref, what: `asks the same as ${other}, which is open: it is imported as history` });
    if (twin?.row === 'question') rows[asked.get(key) ?? -1] = mergeTwins(twin, row, planning);
    rows.push(asHistory(reading, row));
    return true;
  };
}

function isSync({ raised }: OpenQuestion): boolean {
  return raised['mode'] === 'sync';
}

/** Only its agent did that: it is not a decision. */
function isWithdrawn({ resolution }: Question): boolean {
  return resolution?.how === 'withdrawn';
}

/** Reports items that the open question cannot be extended to hold. */
function sayUnheld(here: Question, row: OpenQuestion, changed: Remark[]): void {
  const unheld = isSync(row) ? textsIn(row.raised['alsoWork']).filter((id) => !here.alsoWork.includes(id)) : [];
  const lost = unheld.filter((id) => id !== here.work);
  if (lost.length > 0) changed.push({ ref: row.ref, what: `held ${lost.join(', ')} too: ${here.id} does not` });
}

/** Holds that the open question here lacks; null if it has them all. */
function moreThan(here: Question, row: OpenQuestion, planning: Planning): ImportedRow | null {
  const critical = row.raised['urgency'] === 'critical' && here.urgency !== 'critical';
  const held = [...here.holds, ...here.addedHolds];
  const added = heldBeside(here.holds, row, planning).filter((glob) => !held.includes(glob));
  if (here.mode === 'sync' && !critical && added.length === 0) return null;
  const { key, ref, at, by, raised } = row;
  const data = planning.reading.originals.get(key)?.data ?? raised;
  const title = fittedLine(textIn(raised['text']), limits.title);
  return { row: 'again', key, ref, at, by, added, question: here.id, critical, title, data: plainValue(data) };
}

/** Merges two questions with the same words, keeping the holds of both. */
function mergeTwins(first: OpenQuestion, twin: OpenQuestion, planning: Planning): OpenQuestion {
  const mode = isSync(twin) ? 'sync' : first.raised['mode'];
  const urgency = twin.raised['urgency'] === 'critical' ? 'critical' : first.raised['urgency'];
  const added = [...new Set([...first.added, ...heldBeside(textsIn(first.raised['holds']), twin, planning)])];
  const also = [...new Set([...textsIn(first.raised['alsoWork']), ...textsIn(twin.raised['alsoWork'])])];
  const more = also.length === 0 ? {} : { alsoWork: also };
  const said = { ...more, ...(mode === undefined ? {} : { mode }), ...(urgency === undefined ? {} : { urgency }) };
  return { ...first, added, raised: { ...first.raised, ...said } };
}

/** Additional globs of a question: its own or else those of its work, which the other one may override. */
function heldBeside(
  others: readonly string[],
  { raised, added }: OpenQuestion,
  { rows, view }: Pick<Planning, 'rows' | 'view'>,
): string[] {
  const own = textsIn(raised['holds']);
  const work = textIn(raised['work']);
  const ofWork = () => {
    const row = rows.find((one) => one.row === 'work' && one.registered['id'] === work);
    return row?.row === 'work' ? textsIn(row.registered['holds']) : (view.state.work.get(work)?.holds ?? []);
  };
  return [...new Set([...(own.length === 0 && others.length > 0 ? ofWork() : own), ...added])];
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
  const expiry = expiryOf(view.state, urgency.catch('medium').parse(raised['urgency']), view.now);
  if (typeof said !== 'string') return expiry;
  if (said > view.now) return said;
  changed.push({ ref, what: `has expired: it is asked again, until ${expiry}` });
  return expiry;
}
