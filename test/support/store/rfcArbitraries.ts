/** Random acts on RFCs. Sequential numbers are mostly the next free one; see `fitted`. */
import fc from 'fast-check';
import type { State } from '../../../src/core/state/state.ts';
import { zeros } from './handwriting.ts';

const workflows = ['W1', 'W2'] as const;
const tasks = ['T1', 'T2', 'T3', 'T4', 'T5', 'T6'] as const;
const globs = ['src/a', 'src/b/**', 'docs/*.md', 'lib/x.ts'] as const;
const few = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { maxLength: 2 });
const maybe = <T>(item: fc.Arbitrary<T>) => fc.option(item, { nil: undefined, freq: 1 });

function kind(name: string, fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc.record({ kind: fc.constant(name), v: fc.constant(1), ...fields });
}

const rfcId = fc.constantFrom('RFC-1', 'RFC-2', 'RFC-3');
/** 0 stands for the fitting number. */
const fitting = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
);
const small = fc.integer({ min: 1, max: 3 });

export const openTexts = ['Which store?', 'Who pays?', 'which  STORE?', 'May we delete it?'] as const;

const document = fc.record({
  title: fc.constantFrom('Tokens', 'Sessions'),
  sections: fc.constantFrom([], [{ key: 'summary', heading: 'Summary', text: 'Short.' }]),
  alternatives: fc.constantFrom([], [{ name: 'Other', pros: ['Cheap'], cons: [] }]),
  questions: fc.uniqueArray(fc.record({ text: fc.constantFrom(...openTexts), answered: fc.boolean() }), {
    maxLength: 3,
    selector: ({ text }) => text.toLowerCase().replace(/\s+/g, ' '),
  }),
});

export const proposed = kind('rfc.proposed', {
  id: fc.oneof({ weight: 9, arbitrary: fc.constant('RFC-0') }, { weight: 1, arbitrary: rfcId }),
  document,
  workflows: few(fc.constantFrom(...workflows)),
  tasks: few(fc.constantFrom(...tasks)),
  holds: few(fc.constantFrom(...globs)),
  contexts: fc.constantFrom([], [{ id: 'E-1', role: 'context' }]),
});

const text = fc.constant('x');
const feedback = {
  id: rfcId,
  thread: fitting,
  revision: fc.constant(1),
  type: fc.constantFrom('question', 'concern', 'approval'),
  text,
  blocking: fc.boolean(),
};

export const rfcRecord = fc.oneof(
  { weight: 3, arbitrary: proposed },
  { weight: 4, arbitrary: kind('rfc.revised', { id: rfcId, revision: fitting, document }) },
  {
    weight: 3,
    arbitrary: kind('rfc.widened', {
      id: rfcId,
      addWorkflows: few(fc.constantFrom(...workflows)),
      addTasks: few(fc.constantFrom(...tasks)),
      addHolds: few(fc.constantFrom(...globs)),
    }),
  },
  { weight: 4, arbitrary: kind('rfc.submitted', { id: rfcId, revision: fitting }) },
  { weight: 2, arbitrary: kind('rfc.feedbackGiven', feedback) },
  { weight: 2, arbitrary: kind('rfc.feedbackReplied', { id: rfcId, thread: small, reply: fitting, text }) },
  { weight: 1, arbitrary: kind('rfc.implemented', { id: rfcId }) },
  { weight: 1, arbitrary: kind('rfc.addressed', { id: rfcId, to: fc.constantFrom('ada', null) }) },
  { weight: 1, arbitrary: kind('rfc.handedOver', { id: rfcId, to: fc.constantFrom('copilot-001', 'claude-002') }) },
  {
    weight: 4,
    arbitrary: kind('rfc.reviewed', {
      id: rfcId,
      review: fitting,
      revision: fitting,
      model: fc.constantFrom(null, 'm'),
      prompt: fc.constant(null),
      followUp: fc.boolean(),
      verdict: fc.constantFrom(null, 'approve', 'revise'),
      stage: fc.constantFrom('reviewing', 'questions_pending', 'awaiting_human'),
      answers: few(
        fc.record({
          question: small,
          outcome: fc.constantFrom('answered', 'human_required'),
          answer: fc.constant('Yes.'),
        }),
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ id: rfcId, question: small, text: fc.constantFrom(...openTexts) })
      .map(({ id, question, text }) => ({
        kind: 'question.raised',
        v: 1,
        id: 'Q-0',
        text,
        type: 'decision',
        urgency: 'high',
        mode: 'async',
        work: null,
        rfc: { id, question },
        expiresAt: '9999-01-01T00:00:00.000Z',
      })),
  },
  {
    weight: 1,
    arbitrary: kind('rfc.decisionOffered', { id: rfcId, decision: small, agent: fc.constant('copilot-001') }),
  },
  {
    weight: 1,
    arbitrary: kind('rfc.decisionAcknowledged', { id: rfcId, decision: small, agent: fc.constant('copilot-001') }),
  },
  {
    weight: 1,
    arbitrary: kind('rfc.reviewOffered', { id: rfcId, review: small, agent: fc.constant('copilot-001') }),
  },
  {
    weight: 1,
    arbitrary: kind('rfc.reviewAcknowledged', { id: rfcId, review: small, agent: fc.constant('copilot-001') }),
  },
);

const envelope = maybe(
  fc.constant({
    payloadType: 'application/vnd.holdpoint.decision+json',
    payload: 'e30=',
    signatures: [{ keyid: zeros, sig: Buffer.alloc(64).toString('base64') }],
  }),
);

/** Unsigned decisions. */
export const forgedRfc = fc.oneof(
  kind('rfc.approved', { id: rfcId, revision: fitting, hash: fc.constant(zeros), envelope }),
  kind('rfc.changesRequested', { id: rfcId, revision: fitting, reason: text, envelope }),
  kind('rfc.rejected', { id: rfcId, revision: fitting, reason: text, then: fc.constant('another_way'), envelope }),
  kind('rfc.withdrawn', { id: rfcId, reason: text, envelope }),
  kind('rfc.commented', { ...feedback, envelope }),
  kind('rfc.threadReplied', { id: rfcId, thread: small, reply: fitting, text, envelope }),
  kind('rfc.threadResolved', { id: rfcId, thread: small, envelope }),
  kind('rfc.answerOverruled', { id: rfcId, question: small, envelope }),
);

/** Sets the numbers that fit the current state. */
export function fitted(state: State, record: unknown): unknown {
  if (typeof record !== 'object' || record === null || !('id' in record) || typeof record.id !== 'string')
    return record;
  if (record.id === 'RFC-0') return { ...record, id: `RFC-${String(state.rfcs.size + 1)}` };
  const rfc = state.rfcs.get(record.id);
  if (!rfc) return record;
  const next: Record<string, number> = {
    revision: 'kind' in record && record.kind === 'rfc.revised' ? rfc.revisions.length + 1 : rfc.revisions.length,
    thread: rfc.threads.length + 1,
    review: rfc.review.count + 1,
    reply: (rfc.threads['thread' in record ? Number(record.thread) - 1 : 0]?.replies ?? 0) + 1,
  };
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, value === 0 && name in next ? next[name] : value]),
  );
}
