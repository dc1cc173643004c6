/** No sequence of records lets fewer people than a rule asks for release what it covers, or change the rule. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hashOf } from '../../../src/trust/canonical.ts';
import { latestRevision } from '../../../src/core/rfc/rfc.ts';
import { withoutEnvelope } from '../../../src/core/records/decision.ts';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import type { Lab } from '../../support/store/lab.ts';
import { makeHuman, type Human } from '../../support/store/people.ts';
import {
  isHeld,
  isWorkHeld,
  jwt,
  liftIt,
  makePeople,
  no,
  policyRecord,
  quorumLab,
  releaseIt,
  signAs,
  twoOfThree,
} from '../../support/store/quorumLab.ts';

const people = makePeople();
const everyone: readonly Human[] = [people.ada, people.adasLaptop, people.grace, people.linus, people.bob];
const stranger = makeHuman('grace');
const signers: readonly Human[] = [...everyone, stranger, { ...people.bob, name: 'grace' }];
/** Names by key, as the ring has them: what records claim about their signers does not matter. */
const nameOf = new Map(everyone.map(({ keyid, name }) => [keyid, name]));

const latest = (lab: Lab) => {
  const { number: revision, hash } = latestRevision(lab.state.rfcs.get('RFC-1')!);
  return { revision, hash };
};
const stop: Unsigned = { kind: 'question.answered', v: 1, id: 'Q-1', answer: { choices: ['No'], effect: 'stop' } };
const signedActs: readonly ((lab: Lab) => Unsigned)[] = [
  () => jwt,
  () => no,
  () => stop,
  () => releaseIt,
  () => ({ kind: 'question.cancelled', v: 1, id: 'Q-1', reason: 'Moot.' }),
  () => liftIt,
  () => ({ kind: 'answer.revoked', v: 1, id: 'Q-1', reason: 'Old.' }),
  () => ({ kind: 'question.askedBack', v: 1, id: 'Q-1', text: 'Why?' }),
  () => ({ kind: 'hold.widened', v: 1, id: 'Q-1' }),
  () => ({ kind: 'hold.narrowed', v: 1, id: 'Q-1' }),
  () => ({ kind: 'hold.widened', v: 1, id: 'RFC-1' }),
  () => ({ kind: 'hold.narrowed', v: 1, id: 'RFC-1' }),
  (lab) => ({ kind: 'rfc.approved', v: 1, id: 'RFC-1', ...latest(lab), conditions: [], constraints: [] }),
  (lab) => ({
    ...{ kind: 'rfc.rejected', v: 1, id: 'RFC-1', revision: latest(lab).revision },
    ...{ reason: 'No.', then: 'another_way' },
  }),
  (lab) => ({ kind: 'rfc.rejected', v: 1, id: 'RFC-1', revision: latest(lab).revision, reason: 'No.', then: 'stop' }),
  (lab) => ({ kind: 'rfc.changesRequested', v: 1, id: 'RFC-1', revision: latest(lab).revision, reason: 'More.' }),
  () => ({ kind: 'rfc.withdrawn', v: 1, id: 'RFC-1', reason: 'Moot.' }),
  () => policyRecord([]),
  () => policyRecord([{ ...twoOfThree, count: 1 }]),
  () => policyRecord([{ ...twoOfThree, globs: ['elsewhere'] }]),
  () => policyRecord([twoOfThree, { people: ['bob'], count: 1 }]),
  () => ({ kind: 'key.retired', v: 1, keyid: people.linus.keyid, name: 'linus' }),
];
const unsignedActs: readonly object[] = [
  { kind: 'question.expired', v: 1, id: 'Q-1' },
  { kind: 'question.escalated', v: 1, id: 'Q-1' },
  { kind: 'question.withdrawn', v: 1, id: 'Q-1', reason: 'Mine.' },
  { kind: 'question.widened', v: 1, id: 'Q-1', addHolds: ['more'] },
  { kind: 'question.replied', v: 1, id: 'Q-1', number: 1, text: 'So.' },
  { kind: 'work.updated', v: 1, id: 'T1', status: 'done', removeHolds: ['payments/api'] },
  { kind: 'rfc.submitted', v: 1, id: 'RFC-1', revision: 1 },
  { kind: 'rfc.implemented', v: 1, id: 'RFC-1' },
  {
    ...{ kind: 'rfc.revised', v: 1, id: 'RFC-1', revision: 2 },
    document: { title: 'Other', sections: [], questions: [] },
  },
];

const act = fc.oneof(
  { weight: 5, arbitrary: fc.record({ by: fc.nat(signers.length - 1), what: fc.nat(signedActs.length - 1) }) },
  { weight: 1, arbitrary: fc.nat(unsignedActs.length - 1).map((plain) => ({ plain })) },
);
const heldNow = (lab: Lab) => [
  ...['payments/api/pay.ts', 'payments/rfc/refund.ts', 'other.ts'].map((file) => isHeld(lab, file)),
  ...['W1', 'T1', 'T3', 'T4'].map((item) => isWorkHeld(lab, item)),
];
const freed = (before: readonly boolean[], after: readonly boolean[]) =>
  before.some((was, index) => was && !after[index]);

describe('a rule that asks for two of three people', () => {
  it('is never met by fewer, whatever anybody writes', function () {
    this.timeout(0);
    let releases = 0;
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        const lab = quorumLab(people);
        /** Listed people by the record that they signed. */
        const signedBy = new Map<string, Set<string>>();
        for (const one of acts) {
          const before = heldNow(lab);
          if ('plain' in one) {
            lab.write([unsignedActs[one.plain]]);
            assert.ok(!freed(before, heldNow(lab)), 'an unsigned record releases nothing');
            continue;
          }
          const signer = signers[one.by]!;
          const record = signedActs[one.what]!(lab);
          const key = hashOf(withoutEnvelope(record));
          const names = signedBy.get(key) ?? new Set<string>();
          const name = nameOf.get(signer.keyid);
          if (name !== undefined && twoOfThree.people.includes(name)) names.add(name);
          signedBy.set(key, names);
          signAs(lab, signer, record);
          const isChanged = lab.state.policy.quorum?.rules.every(({ count }) => count === 1) !== false;
          const after = heldNow(lab);
          const released = freed(before, after);
          const dropped = !JSON.stringify(lab.state.policy.quorum).includes(JSON.stringify(twoOfThree.globs));
          if (released || dropped || isChanged)
            assert.ok(names.size >= 2, `${record.kind} by ${[...names].join(', ')}`);
          if (released) releases++;
          // From here on, another rule applies.
          if (dropped || isChanged) return;
        }
      }),
      { numRuns: 1_500 },
    );
    assert.ok(releases > 20, `${String(releases)} releases: the acts reach the rule`);
  });
});
