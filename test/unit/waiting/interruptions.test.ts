/** Which notices go out now, which in a digest, and which never: nothing is lost, and holds stay as they are. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { heldWork } from '../../support/store/heldWork.ts';
import { interruption, urgencies, type Interruption, type Urgency } from '../../../src/core/kit/words.ts';
import type { Interruptions } from '../../../src/core/records/interruptions.ts';
import {
  interruptionOf,
  isOfAgent,
  requestInterruption,
  reviewInterruption,
} from '../../../src/core/state/interruptions.ts';
import { deliveriesOf } from '../../../src/core/waiting/digest.ts';
import { noticesOf } from '../../../src/core/waiting/reminders.ts';
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
/** When a program looks. Between two looks it may have been started again: it keeps only what was given, and when. */
const looks = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 40 });

interface Given {
  readonly now: Map<string, number>;
  readonly digests: { readonly minute: number; readonly ids: readonly string[] }[];
}

/** New questions as a program would give them that looks at these minutes. */
function run({ state }: Lab, minutes: readonly number[]): Given {
  const given: Given = { now: new Map(), digests: [] };
  const { digestMinutes } = state.policy.interruptions ?? usual;
  for (const minute of [...minutes].sort((a, b) => a - b)) {
    const now = at(minute);
    const told = new Set([...given.now.keys(), ...given.digests.flatMap(({ ids }) => ids)]);
    const due = [...state.questions.values()]
      .filter((one) => one.raisedAt <= now)
      .flatMap((one) => noticesOf(state, one, now).filter(({ kind }) => kind === 'new'))
      .filter(({ id }) => !told.has(id));
    const last = given.digests.at(-1);
    const times = { minutes: digestMinutes, now, last: last ? at(last.minute) : null };
    const found = deliveriesOf(due, times);
    const lists = [...found.now, ...found.digest, ...found.later, ...found.silent];
    assert.equal(lists.length, due.length, 'each in exactly one list');
    assert.deepEqual(new Set(lists), new Set(due));
    if (found.later.length > 0) assert.ok(found.next !== null && found.next > now, 'those that wait have a time');
    for (const { id } of found.now) given.now.set(id, minute);
    if (found.digest.length > 0) given.digests.push({ minute, ids: found.digest.map(({ id }) => id) });
  }
  return given;
}

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

  it('lose no question and give none twice, over restarts; digests keep their distance', () => {
    fc.assert(
      fc.property(policies, questions, looks, (policy, asked, minutes) => {
        const lab = labOf(policy, asked);
        // The last looks come after all digests are due.
        const { now, digests } = run(lab, [...minutes, 1_000, 2_000]);
        const inDigests = digests.flatMap(({ ids }) => ids);
        assert.equal(new Set(inDigests).size, inDigests.length, 'in one digest each');
        for (const one of lab.state.questions.values()) {
          const ways = [now.has(one.id), inDigests.includes(one.id), interruptionOf(lab.state, one) === 'silent'];
          assert.equal(ways.filter(Boolean).length, 1, one.id);
        }
        digests.forEach(({ minute }, index) => {
          const before = digests[index - 1];
          if (before) assert.ok(minute - before.minute >= policy.digestMinutes);
        });
      }),
      { numRuns: 300 },
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
    assert.deepEqual(of('copilot-001'), ['silent', 'digest', 'now', 'now']);
    assert.deepEqual(of('build-bot-001'), ['silent', 'silent', 'silent', 'now']);
    assert.deepEqual(of('build-bot-002'), ['now', 'now', 'now', 'digest']);
    assert.deepEqual(of('build-botanist-001'), ['silent', 'digest', 'now', 'now'], 'another type');
  });

  it('counts the budget for each agent over the hour before', () => {
    const minutes = [0, 10, 20, 59, 60, 200];
    const asked = minutes.map((minute) => ask('build-bot-001', 'high', minute));
    assert.deepEqual(howAll({ ...usual, perHour: 2 }, asked), ['now', 'now', 'digest', 'digest', 'digest', 'now']);
    const others = asked.map((one, index) => ({ ...one, agent: `build-bot-00${String(index)}` }));
    assert.ok(howAll({ ...usual, perHour: 1 }, others).every((one) => one === 'now'));
  });
});

describe('a digest', () => {
  const due = (minute: number) => ({ how: 'digest' as const, at: at(minute) });
  const times = (now: number, last: number | null = null) => ({
    ...{ minutes: 30, now: at(now), last: last === null ? null : at(last) },
  });

  it('comes so many minutes after the first that waits for it, and after the last digest', () => {
    assert.equal(deliveriesOf([due(5), due(20)], times(34)).next, at(35));
    assert.equal(deliveriesOf([due(5), due(20)], times(35)).digest.length, 2);
    assert.equal(deliveriesOf([due(5)], times(35, 10)).next, at(40));
    assert.equal(deliveriesOf([], times(99)).next, null);
  });
});

describe('reviews of RFCs and requests', () => {
  const policy: Interruptions = {
    ...usual,
    urgencies: { critical: 'now', high: 'digest', medium: 'silent', low: 'silent' },
    agents: [
      { agent: 'build-bot', urgencies: ['high'], how: 'silent' },
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

  it('notify at once without a policy', () => {
    assert.deepEqual([review('copilot-001', null), request('builder', false, null)], ['now', 'now']);
  });

  it('a review follows the policy for high, and its author’s exceptions', () => {
    assert.deepEqual([review('copilot-001'), review('build-bot-002')], ['digest', 'silent']);
  });

  it('a request counts as medium and, once its time has passed, as high; exceptions name its responsibility or agents', () => {
    assert.deepEqual([request('other', false), request('other', true)], ['silent', 'digest']);
    assert.deepEqual([request('builder', false), request('builder', true)], ['silent', 'silent']);
    assert.deepEqual([request('docs', false), request('docs', true)], ['now', 'now']);
  });
});
