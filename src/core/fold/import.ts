/** Effects of imports. Until a batch ends, the state stores its rows without applying them. */
import { startChange, type Change, Inadmissible, type Effects, type Folding } from '../state/change.ts';
import { isCriticalWarning, nextEventId } from '../memory/event.ts';
import { questionEffects } from '../question/fold.ts';
import { rfcEffects } from '../rfc/fold.ts';
import { registerWork, updateWork } from '../work/fold.ts';
import {
  importedRow,
  type ImportedEvent,
  type ImportedRow,
  type ImportRecord,
  type LiveRow,
} from '../records/import.ts';
import { nextQuestionId } from '../question/question.ts';
import { recordVersion } from '../records/parts.ts';
import type { Actor, PlainKind, PlainOf, PlainRecord } from '../records/plain.ts';
import { anyRecord } from '../records/records.ts';
import { nextRfcId } from '../rfc/rfc.ts';
import { isOfSamePerson, personOf } from '../kit/persons.ts';
import type { Batch, EventHeader, PendingEvent, State } from '../state/state.ts';

export const importEffects: Effects<ImportRecord['kind']> = {
  'import.begun': ({ state, change, line }, { batch, digest }) => {
    if (state.imports.has(batch)) throw new Inadmissible(`the batch ${batch} was already begun`);
    change.set(state.imports, batch, { by: line.actor.id, digest, parts: 0, rows: 0, events: [], live: [] });
  },
  'import.rows': (at, record) => {
    take(at.change, ownBatch(at, record), record);
  },
  'import.abandoned': (at, record) => {
    ownBatch(at, record);
    at.change.unset(at.state.imports, record.batch);
  },
  'import.ended': (at, record) => {
    end(at, ownBatch(at, record), record);
  },
};

function ownBatch({ state, line }: Folding, { batch: id }: { readonly batch: string }): Batch {
  const batch = state.imports.get(id);
  if (!batch) throw new Inadmissible(`there is no unfinished batch ${id}`);
  if (batch.by !== line.actor.id) throw new Inadmissible(`the batch ${id} is ${batch.by}'s`);
  return batch;
}

function take(change: Change, batch: Batch, record: PlainOf<'import.rows'>): void {
  const expected = batch.parts + 1;
  if (record.part !== expected)
    throw new Inadmissible(`the next part is ${String(expected)}, not ${String(record.part)}`);
  for (const row of record.rows) requireAct(row);
  change.assign(batch, 'parts', expected);
  change.assign(batch, 'rows', batch.rows + record.rows.length);
  for (const row of record.rows)
    if (row.row === 'event') change.push(batch.events, pendingEvent(row));
    else if (row.row !== 'history') change.push(batch.live, row);
}

/**
 * Why a row cannot be imported, by itself; null when it can. One invalid row refuses its whole batch, so writers of
 * batches check first. References to other rows are not checked.
 */
export function rowProblem(row: ImportedRow): string | null {
  const parsed = importedRow.safeParse(row);
  if (!parsed.success) return firstIssue(parsed.error.issues);
  try {
    requireAct(row);
    return null;
  } catch (error) {
    if (error instanceof Inadmissible) return error.message;
    throw error;
  }
}

/** @throws Inadmissible if the fields of an open item do not form its record */
function requireAct(row: ImportedRow): void {
  if (row.row === 'question') actOf('question.raised', { ...row.raised, id: 'Q-1' });
  else if (row.row === 'rfc') actOf('rfc.proposed', { ...row.proposed, id: 'RFC-1' });
  else if (row.row === 'work') actOf('work.registered', row.registered);
}

function firstIssue([issue]: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  return `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is malformed'}`;
}

function pendingEvent({ type, priority, related, closed }: ImportedEvent): PendingEvent {
  const successor = closed?.how === 'superseded' ? closed.successor : null;
  return { type, priority, status: closed?.how ?? 'active', successor, related };
}

/** Applies the whole batch or refuses it. */
function end(at: Folding, batch: Batch, record: PlainOf<'import.ended'>): void {
  const { state, change } = at;
  if (record.rows !== batch.rows)
    throw new Inadmissible(`the batch has ${String(batch.rows)} rows, not ${String(record.rows)}`);
  const inner = startChange();
  try {
    postEvents(state, inner, batch.events, record.firstEvent);
    for (const row of batch.live) takePart({ ...at, change: inner }, row);
    inner.unset(state.imports, record.batch);
    change.join(inner);
  } catch (error) {
    inner.undo();
    throw error;
  }
}

/** Signatures are not imported, so no event is treated as posted by a human. */
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

/** Checks that the successors of new events exist and form no cycle. */
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

/** Replays another program's act as an agent's: it can ask and hold, but not decide. */
function takePart(at: Folding, row: LiveRow): void {
  const { state, line } = at;
  // Names without a person are those of other programs, and nobody's here.
  if (state.shared !== null && 'by' in row && personOf(row.by) !== null && !isOfSamePerson(row.by, line.actor.id))
    throw new Inadmissible(`${row.by} is another person's agent`);
  const as = (kind: Actor['kind'], time: string): Folding => ({
    ...at,
    line: {
      ...line,
      actor: { kind, id: row.by, ...(line.actor.worktree === undefined ? {} : { worktree: line.actor.worktree }) },
      // Never later than now, whatever the other clock said.
      time: time < line.time ? time : line.time,
    },
  });
  if (row.row === 'question') {
    const record = actOf('question.raised', { ...row.raised, id: nextQuestionId(state) });
    const by = as('agent', row.at);
    act(by, record, questionEffects['question.raised']);
    if (row.added.length > 0) widen(by, { id: record.id, addHolds: row.added });
  } else if (row.row === 'again') {
    // Refused with the whole batch if a human decided it in the meantime; the next import asks again.
    const { question: id, added: addHolds, critical } = row;
    const by = as('agent', row.at);
    widen(by, { id, mode: 'sync', addHolds });
    if (critical) act(by, actOf('question.escalated', { id }), questionEffects['question.escalated']);
  } else if (row.row === 'rfc') {
    const proposed = actOf('rfc.proposed', { ...row.proposed, id: nextRfcId(state) });
    const by = as('agent', row.at);
    const { id } = proposed;
    act(by, proposed, rfcEffects['rfc.proposed']);
    if (row.added.length > 0) act(by, actOf('rfc.widened', { id, addHolds: row.added }), rfcEffects['rfc.widened']);
    if (row.submit) act(by, actOf('rfc.submitted', { id, revision: 1 }), rfcEffects['rfc.submitted']);
  } else {
    const registered = actOf('work.registered', row.registered);
    // Registered by the system: unowned items stay unowned.
    act(as('system', row.at), registered, registerWork);
    const changed = actOf('work.updated', { id: registered.id, ...(row.step === null ? {} : { step: row.step }) });
    act(as('system', row.updatedAt), changed, updateWork);
  }
}

function widen(by: Folding, fields: object): void {
  act(by, actOf('question.widened', fields), questionEffects['question.widened']);
}

function act<R extends PlainRecord>(by: Folding, record: R, effect: (at: Folding, record: R) => void): void {
  effect(by, record);
  const { at, time, actor } = by.line;
  by.bring({ record, at, time, actor, signed: null });
}

/** @throws Inadmissible if the fields do not form such a record */
function actOf<K extends PlainKind>(kind: K, fields: object): PlainOf<K> {
  const parsed = anyRecord.safeParse({ ...fields, kind, v: recordVersion });
  if (parsed.success) return parsed.data as PlainOf<K>;
  throw new Inadmissible(`${kind}: ${firstIssue(parsed.error.issues)}`);
}
