/** Imports that anyone can write: complete ones, and inconsistent records. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { nextEventId } from '../../../src/core/memory/event.ts';
import { baseStatus, eventPriority, eventType, questionMode, urgency } from '../../../src/core/kit/words.ts';
import type { State } from '../../../src/core/state/state.ts';

const batch = fc.constantFrom('6f1c2b34-0000-4000-8000-0000000000b1', '6f1c2b34-0000-4000-8000-0000000000b2');
const at = fc.constantFrom('2024-01-01T00:00:00.000Z', '2026-03-02T11:00:00.000Z', '2099-01-01T00:00:00.000Z');
const by = fc.constantFrom('copilot-001', 'claude-002', 'worker-009');
const workId = fc.constantFrom('W1', 'W2', 'T1', 'T3', 'N1', 'N2');
const few = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { maxLength: 2 });
const glob = fc.constantFrom('src/a', 'docs/*.md');
const common = {
  key: fc.uuid().map((id) => createHash('sha256').update(id).digest('hex')),
  ref: fc.constantFrom('blocker 1', 'evt-1', 'Q-1'),
  at,
};

const event = fc.record({
  row: fc.constant('event'),
  ...common,
  type: fc.constantFrom(...eventType.options),
  text: fc.constantFrom('The cache is never cleared.', 'Use SQLite.'),
  priority: fc.constantFrom(...eventPriority.options),
  scopes: few(fc.constantFrom('src/a', '.')),
  related: few(fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom('E-1', 'E-2'))),
  author: fc.constantFrom('claude-code', 'Ada'),
  closed: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.record({ how: fc.constant('resolved'), reason: fc.constant('Fixed.'), at, by }) },
    {
      weight: 1,
      arbitrary: fc.record({
        how: fc.constant('superseded'),
        successor: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom('E-1', 'E-2')),
        at,
        by,
      }),
    },
  ),
});
const history = fc.record({
  row: fc.constant('history'),
  ...common,
  of: fc.constantFrom('question', 'rfc', 'decision'),
  title: fc.constant('Released.'),
  status: fc.constantFrom('answered', 'approved', 'released'),
  agent: fc.option(by),
  work: fc.option(workId),
  data: fc.constant({ id: 'Q-1', resolution: 'released', answered_by: 'Ada', holding: false }),
});
const work = fc.record({
  row: fc.constant('work'),
  ...common,
  by,
  registered: fc.record({
    id: workId,
    workKind: fc.constantFrom('task', 'workflow'),
    title: fc.constant('Imported'),
    status: fc.constantFrom(...baseStatus.options),
    workflow: fc.option(fc.constantFrom('W1', 'W2')),
    dependsOn: few(workId),
    holds: few(glob),
    assignee: fc.option(by),
  }),
  step: fc.option(fc.constant('next')),
  updatedAt: at,
});
const question = fc.record({
  row: fc.constant('question'),
  ...common,
  by,
  added: few(glob),
  raised: fc.record({
    text: fc.constantFrom('Which way?', 'Imported?'),
    type: fc.constantFrom('clarification', 'approval'),
    urgency: fc.constantFrom(...urgency.options),
    mode: fc.constantFrom(...questionMode.options),
    work: fc.option(workId),
    holds: few(glob),
    expiresAt: at,
  }),
});
const rfc = fc.record({
  row: fc.constant('rfc'),
  ...common,
  by,
  added: few(glob),
  proposed: fc.record({
    document: fc.constant({ title: 'Imported design' }),
    workflows: few(fc.constantFrom('W1')),
    tasks: few(fc.constantFrom('T1', 'N1')),
    holds: few(glob),
  }),
  submit: fc.boolean(),
});
const rows = fc.array(fc.oneof(event, event, history, work, question, rfc), { minLength: 1, maxLength: 3 });

const begun = (id: string) => ({
  kind: 'import.begun',
  v: 1,
  batch: id,
  from: 'json',
  source: 'export.json',
  digest: '0'.repeat(64),
});

/** Any of the records. `E-0` stands for the next free number; see `fittedImport`. */
export const importRecord: fc.Arbitrary<unknown> = fc.oneof(
  batch.map(begun),
  fc
    .tuple(batch, rows, fc.integer({ min: 1, max: 2 }))
    .map(([id, some, part]) => ({ kind: 'import.rows', v: 1, batch: id, part, rows: some })),
  fc
    .tuple(batch, fc.nat({ max: 4 }))
    .map(([id, count]) => ({ kind: 'import.ended', v: 1, batch: id, rows: count, firstEvent: 'E-0' })),
  batch.map((id) => ({ kind: 'import.abandoned', v: 1, batch: id })),
);

/** A complete import in one line. */
export const wholeImport: fc.Arbitrary<unknown[]> = fc
  .tuple(fc.uuid({ version: 4 }), rows)
  .map(([id, some]) => [
    begun(id),
    { kind: 'import.rows', v: 1, batch: id, part: 1, rows: some },
    { kind: 'import.ended', v: 1, batch: id, rows: some.length, firstEvent: 'E-0' },
  ]);

export function fittedImport(record: object, state: State): object {
  return 'firstEvent' in record && record.firstEvent === 'E-0' ? { ...record, firstEvent: nextEventId(state) } : record;
}
