/** Random acts over few ids, so that they interact. */
import fc from 'fast-check';
import {
  actorKind,
  answerEffect,
  baseStatus,
  eventPriority,
  eventType,
  questionMode,
  questionType,
  urgency,
  type AnswerEffect,
} from '../../../src/core/kit/words.ts';
import { nextEventId } from '../../../src/core/memory/event.ts';
import { nextQuestionId } from '../../../src/core/question/question.ts';
import type { Actor } from '../../../src/core/records/records.ts';
import type { State } from '../../../src/core/state/state.ts';
import { zeros } from './handwriting.ts';
import { fittedImport, importRecord, wholeImport } from './importArbitraries.ts';
import { fittedRequest, forgedRequest, requestRecord } from './requestArbitraries.ts';
import { fitted, forgedRfc, proposed, rfcRecord } from './rfcArbitraries.ts';

export const workIds = ['W1', 'W2', 'T1', 'T2', 'T3', 'T4', 'T5', 'T6'] as const;
export const globs = ['src/a', 'src/b/**', 'docs/*.md', 'lib/x.ts'] as const;
const agents = ['copilot-001', 'claude-002'] as const;

const workId = fc.constantFrom(...workIds);
const glob = fc.constantFrom(...globs);
const few = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { maxLength: 3 });
const maybe = <T>(item: fc.Arbitrary<T>) => fc.option(item, { nil: undefined, freq: 1 });

const questionNumber = fc.integer({ min: 1, max: 6 });
const questionId = questionNumber.map((number) => `Q-${String(number)}`);
const holderId = fc.oneof(questionId, fc.constantFrom('RFC-1', 'RFC-2', 'RFC-3'));

const anyActor: fc.Arbitrary<Actor> = fc.record({
  kind: fc.constantFrom(...actorKind.options),
  id: fc.constantFrom(...agents, 'holdpoint', 'Ada'),
  worktree: fc.constantFrom('.', 'wt/one'),
});

/** The usual kind for an id; random acts mostly use it. */
const kindOf = (id: string) => (id.startsWith('W') ? 'workflow' : 'task');

const registered = fc
  .record({
    id: fc.constantFrom(...workIds, 'W3', 'T7', 'T8', 'T9'),
    status: fc.constantFrom(...baseStatus.options),
    workflow: fc.option(fc.constantFrom('W1', 'W2', 'T1')),
    dependsOn: few(workId),
    holds: few(glob),
    assignee: fc.option(fc.constantFrom(...agents)),
  })
  .map((fields) => ({ kind: 'work.registered', v: 1, workKind: kindOf(fields.id), title: 'Work', ...fields }));

const updated = fc
  .record({
    id: workId,
    status: maybe(fc.constantFrom(...baseStatus.options)),
    step: maybe(fc.constant('next')),
    title: maybe(fc.constant('Other title')),
    workflow: maybe(fc.option(fc.constantFrom('W1', 'W2'))),
    assignee: maybe(fc.option(fc.constantFrom(...agents))),
    addDependsOn: fc.uniqueArray(workId, { maxLength: 1 }),
    removeDependsOn: few(workId),
    addHolds: few(glob),
    removeHolds: few(glob),
  })
  .map((fields) => ({ kind: 'work.updated', v: 1, ...fields }));

/** `Q-0` stands for the next free number; see `numbered`. */
const raised = fc
  .record({
    id: fc.oneof({ weight: 9, arbitrary: fc.constant('Q-0') }, { weight: 1, arbitrary: questionId }),
    text: fc.constantFrom('Which way?', 'Shall I?', 'which  way?', 'May I delete it?'),
    type: fc.constantFrom(...questionType.options),
    urgency: fc.constantFrom(...urgency.options),
    mode: fc.constantFrom(...questionMode.options),
    work: fc.option(workId, { freq: 4 }),
    alsoWork: fc.option(fc.uniqueArray(workId, { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 5 }),
    holds: few(glob),
    reopens: maybe(questionId),
    expiresAt: fc.constantFrom('2026-03-01T00:00:00.000Z', '2026-03-03T12:00:00.000Z', '2099-01-01T00:00:00.000Z'),
  })
  .map((fields) => ({ kind: 'question.raised', v: 1, ...fields }));

const envelope = fc.record({
  payloadType: fc.constant('application/vnd.holdpoint.decision+json'),
  payload: fc.constantFrom('', 'e30=', Buffer.from('{"v":1,"by":"Ada"}').toString('base64')),
  signatures: fc.constant([{ keyid: zeros, sig: Buffer.alloc(64).toString('base64') }]),
});

/** A record of one kind. */
function kind(name: string, fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc.record({ kind: fc.constant(name), v: fc.constant(1), ...fields });
}

const text = fc.constant('x');
const forgedEnvelope = { envelope: maybe(envelope) };
const someKey = { keyid: fc.constant('f'.repeat(64)), publicKey: fc.constant('MCow'), name: fc.constant('Ada') };

const eventId = fc.integer({ min: 1, max: 6 }).map((number) => `E-${String(number)}`);
const eventText = fc.constantFrom('The cache is never cleared.', 'Moved the cache.', 'moved  THE cache.');
/** `E-0` stands for the next free number; see `numbered`. */
const posting = {
  id: fc.oneof({ weight: 9, arbitrary: fc.constant('E-0') }, { weight: 1, arbitrary: eventId }),
  type: fc.constantFrom(...eventType.options),
  text: eventText,
  priority: fc.constantFrom(...eventPriority.options),
  scopes: few(fc.constantFrom('src/a', 'src/a/x.ts', '.')),
  related: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: few(eventId) }),
};
const closing = fc.oneof(
  fc.record({ id: eventId, how: fc.constant('resolved'), reason: maybe(fc.constant('Fixed.')) }),
  fc.record({ id: eventId, how: fc.constant('superseded'), by: eventId, reason: maybe(fc.constant('Newer.')) }),
);
const memory = fc.oneof(
  { weight: 3, arbitrary: kind('event.posted', posting) },
  { weight: 3, arbitrary: closing.map((fields) => ({ kind: 'event.closed', v: 1, ...fields })) },
  { weight: 1, arbitrary: closing.map((fields) => ({ kind: 'event.closeProposed', v: 1, ...fields })) },
);

const shownAsZeros = (id: string) => ({ id, shown: zeros });

/** Records of signed kinds without a valid signature. */
const forged = fc.oneof(
  forgedRequest(maybe(envelope)),
  kind('question.answered', {
    id: questionId,
    answer: fc.constant({ text: 'Yes' }),
    together: maybe(fc.uniqueArray(questionId, { minLength: 2, maxLength: 3 }).map((ids) => ids.map(shownAsZeros))),
    ...forgedEnvelope,
  }),
  kind('question.cancelled', { id: questionId, reason: text, ...forgedEnvelope }),
  kind('question.released', { id: questionId, note: text, ...forgedEnvelope }),
  kind('event.postedByHuman', { ...posting, ...forgedEnvelope }),
  kind('event.closedByHuman', {
    id: eventId,
    how: fc.constant('resolved'),
    reason: text,
    content: fc.constant(zeros),
    ...forgedEnvelope,
  }),
  kind('event.proposalDeclined', { id: eventId, content: fc.constant(zeros), ...forgedEnvelope }),
  kind('answer.revoked', { id: questionId, reason: text, ...forgedEnvelope }),
  kind('refusal.lifted', { id: questionId, reason: text, ...forgedEnvelope }),
  kind('question.askedBack', { id: questionId, text, ...forgedEnvelope }),
  kind('work.deleted', { id: workId, ...forgedEnvelope }),
  kind('hold.widened', { id: holderId, ...forgedEnvelope }),
  kind('hold.narrowed', { id: holderId, ...forgedEnvelope }),
  kind('hold.changeAccepted', {
    id: holderId,
    files: fc.constant([{ path: 'src/one', was: null, is: zeros }]),
    ...forgedEnvelope,
  }),
  kind('policy.changed', {
    questionLifeHours: fc.constant(1),
    onExpiry: fc.constant('expire'),
    resuming: maybe(fc.constant({ hosts: ['codex'] })),
    precedents: maybe(fc.constant({ never: [{ types: ['decision'] }] })),
    fence: maybe(fc.constant({ heldFiles: true })),
    ...forgedEnvelope,
  }),
  kind('store.shared', {
    name: fc.constant('payments'),
    roots: fc.constant([`MCowBQYDK2VwAyEA${'A'.repeat(43)}=`]),
    ...forgedEnvelope,
  }),
  kind('store.unshared', forgedEnvelope),
  kind('journal.lineSetAside', {
    from: fc.constant(0),
    to: fc.nat({ max: 900 }),
    bytesHash: fc.constant(zeros),
    resumes: fc.constant(zeros),
    ...forgedEnvelope,
  }),
  kind('journal.restored', { lost: fc.constant(0), ...forgedEnvelope }),
  kind('journal.startedAnew', { formerWorkspace: fc.constant(null), ...forgedEnvelope }),
  kind('key.enrolled', { ...someKey, ...forgedEnvelope }),
  kind('key.lost', { ...someKey, lost: fc.constant([{ keyid: zeros, name: 'Ada' }]), ...forgedEnvelope }),
  kind('key.rotated', { ...someKey, from: fc.constant(zeros), ...forgedEnvelope }),
  kind('key.trusted', { ...someKey, ...forgedEnvelope }),
  kind('key.passkeyAdded', {
    ...someKey,
    publicKey: fc.constant(`MCowBQYDK2VwAyEA${'A'.repeat(43)}=`),
    passkey: fc.constant({ origin: 'http://localhost', rpId: 'localhost', credentialId: 'AA', label: 'Phone' }),
    ...forgedEnvelope,
  }),
  kind('key.passkeyRenamed', {
    keyid: fc.constant(zeros),
    name: fc.constant('Ada'),
    label: fc.constant('Phone'),
    ...forgedEnvelope,
  }),
  kind('key.retired', { keyid: fc.constant(zeros), name: fc.constant('Ada'), ...forgedEnvelope }),
);

const agentId = fc.constantFrom(...agents);
const askBackNumber = fc.constantFrom(1, 2);
const small = fc.oneof(
  kind('question.widened', { id: questionId, mode: maybe(fc.constant('sync')), addHolds: few(glob) }),
  kind('question.escalated', { id: questionId }),
  kind('question.widened', { id: questionId, addHolds: fc.tuple(glob) }),
  kind('question.expired', { id: questionId }),
  kind('question.withdrawn', { id: questionId, reason: text }),
  kind('precedent.set', { id: fc.constant('P-1'), ...forgedEnvelope }),
  kind('precedent.ended', { id: fc.constant('P-1'), ...forgedEnvelope }),
  kind('precedent.takenBack', { id: questionId, ...forgedEnvelope }),
  kind('precedent.used', { id: questionId, precedent: fc.constant('P-1') }),
  kind('question.parked', { id: questionId, brief: fc.record({ doing: text, next: text }) }),
  kind('wait.noted', { id: holderId }),
  kind('hold.baselineTaken', {
    id: holderId,
    part: fc.constantFrom(1, 2),
    ...{ hash: fc.constant(zeros), scopes: fc.constant(zeros), files: fc.constant(1) },
  }),
  kind('hold.violated', { id: holderId, files: fc.constant([{ path: 'src/one', was: null, is: zeros }]) }),
  kind('hold.fileRestored', { id: holderId, paths: fc.constant(['src/one']) }),
  kind('question.replied', { id: questionId, number: askBackNumber, text }),
  kind('question.askBackOffered', { id: questionId, number: askBackNumber, agent: agentId }),
  kind('question.askBackAcknowledged', { id: questionId, number: askBackNumber, agent: agentId }),
  kind('gate.decidedOffline', {}),
  kind('outcome.offered', { id: questionId, agent: agentId }),
  kind('outcome.acknowledged', { id: questionId, agent: agentId }),
  kind('answer.reused', { id: questionId, agent: agentId }),
  kind('agent.registered', { id: agentId, type: text, host: text, label: fc.constant('Ada') }),
);

/** An initial graph: no cycles, most items with dependencies, some questions open. */
const graph = fc
  .record({
    works: fc.tuple(...workIds.map((id, index) => inGraph(id, workIds.slice(0, index)))),
    asked: fc.array(raised, { minLength: 1, maxLength: 5 }),
    designs: fc.array(proposed, { maxLength: 3 }),
  })
  .map(({ works, asked, designs }): unknown[][] => [...works, ...asked, ...designs].map((item) => [item]));

function inGraph(id: string, earlier: readonly string[]) {
  const flows = earlier.filter((other) => other.startsWith('W'));
  return fc
    .record({
      workflow: flows.length === 0 ? fc.constant(null) : fc.option(fc.constantFrom(...flows), { freq: 2 }),
      dependsOn: earlier.length === 0 ? fc.constant([]) : fc.uniqueArray(fc.constantFrom(...earlier), { maxLength: 2 }),
      holds: few(glob),
    })
    .map((fields) => ({ kind: 'work.registered', v: 1, id, workKind: kindOf(id), title: 'Work', ...fields }));
}

/** Records that only an attacker or a newer program writes. */
const strange: fc.Arbitrary<unknown> = fc.oneof(
  kind('workspace.created', {
    workspace: fc.constant('00000000-0000-4000-8000-000000000000'),
    minReader: fc.constant(1),
    minWriter: fc.constant(1),
  }),
  // Nothing beyond this program's format: that is UNKNOWN, and has its own test.
  kind('format.changed', { minReader: fc.constantFrom(1, 4, 13), minWriter: fc.constantFrom(1, 4, 13) }),
  kind('segment.sealed', {}),
  kind('work.deleted', { id: workId }),
  kind('question.reopened', { id: questionId }),
  fc.constant({ kind: 'question.raised', v: 2, id: 'Q-1', mode: 'async' }),
  fc.constant(null),
  fc.constant('question.released'),
);

/** Any record that can be written without a key. */
export const unsignedRecord: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: registered },
  { weight: 8, arbitrary: updated },
  { weight: 4, arbitrary: raised },
  { weight: 9, arbitrary: small },
  { weight: 5, arbitrary: memory },
  { weight: 2, arbitrary: forged },
  { weight: 7, arbitrary: requestRecord },
  { weight: 9, arbitrary: rfcRecord },
  { weight: 2, arbitrary: forgedRfc },
  { weight: 2, arbitrary: importRecord },
  { weight: 1, arbitrary: strange },
);

const anyTime = fc.constantFrom('2020-01-01T00:00:00.000Z', '2026-03-02T12:00:00.000Z', '2099-12-31T00:00:00.000Z');

/** A human's acts on an RFC. */
export type RfcRuling = 'approve' | 'reject' | 'stop' | 'send back' | 'withdraw' | 'resolve' | 'overrule';

/** An unsigned line, or a human's decision on one of the questions. */
export type Acting =
  | { readonly records: readonly unknown[]; readonly actor: Actor; readonly time: string }
  | { readonly decides: number; readonly how: 'question.cancelled' | 'question.released' }
  | { readonly answers: number; readonly effect: AnswerEffect }
  | { readonly lifts: number }
  | { readonly widens: string; readonly files: 'all' | 'named' }
  | { readonly rules: RfcRuling; readonly on: number };

const act: fc.Arbitrary<Acting> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      records: fc.oneof(
        { weight: 9, arbitrary: fc.array(unsignedRecord, { minLength: 1, maxLength: 3 }) },
        { weight: 1, arbitrary: wholeImport },
      ),
      actor: anyActor,
      time: anyTime,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      decides: questionNumber,
      how: fc.constantFrom('question.cancelled', 'question.released'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ answers: questionNumber, effect: fc.constantFrom(...answerEffect.options) }),
  },
  { weight: 1, arbitrary: fc.record({ lifts: questionNumber }) },
  { weight: 1, arbitrary: fc.record({ widens: holderId, files: fc.constantFrom('all', 'named') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      on: fc.integer({ min: 1, max: 3 }),
      rules: fc.constantFrom<RfcRuling>('approve', 'reject', 'stop', 'send back', 'withdraw', 'resolve', 'overrule'),
    }),
  },
);

/** Acts on an existing graph. */
export function actsOnGraph(maxLength: number): fc.Arbitrary<Acting[]> {
  return fc
    .tuple(graph, fc.array(act, { minLength: maxLength >> 1, maxLength, size: 'max' }))
    .map(([lines, acts]) => [
      ...lines.map((records): Acting => ({ records, actor: firstAgent, time: '2026-03-02T12:00:00.000Z' })),
      ...acts,
    ]);
}

const firstAgent: Actor = { kind: 'agent', id: 'copilot-001', worktree: '.' };

/** Sets the next free number in a raised question or posted event, and fitting numbers in RFC records. */
export function numbered(record: unknown, state: State): unknown {
  if (typeof record !== 'object' || record === null) return record;
  if (!('id' in record)) return fittedImport(record, state);
  if (record.id === 'Q-0') return { ...record, id: nextQuestionId(state) };
  return record.id === 'E-0' ? { ...record, id: nextEventId(state) } : fitted(state, fittedRequest(record, state));
}
