/**
 * What an import finds here already. An earlier import proves nothing by itself: agents import too, from files that
 * they wrote. So an open item is treated as imported only if it is here and holds what it holds in the source.
 */
import type { ImportedRow, LiveRow } from '../../core/records/import.ts';
import { isHoldingRfc } from '../../core/rfc/rfc.ts';
import { questionKey } from '../../core/question/question.ts';
import type { Question, State } from '../../core/state/state.ts';
import { itemOf } from '../../store/rows/read.ts';
import type { Rows } from '../../store/rows/sqlite.ts';
import type { View } from '../../store/store.ts';

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

/** The latest question here by agent, work and words. */
export function latestQuestions({ state, rows }: View): Map<string, Question> {
  const texts = rows.all<{ id: string; text: string }>(
    `SELECT id, text FROM items WHERE kind = 'question' ORDER BY number`,
  );
  return new Map(
    texts.flatMap(({ id, text }) => {
      const question = state.questions.get(id);
      return question ? [[questionKey(question.asker.id, question.work, text), question] as const] : [];
    }),
  );
}

/** What a work item has in the source and lacks here, where it was registered before. */
export interface Lacking {
  readonly workflow: string | null;
  readonly dependsOn: readonly string[];
  readonly holds: readonly string[];
}

/** Null if it lacks nothing. */
export function lackingWork({ work }: State, { registered }: Extract<LiveRow, { row: 'work' }>): Lacking | null {
  const here = work.get(textIn(registered['id']));
  if (!here) return null;
  const workflow = textIn(registered['workflow']);
  const lacking = {
    workflow: workflow === '' || workflow === here.workflow ? null : workflow,
    dependsOn: textsIn(registered['dependsOn']).filter((id) => !here.dependsOn.includes(id)),
    holds: textsIn(registered['holds']).filter((glob) => !here.holds.includes(glob)),
  };
  return lacking.workflow === null && lacking.dependsOn.length + lacking.holds.length === 0 ? null : lacking;
}

/** What an open RFC holds in the source and not here, where it was imported before. */
export function lackingRfc({ rfcs }: State, id: string, row: Extract<LiveRow, { row: 'rfc' }>): readonly string[] {
  const here = rfcs.get(id);
  if (!here || !isHoldingRfc(here)) return [];
  const { workflows, tasks, holds } = row.proposed;
  const wanted = [...textsIn(workflows), ...textsIn(tasks), ...textsIn(holds), ...row.added];
  const held = [...here.workflows, ...here.tasks, ...here.holds, ...here.addedHolds];
  return wanted.filter((one) => !held.includes(one));
}

/** Events imported before that are different in the source now, by key. */
export function changedEvents(
  { rows }: View,
  given: readonly ImportedRow[],
  known: ReadonlyMap<string, string | null>,
): Map<string, string> {
  const changed = new Map<string, string>();
  const events = given.filter((row) => row.row === 'event');
  for (const { key, text, closed } of events) {
    const event = itemOf(rows, 'event', known.get(key) ?? '');
    if (!event) continue;
    if (event.text !== text) changed.set(key, `has another text there now: ${event.id} keeps its own`);
    else if (event.status === 'active' && closed !== null)
      changed.set(key, `is ${closed.how} there now: ${event.id} is still active here`);
  }
  return changed;
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
