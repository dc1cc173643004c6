/** Plans the questions of an import: each is asked once here, and holds at least what it holds in its source. */
import type { ImportedRow, LiveRow } from '../../core/records/import.ts';
import { expiryOf, questionKey } from '../../core/question/question.ts';
import type { Question } from '../../core/state/state.ts';
import { limits, urgency } from '../../core/kit/words.ts';
import type { View } from '../../store/store.ts';
import { latestQuestions, textIn, textsIn } from './importKnown.ts';
import { fittedLine, historyRow, plainValue } from './importReading.ts';
import type { Reading, Remark } from './importReading.ts';

export type OpenQuestion = Extract<LiveRow, { row: 'question' }>;

export interface Planning {
  readonly view: View;
  readonly reading: Reading;
  /** Filled as rows are taken. */
  readonly rows: ImportedRow[];
  readonly changed: Remark[];
}

/** Takes one question after the other. Returns false if it is here already and holds no less. */
export function questionPlanner(planning: Planning): (row: OpenQuestion, isKnown: boolean) => boolean {
  const { view, reading, rows, changed } = planning;
  /** Places in `rows` by agent, work and words. */
  const asked = new Map<string, number>();
  let latest: ReadonlyMap<string, Question> | null = null;
  return (row, isKnown) => {
    const { work, text } = row.raised;
    const key = questionKey(row.by, typeof work === 'string' ? work : null, textIn(text));
    const former = isKnown ? (latest ??= latestQuestions(view.state)).get(key) : undefined;
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
    if (twin?.row === 'question') rows[asked.get(key) ?? -1] = merged(twin, row, planning);
    rows.push(asHistory(reading, row));
    return true;
  };
}

export function isSync({ raised }: OpenQuestion): boolean {
  return raised['mode'] === 'sync';
}

/** Only its agent did that: it is no decision. */
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
function merged(first: OpenQuestion, twin: OpenQuestion, planning: Planning): OpenQuestion {
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
