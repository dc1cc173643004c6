/** Effects of imports. Until a batch is ended the state keeps what it will need then, and shows none of it. */
import { startChange } from '../state/change.ts';
import type { Change } from '../state/change.ts';
import type { Trust } from '../records/decision.ts';
import { isCriticalWarning, nextEventId } from '../memory/event.ts';
import { applyQuestion } from '../question/fold.ts';
import { applyRfc } from '../rfc/fold.ts';
import { registerWork, updateWork } from '../work/fold.ts';
import { importedRow, importFormat } from '../records/import.ts';
import type { ImportedEvent, ImportedRow, ImportRecord, LiveRow } from '../records/import.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import { nextQuestionId } from '../question/question.ts';
import { anyRecord } from '../records/records.ts';
import type { Actor, CountedLine, JournalRecord, RecordKind, RecordOf } from '../records/records.ts';
import { nextRfcId } from '../rfc/rfc.ts';
import type { Admitted, Batch, EventHeader, PendingEvent, State } from '../state/state.ts';

/** @returns the acts that ended batches brought with them, for whoever writes rows */
export function applyImport(
  state: State,
  change: Change,
  record: ImportRecord,
  line: CountedLine,
  trust: Trust,
): readonly Admitted[] {
  if (record.kind === 'import.begun') {
    if ((state.workspace?.minReader ?? 0) < importFormat)
      throw new Inadmissible('older programs must be kept out first: they would not see what an import holds');
    if (state.imports.has(record.batch)) throw new Inadmissible(`the batch ${record.batch} was begun already`);
    const { batch, digest } = record;
    change.set(state.imports, batch, { by: line.actor.id, digest, parts: 0, rows: 0, events: [], live: [] });
    return [];
  }
  const batch = state.imports.get(record.batch);
  if (!batch) throw new Inadmissible(`there is no unfinished batch ${record.batch}`);
  if (batch.by !== line.actor.id) throw new Inadmissible(`the batch ${record.batch} is ${batch.by}'s`);
  switch (record.kind) {
    case 'import.rows':
      take(change, batch, record);
      return [];
    case 'import.abandoned':
      change.unset(state.imports, record.batch);
      return [];
    case 'import.ended':
      return end(state, change, batch, record, line, trust);
  }
}

function take(change: Change, batch: Batch, record: RecordOf<'import.rows'>): void {
  const expected = batch.parts + 1;
  if (record.part !== expected)
    throw new Inadmissible(`the next part is ${String(expected)}, not ${String(record.part)}`);
  for (const row of record.rows)
    if (row.row === 'question') actOf('question.raised', { ...row.raised, id: 'Q-1' });
    else if (row.row === 'rfc') actOf('rfc.proposed', { ...row.proposed, id: 'RFC-1' });
    else if (row.row === 'work') actOf('work.registered', row.registered);
  change.assign(batch, 'parts', expected);
  change.assign(batch, 'rows', batch.rows + record.rows.length);
  for (const row of record.rows)
    if (row.row === 'event') change.push(batch.events, pendingEvent(row));
    else if (row.row !== 'history') change.push(batch.live, row);
}

/**
 * Why a row cannot come in, by itself; null when it can. One such row would have the whole batch refused, so whoever
 * makes a batch leaves it out. What others refer to is not looked at.
 */
export function rowProblem(row: ImportedRow): string | null {
  const parsed = importedRow.safeParse(row);
  if (!parsed.success) return firstIssue(parsed.error.issues);
  try {
    if (row.row === 'rfc') actOf('rfc.proposed', { ...row.proposed, id: 'RFC-1' });
    return null;
  } catch (error) {
    if (error instanceof Inadmissible) return error.message;
    throw error;
  }
}

function firstIssue([issue]: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  return `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is malformed'}`;
}

function pendingEvent({ type, priority, related, closed }: ImportedEvent): PendingEvent {
  const successor = closed?.how === 'superseded' ? closed.successor : null;
  return { type, priority, status: closed?.how ?? 'active', successor, related };
}

/** All of it, or nothing: what cannot be is refused with the whole batch. */
function end(
  state: State,
  change: Change,
  batch: Batch,
  record: RecordOf<'import.ended'>,
  line: CountedLine,
  trust: Trust,
): Admitted[] {
  if (record.rows !== batch.rows)
    throw new Inadmissible(`the batch has ${String(batch.rows)} rows, not ${String(record.rows)}`);
  const inner = startChange();
  try {
    postEvents(state, inner, batch.events, record.firstEvent);
    const acts = batch.live.flatMap((row) => takePart(state, inner, row, line, trust));
    inner.unset(state.imports, record.batch);
    change.join(inner);
    return acts;
  } catch (error) {
    inner.undo();
    throw error;
  }
}

/** Nobody's signature comes along, so none of them counts as posted by a human. */
function postEvents(state: State, change: Change, events: readonly PendingEvent[], first: string): void {
  const expected = nextEventId(state);
  if (first !== expected) throw new Inadmissible(`the next event is ${expected}, not ${first}`);
  const base = state.events.size;
  const idOf = (place: number | string) => (typeof place === 'number' ? `E-${String(base + place)}` : place);
  for (const [index, { type, priority, status, successor }] of events.entries()) {
    const id = idOf(index + 1);
    const by = successor === null ? null : idOf(successor);
    change.set(state.events, id, { type, priority, status, author: 'agent', successor: by });
    if (status === 'active' && isCriticalWarning({ type, priority })) change.add(state.criticalWarnings, id);
  }
  for (const { related } of events)
    for (const place of related)
      if (!state.events.has(idOf(place))) throw new Inadmissible(`there is no event ${idOf(place)}`);
  requireChains(state.events, base);
}

/** Successors of new events are there, and no chain of them ends in itself. */
function requireChains(events: ReadonlyMap<string, EventHeader>, base: number): void {
  const sound = new Set<string>();
  for (let number = base + 1; number <= events.size; number++) {
    const path = new Set<string>();
    for (let id: string | null = `E-${String(number)}`; id !== null && !sound.has(id);) {
      if (path.has(id)) throw new Inadmissible(`${id} would be superseded by itself`);
      path.add(id);
      const event = events.get(id);
      if (!event) throw new Inadmissible(`there is no event ${id}`);
      id = event.successor;
    }
    for (const id of path) sound.add(id);
  }
}

/** An act of somebody there, as one of an agent here: it asks and holds, and cannot decide. */
function takePart(state: State, change: Change, row: LiveRow, line: CountedLine, trust: Trust): Admitted[] {
  const done: Admitted[] = [];
  const as = (kind: Actor['kind'], at: string): CountedLine => ({
    ...line,
    actor: { kind, id: row.by, ...(line.actor.worktree === undefined ? {} : { worktree: line.actor.worktree }) },
    // Nothing was asked later than now, whatever a clock elsewhere said.
    time: at < line.time ? at : line.time,
  });
  const admit = (record: JournalRecord, { time, actor }: CountedLine) => {
    done.push({ record, at: line.at, time, actor, signed: null });
  };
  if (row.row === 'question') {
    const record = actOf('question.raised', { ...row.raised, id: nextQuestionId(state) });
    const by = as('agent', row.at);
    applyQuestion(state, change, record, by);
    admit(record, by);
    if (row.added.length > 0) {
      const widened = actOf('question.widened', { id: record.id, addHolds: row.added });
      applyQuestion(state, change, widened, by);
      admit(widened, by);
    }
  } else if (row.row === 'again') {
    // Refused when a human has decided it meanwhile, and all of the batch with it: the next try asks anew.
    const { question: id, added: addHolds, critical } = row;
    const by = as('agent', row.at);
    const stricter = [
      actOf('question.widened', { id, mode: 'sync', addHolds }),
      ...(critical ? [actOf('question.escalated', { id })] : []),
    ];
    for (const record of stricter) {
      applyQuestion(state, change, record, by);
      admit(record, by);
    }
  } else if (row.row === 'rfc') {
    const proposed = actOf('rfc.proposed', { ...row.proposed, id: nextRfcId(state) });
    const by = as('agent', row.at);
    const submitted: RecordOf<'rfc.submitted'> = { kind: 'rfc.submitted', v: 1, id: proposed.id, revision: 1 };
    const { added } = row;
    const widened = added.length > 0 ? [actOf('rfc.widened', { id: proposed.id, addHolds: added })] : [];
    for (const record of [proposed, ...widened, ...(row.submit ? [submitted] : [])]) {
      applyRfc(state, change, record, by, trust);
      admit(record, by);
    }
  } else {
    const registered = actOf('work.registered', row.registered);
    // Of the system: an item that nobody had when it was taken over is nobody's here.
    const by = as('system', row.at);
    registerWork(state, change, registered, by);
    admit(registered, by);
    const changed = actOf('work.updated', { id: registered.id, ...(row.step === null ? {} : { step: row.step }) });
    const since = as('system', row.updatedAt);
    updateWork(state, change, changed, since);
    admit(changed, since);
  }
  return done;
}

/** @throws Inadmissible for what is no such record */
function actOf<K extends RecordKind>(kind: K, fields: object): RecordOf<K> {
  const parsed = anyRecord.safeParse({ ...fields, kind, v: 1 });
  if (parsed.success) return parsed.data as RecordOf<K>;
  throw new Inadmissible(`${kind}: ${firstIssue(parsed.error.issues)}`);
}
