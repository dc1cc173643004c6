/**
 * The projector: writes a counted line's changes into the index. It writes items as the fold left them, so that live
 * writes, replay and snapshot plus replay give the same rows. It decides nothing.
 */
import { directlyHeld } from '../../core/hold/holds.ts';
import { subjectOf } from '../../core/records/decision.ts';
import type { JournalRecord, RecordKind } from '../../core/records/records.ts';
import { effectOf } from '../../core/state/answerEffect.ts';
import { withParts } from '../../core/state/cancelWork.ts';
import { isStop, raisedOf, type Admitted, type State } from '../../core/state/state.ts';
import { deliverAgain, projectDelivery } from './deliveries.ts';
import { eventProjections, mention, namedEvents } from './events.ts';
import { importProjections } from './history.ts';
import type { ChangedItems } from './items.ts';
import type { Projecting, Projections } from './projection.ts';
import { wholeInItems } from './read.ts';
import { requestProjections } from './requests.ts';
import type { Database } from './sqlite.ts';

const projections: Projections<RecordKind> = {
  ...eventProjections,
  ...requestProjections,
  ...importProjections,
  'question.raised': ({ items, effect: { time } }, { text, background, context }) => {
    mention(items, namedEvents(text, background, context), time);
  },
  'rfc.proposed': ({ items, effect: { time } }, { contexts }) => {
    mention(items, idsOf(contexts), time);
  },
  'rfc.widened': ({ items, effect: { time } }, { addContexts }) => {
    mention(items, idsOf(addContexts), time);
  },
  // Lifting a refusal is an outcome of its own, also delivered to agents that already received the refusal.
  'refusal.lifted': ({ db }, { id }) => {
    deliverAgain(db, id);
  },
  // Work that a human stopped is cancelled.
  'question.answered': (at, { id }) => {
    const question = at.state.questions.get(id);
    if (question && isStop(question)) putAllOf(at, directlyHeld(at.state, question));
  },
  'rfc.rejected': (at, { id, then }) => {
    const rfc = at.state.rfcs.get(id);
    if (rfc && then === 'stop') putAllOf(at, directlyHeld(at.state, rfc));
  },
  'work.deleted': (at, { id }) => {
    putAllOf(at, [id]);
  },
};

const idsOf = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id);

export function project(db: Database, items: ChangedItems, state: State, admitted: readonly Admitted[]): void {
  for (const [place, effect] of admitted.entries()) {
    putRecord(db, effect, place);
    if (effect.kept) continue;
    const { record } = effect;
    const at = { db, items, state, effect, following: () => admitted.slice(place + 1) };
    putItems(at, record);
    projectDelivery(db, effect);
    // The table's type relates each kind to its projection; indexing by a union loses that.
    const change = projections[record.kind] as ((at: Projecting, record: JournalRecord) => void) | undefined;
    change?.(at, record);
  }
}

function putRecord(db: Database, { record, at, time, actor, signed, kept }: Admitted, place: number): void {
  const { kind, v: _, envelope: __, ...content } = record as JournalRecord & { readonly envelope?: unknown };
  const by = signed ? [signed.by, 'human'] : [actor.id, actor.kind];
  const signature = signed ? [signed.keyid, signed.nonce, signed.passkey ? 1 : 0] : [null, null, 0];
  db.run(
    'INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[at, place, time, ...by, kind, subjectIn(record), ...signature, kept ? 1 : 0],
    (wholeInItems as readonly string[]).includes(kind) ? null : JSON.stringify(content),
  );
}

function subjectIn(record: JournalRecord): string | null {
  if ('envelope' in record) return subjectOf(record);
  return 'id' in record ? record.id : 'batch' in record ? record.batch : null;
}

function putItems(at: Projecting, record: JournalRecord): void {
  const id = subjectIn(record) ?? '';
  if (record.kind === 'work.registered' || record.kind === 'work.updated') {
    putWork(at, id);
    return;
  }
  putQuestion(at, id);
  putRfc(at, id);
  // A question of an RFC changes the RFC.
  if (record.kind === 'question.raised') putRfc(at, record.rfc?.id ?? '');
}

function putQuestion({ items, state, effect: { record } }: Projecting, id: string): void {
  const question = id.startsWith('Q-') ? state.questions.get(id) : undefined;
  if (!question) return;
  const asked = record.kind === 'question.raised' ? record : items.get('question', id)?.raised;
  const raised = question.raised ?? asked ?? raisedOf(state, question);
  items.put('question', id, { ...question, raised, line: null, effect: effectOf(question) });
}

function putRfc({ items, state }: Projecting, id: string): void {
  const rfc = id.startsWith('RFC-') ? state.rfcs.get(id) : undefined;
  if (rfc) items.put('rfc', id, rfc);
}

function putWork({ db, items, state }: Projecting, id: string): void {
  const item = state.work.get(id);
  if (!item) return;
  const before = items.get('work', id);
  items.put('work', id, item);
  // Outcomes go to the owner of the work.
  if (before?.assignee !== item.assignee)
    for (const { question } of db.rows.all<{ question: string }>(
      `SELECT id AS question FROM items WHERE kind = 'question' AND work = ?`,
      id,
    ))
      items.touch(question);
}

function putAllOf(at: Projecting, named: readonly string[]): void {
  for (const id of withParts(at.state, named)) putWork(at, id);
}
