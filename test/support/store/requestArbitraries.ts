/** Random records of requests over few ids, by any actor and in any order. */
import fc from 'fast-check';
import { nextRequestId } from '../../../src/core/request/request.ts';
import { requestType, stewardStep } from '../../../src/core/records/request.ts';
import type { State } from '../../../src/core/state/state.ts';

const party = fc.constantFrom('asker', 'doer', 'jane');
const agents = fc.constantFrom('copilot-001', 'claude-002');
const id = fc.integer({ min: 1, max: 5 }).map((number) => `R-${String(number)}`);
const small = fc.integer({ min: 1, max: 3 });
const times = ['2020-01-01T00:00:00.000Z', '2026-03-02T12:00:00.000Z', '2099-12-31T00:00:00.000Z'];
const time = fc.constantFrom(...times);
const maybe = <T>(item: fc.Arbitrary<T>) => fc.option(item, { nil: undefined, freq: 1 });
const kind = (name: string, fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ kind: fc.constant(name), v: fc.constant(1), ...fields });
const note = maybe(fc.constant('Because.'));

const bundles = { bundle_ids: ['b-1'], objectives: 'Know it.' };
const ask = fc
  .constantFrom(...requestType.options)
  .map((type) => ({ type, payload: type === 'request_for_action' ? {} : bundles }));

/** `R-0` stands for the next free number; see `fittedRequest`. */
const creation = {
  id: fc.oneof({ weight: 9, arbitrary: fc.constant('R-0') }, { weight: 1, arbitrary: id }),
  ask,
  origin: party,
  target: party,
  subject: fc.constant('Look.'),
  summary: fc.constant('It fails.'),
  availableAt: time,
  dueAt: maybe(time),
  responseSeconds: maybe(fc.constant(60)),
  completionSeconds: maybe(fc.constant(60)),
  idempotencyKey: maybe(fc.constant('k')),
};
const move = {
  id,
  act: fc.constantFrom('release', 'resume', 'expire', 'accept', 'defer', 'reject', 'cancel', 'complete'),
  note,
  until: maybe(time),
};

export const requestRecord: fc.Arbitrary<object> = fc.oneof(
  {
    weight: 3,
    arbitrary: kind('responsibility.registered', {
      id: party,
      responsibilityKind: fc.constantFrom('agent', 'automation', 'steward', 'human'),
      name: fc.constant('Somebody'),
      agents: fc.uniqueArray(agents, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: kind('responsibility.joined', { id: party, agents: fc.tuple(agents) }) },
  { weight: 4, arbitrary: kind('request.created', creation) },
  { weight: 6, arbitrary: kind('request.moved', move) },
  { weight: 1, arbitrary: kind('request.acknowledged', { id }) },
  { weight: 1, arbitrary: kind('request.attemptFailed', { id, error: fc.constant('It crashed.') }) },
  {
    weight: 1,
    arbitrary: kind('request.stepRecorded', {
      id,
      step: fc.constantFrom(...stewardStep.options),
      note: fc.constant('Done.'),
      requests: fc.uniqueArray(id, { maxLength: 1 }),
    }),
  },
  { weight: 1, arbitrary: kind('request.workMade', { id, work: fc.tuple(fc.constantFrom('T1', 'T7')) }) },
  { weight: 2, arbitrary: kind('request.alerted', { id, breach: fc.constantFrom('response', 'completion') }) },
  { weight: 1, arbitrary: kind('request.escalated', { id }) },
  { weight: 1, arbitrary: kind('request.reassigned', { id, target: party }) },
  { weight: 1, arbitrary: kind('request.noticeOffered', { id, notice: small, agent: agents }) },
  { weight: 1, arbitrary: kind('request.noticeAcknowledged', { id, notice: small, agent: agents }) },
  { weight: 1, arbitrary: kind('request.refused', { id, act: fc.constant('accept'), why: fc.constant('No.') }) },
);

/** Records that count only with a human's signature. */
export function forgedRequest(envelope: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  const forged = { envelope };
  const content = fc.constant('0'.repeat(64));
  return fc.oneof(
    kind('responsibility.appointed', {
      id: party,
      responsibilityKind: fc.constantFrom('steward', 'human'),
      name: fc.constant('Somebody'),
      agents: fc.uniqueArray(agents, { maxLength: 2 }),
      ...forged,
    }),
    kind('request.createdByHuman', { ...creation, ...forged }),
    kind('request.movedByHuman', { ...move, content, ...forged }),
    kind('request.stepRecordedByHuman', {
      id,
      step: fc.constantFrom(...stewardStep.options),
      note: fc.constant('Done.'),
      requests: fc.constant([]),
      content,
      ...forged,
    }),
  );
}

export function fittedRequest(record: object, state: State): object {
  return 'id' in record && record.id === 'R-0' ? { ...record, id: nextRequestId(state) } : record;
}
