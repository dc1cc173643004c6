/** Which questions notify, and which are only in the list, as what an earlier policy gathered in a digest. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { heldWork } from '../../support/store/heldWork.ts';
import { interruption, urgencies, type Interruption, type Urgency } from '../../../src/core/kit/words.ts';
import type { Interruptions } from '../../../src/core/records/policy.ts';
import {
  interruptionOf,
  isOfAgent,
  requestInterruption,
  reviewInterruption,
} from '../../../src/core/waiting/reminders.ts';
import { makeLab, noon, question, work, type Lab } from '../../support/store/lab.ts';

const at = (minutes: number) => new Date(Date.parse(noon) + minutes * 60_000).toISOString();
const agents = ['build-bot-001', 'build-bot-002', 'copilot-001'] as const;

const everyUrgency = (how: Interruption) => ({ critical: how, high: how, medium: how, low: how });
const usual: Interruptions = { urgencies: everyUrgency('now'), agents: [], digestMinutes: 30, perHour: 0 };

interface Asked {
  readonly agent: string;
  readonly urgency: Urgency;
  /** After noon. */
  readonly minute: number;
}

/** A lab in which a human signed this policy, if any, and agents asked these. */
function labOf(policy: Interruptions | null, asked: readonly Asked[]): Lab {
  const lab = makeLab();
  const human = { kind: 'human', id: lab.human.name } as const;
  if (policy) {
    const record = { kind: 'policy.changed', v: 1, questionLifeHours: 24, onExpiry: 'expire', interruptions: policy };
    const { refused } = lab.write([lab.signed(record as never)], human);
    assert.deepEqual(refused, []);
  }
  lab.write([work('T1'), work('T2')]);
  [...asked]
    .sort((a, b) => a.minute - b.minute)
    .forEach(({ agent, urgency, minute }, index) => {
      const one = question(index + 1, { urgency, work: index % 2 ? 'T1' : 'T2', expiresAt: at(7 * 24 * 60) });
      const { refused } = lab.write([one], { kind: 'agent', id: agent }, at(minute));
      assert.deepEqual(refused, []);
    });
  return lab;
}

const how = fc.constantFrom(...interruption.options);
const policies: fc.Arbitrary<Interruptions> = fc.record({
  urgencies: fc.record({ critical: how, high: how, medium: how, low: how }),
  agents: fc.array(
    fc.record(
      {
        agent: fc.constantFrom(...agents, 'build-bot', 'copilot'),
        urgencies: fc.uniqueArray(fc.constantFrom(...urgencies), { minLength: 1 }),
        how,
      },
      { requiredKeys: ['agent', 'how'] },
    ),
    { maxLength: 3 },
  ),
  digestMinutes: fc.integer({ min: 1, max: 90 }),
  perHour: fc.integer({ min: 0, max: 4 }),
});
const questions = fc.array(
  fc.record({
    agent: fc.constantFrom(...agents),
    urgency: fc.constantFrom(...urgencies),
    minute: fc.integer({ min: 0, max: 240 }),
  }),
  { maxLength: 20 },
);
describe('interruptions by any policy', () => {
  it('a rule for an agent or its type still fits once its id begins with a person', () => {
    for (const id of ['claude-code-001', 'Ada/claude-code-001'])
      for (const [name, fits] of [
        ['claude-code-001', true],
        ['claude-code', true],
        ['claude-code-002', false],
      ] as const)
        assert.equal(isOfAgent(id, name), fits, `${id} ${name}`);
    assert.equal(isOfAgent('Ada/claude-code-001', 'Ada/claude-code-001'), true);
    assert.equal(isOfAgent('Ada/claude-code-001', 'Grace/claude-code-001'), false);
  });

  it('let each question notify at once or be only in the list', () => {
    fc.assert(
      fc.property(policies, questions, (policy, asked) => {
        const { state } = labOf(policy, asked);
        for (const one of state.questions.values())
          assert.ok(['now', 'silent'].includes(interruptionOf(state, one)), one.id);
      }),
      { numRuns: 100 },
    );
  });

  it('change nothing that is held', () => {
    fc.assert(
      fc.property(policies, questions, (policy, asked) => {
        const [one, other] = [labOf(policy, asked), labOf(null, asked)];
        assert.deepEqual(heldWork(one.state), heldWork(other.state));
        // The policy's own line moves the others.
        const asRaised = ({ state }: typeof one) =>
          [...state.questions.values()].map((all) => ({ ...all, line: null }));
        assert.deepEqual(asRaised(one), asRaised(other));
      }),
      { numRuns: 100 },
    );
  });
});

describe('a policy on interruptions', () => {
  const howAll = (policy: Interruptions, asked: readonly Asked[]) => {
    const { state } = labOf(policy, asked);
    return [...state.questions.values()].map((one) => interruptionOf(state, one));
  };
  const ask = (agent: string, urgency: Urgency, minute = 0): Asked => ({ agent, urgency, minute });

  it('goes by urgency, and by the first exception that matches the agent or its type', () => {
    const policy: Interruptions = {
      ...usual,
      urgencies: { critical: 'now', high: 'now', medium: 'digest', low: 'silent' },
      agents: [
        { agent: 'build-bot-002', urgencies: ['critical'], how: 'digest' },
        { agent: 'build-bot-002', how: 'now' },
        { agent: 'build-bot', how: 'silent' },
      ],
    };
    const of = (agent: string) =>
      howAll(
        policy,
        [...urgencies].map((urgency) => ask(agent, urgency)),
      );
    assert.deepEqual(of('copilot-001'), ['silent', 'silent', 'now', 'now']);
    assert.deepEqual(of('build-bot-001'), ['silent', 'silent', 'silent', 'now']);
    assert.deepEqual(of('build-bot-002'), ['now', 'now', 'now', 'silent']);
    assert.deepEqual(of('build-botanist-001'), ['silent', 'silent', 'now', 'now'], 'another type');
  });

  it('counts the budget for each agent over the hour before', () => {
    const minutes = [0, 10, 20, 59, 60, 200];
    const asked = minutes.map((minute) => ask('build-bot-001', 'high', minute));
    assert.deepEqual(howAll({ ...usual, perHour: 2 }, asked), ['now', 'now', 'silent', 'silent', 'silent', 'now']);
    const others = asked.map((one, index) => ({ ...one, agent: `build-bot-00${String(index)}` }));
    assert.ok(howAll({ ...usual, perHour: 1 }, others).every((one) => one === 'now'));
  });
});

describe('reviews of RFCs and requests', () => {
  const policy: Interruptions = {
    ...usual,
    urgencies: { critical: 'now', high: 'digest', medium: 'now', low: 'silent' },
    agents: [
      { agent: 'build-bot', urgencies: ['high', 'medium'], how: 'silent' },
      { agent: 'docs', how: 'now' },
    ],
    perHour: 1,
  };
  const review = (id: string, given: Interruptions | null = policy) =>
    reviewInterruption(labOf(given, []).state, { asker: { kind: 'agent', id } });
  const request = (origin: string, isLate: boolean, given: Interruptions | null = policy) => {
    const { state } = labOf(given, []);
    const registered = { registeredBy: 'build-bot-001', registeredAt: noon, kind: 'agent' } as const;
    state.responsibilities.set('builder', { ...registered, id: 'builder', name: 'Builder', agents: ['build-bot-001'] });
    state.responsibilities.set('docs', { ...registered, id: 'docs', name: 'Docs', agents: [] });
    return requestInterruption(state, { origin }, isLate);
  };

  it('without a policy, reviews and overdue requests notify at once, and new requests are in the list', () => {
    const requests = [true, false].map((isLate) => request('builder', isLate, null));
    assert.deepEqual([review('copilot-001', null), ...requests], ['now', 'now', 'silent']);
  });

  it('a review follows the policy for high, and its author’s exceptions', () => {
    assert.deepEqual([review('copilot-001'), review('build-bot-002'), review('docs')], ['silent', 'silent', 'now']);
  });

  it('a request counts as medium and, once its time has passed, as high; exceptions name its responsibility or agents', () => {
    assert.deepEqual([request('other', false), request('other', true)], ['now', 'silent']);
    assert.deepEqual([request('builder', false), request('builder', true)], ['silent', 'silent']);
    assert.deepEqual([request('docs', false), request('docs', true)], ['now', 'now']);
  });
});
