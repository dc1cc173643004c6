/** Decisions that take several people: what counts, what is kept, and what it needs to change the rule. */
import assert from 'node:assert/strict';
import { latestRevision } from '../../../src/core/rfc/rfc.ts';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import type { Human } from '../../support/store/people.ts';
import { question, work, type Lab } from '../../support/store/lab.ts';
import { shownSharing } from '../../../src/core/decision/workspace.ts';
import type { QuorumRule } from '../../../src/core/records/policy.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import {
  isHeld,
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
const { ada, adasLaptop, grace, linus, bob } = people;

const said = (lab: Lab, signer: Human, record: Unsigned): string => {
  const { admitted, refused } = signAs(lab, signer, record);
  return refused[0]?.why ?? (admitted[0]?.kept ? 'kept' : 'counts');
};
const approvals = (lab: Lab, subject = 'Q-1') =>
  (lab.state.approvals.get(subject) ?? []).map((one) => one.approvals.map(({ name }) => name).join(' '));
const held = (lab: Lab) => isHeld(lab, 'payments/api/pay.ts');

describe('a decision that takes two of three people', () => {
  it('is kept as an approval by one, and counts with the second', () => {
    const lab = quorumLab(people);
    assert.equal(said(lab, grace, jwt), 'kept');
    assert.deepEqual([approvals(lab), held(lab)], [['grace'], true]);
    assert.equal(lab.state.questions.get('Q-1')?.resolution, null);
    assert.equal(said(lab, linus, jwt), 'counts');
    assert.deepEqual([approvals(lab), held(lab)], [[], false]);
    assert.equal(lab.state.questions.get('Q-1')?.resolution?.by, 'linus');
  });

  it('still takes two after the journal was shared, and after one person left the team', () => {
    const all: QuorumRule = { people: ['ada', 'grace', 'linus'], count: 2 };
    const lab = quorumLab(people, [all]);
    const share: Unsigned = { kind: 'store.shared', v: 1, name: 'payments', roots: [ada.pin.publicKey] };
    const unshare: Unsigned = { kind: 'store.unshared', v: 1 };
    for (const move of [share, unshare]) {
      const changes = { shown: hashOf(shownSharing(lab.state)) };
      assert.deepEqual(signAs(lab, ada, move, changes).refused, [], move.kind);
      assert.deepEqual(lab.state.policy.quorum?.rules, [all]);
      assert.match(said(lab, bob, jwt), /a decision by bob is not valid/);
      assert.equal(said(lab, ada, policyRecord([], move === share ? 1 : 2)), 'kept', 'one alone cannot lift the rule');
    }
    assert.equal(said(lab, ada, jwt), 'kept');
    assert.equal(held(lab), true);
    assert.equal(said(lab, grace, jwt), 'counts');
    assert.equal(held(lab), false);
  });

  it('does not count twice for one person: not again, and not with a second key of the same name', () => {
    const lab = quorumLab(people);
    assert.equal(said(lab, ada, jwt), 'kept');
    assert.equal(said(lab, ada, jwt), 'ada has already signed this');
    assert.equal(said(lab, adasLaptop, jwt), 'ada has already signed this');
    assert.deepEqual([approvals(lab), held(lab)], [['ada'], true]);
  });

  it('does not count by somebody whom the rule does not name, whatever the record says', () => {
    const lab = quorumLab(people);
    assert.match(said(lab, bob, jwt), /only ada, grace, linus decide this: a decision by bob is not valid/);
    const posing = { ...bob, name: 'grace' };
    assert.match(said(lab, posing, jwt), /a decision by bob is not valid/);
    assert.deepEqual(approvals(lab), []);
  });

  it('needs two for the same answer: differing ones stand beside each other', () => {
    const lab = quorumLab(people);
    const withReason: Unsigned = {
      kind: 'question.answered',
      v: 1,
      id: 'Q-1',
      answer: { choices: ['JWT'], text: 'For now.' },
    };
    assert.equal(said(lab, ada, jwt), 'kept');
    assert.equal(said(lab, grace, withReason), 'kept');
    assert.equal(said(lab, linus, releaseIt), 'kept');
    assert.deepEqual([approvals(lab), held(lab)], [['ada', 'grace', 'linus'], true]);
    assert.equal(said(lab, ada, withReason), 'counts');
    assert.equal(held(lab), false);
  });

  it('lapses when the question changes: what the first saw is not what the second sees', () => {
    const lab = quorumLab(people);
    assert.equal(said(lab, ada, jwt), 'kept');
    lab.write([{ kind: 'question.escalated', v: 1, id: 'Q-1' }], { kind: 'system', id: 'timer' });
    assert.equal(said(lab, grace, jwt), 'kept');
    assert.equal(held(lab), true);
    assert.equal(said(lab, ada, jwt), 'counts');
  });

  it('no longer counts by a key that was given up', () => {
    const lab = quorumLab(people);
    assert.equal(said(lab, ada, jwt), 'kept');
    const lost: Unsigned = {
      ...{ kind: 'key.retired', v: 1, keyid: ada.keyid, name: 'ada' },
    };
    assert.equal(said(lab, linus, lost), 'counts');
    assert.equal(said(lab, grace, jwt), 'kept');
    assert.equal(held(lab), true);
    assert.equal(said(lab, adasLaptop, jwt), 'counts');
  });

  it('of one person is enough for a no, which refuses at once and holds until two lift it', () => {
    const lab = quorumLab(people);
    assert.equal(said(lab, grace, no), 'counts');
    assert.equal(lab.state.questions.get('Q-1')?.status, 'answered');
    assert.deepEqual([held(lab), lab.state.refused.has('Q-1')], [true, true]);
    assert.match(said(lab, bob, liftIt), /is not valid/);
    assert.equal(said(lab, grace, liftIt), 'kept');
    assert.equal(held(lab), true);
    assert.equal(said(lab, ada, liftIt), 'counts');
    assert.equal(held(lab), false);
  });

  it('is needed to lift a no that holds no work, after the work item has given up its files', () => {
    const lab = quorumLab(people, [{ ...twoOfThree, people: ['ada'], count: 1 }]);
    lab.write([
      work('T5', { holds: ['payments/refunds/**'] }),
      question(3, { work: 'T5', choices: [{ label: 'Yes' }, { label: 'No' }] }),
    ]);
    const lift = { ...liftIt, id: 'Q-3' } as Unsigned;
    assert.equal(said(lab, ada, { ...no, id: 'Q-3' } as Unsigned), 'counts');
    const shrunk = { kind: 'work.updated', v: 1, id: 'T5', removeHolds: ['payments/refunds/**'] };
    assert.deepEqual(lab.write([shrunk]).refused, []);
    assert.match(said(lab, bob, lift), /is not valid/);
    assert.equal(said(lab, ada, lift), 'counts');
  });

  it('is needed after the agent has escalated the question: the rule is for its urgency as raised', () => {
    const lab = quorumLab(people, [{ urgencies: ['high'], people: ['ada'], count: 1 }]);
    lab.write([question(3, { work: 'T4', urgency: 'high' }), { kind: 'question.escalated', v: 1, id: 'Q-3' }]);
    assert.equal(lab.state.questions.get('Q-3')?.urgency, 'critical');
    const answer: Unsigned = { kind: 'question.answered', v: 1, id: 'Q-3', answer: { text: 'Yes.', choices: [] } };
    assert.match(said(lab, bob, answer), /is not valid/);
    assert.equal(said(lab, ada, answer), 'counts');
  });

  it('is not needed for what no rule covers', () => {
    const lab = quorumLab(people);
    assert.equal(
      said(lab, bob, { kind: 'question.answered', v: 1, id: 'Q-2', answer: { text: 'Go on.', choices: [] } }),
      'counts',
    );
    assert.equal(isHeld(lab, 'docs/a.md'), false);
  });

  it('is needed to narrow a hold on all files', () => {
    const lab = quorumLab(people);
    assert.equal(said(lab, bob, { kind: 'hold.widened', v: 1, id: 'Q-2' }), 'counts');
    assert.match(said(lab, bob, { kind: 'hold.narrowed', v: 1, id: 'Q-2' }), /is not valid/);
    assert.equal(said(lab, ada, { kind: 'hold.narrowed', v: 1, id: 'Q-2' }), 'kept');
    assert.equal(isHeld(lab, 'other.ts'), true);
    assert.equal(said(lab, grace, { kind: 'hold.narrowed', v: 1, id: 'Q-2' }), 'counts');
    assert.equal(isHeld(lab, 'other.ts'), false);
  });
});

describe('an RFC that takes two of three people', () => {
  const approve = (lab: Lab): Unsigned => {
    const { number: revision, hash } = latestRevision(lab.state.rfcs.get('RFC-1')!);
    return { kind: 'rfc.approved', v: 1, id: 'RFC-1', revision, hash, conditions: [], constraints: [] };
  };
  const heldByRfc = (lab: Lab) => isHeld(lab, 'payments/rfc/refund.ts');
  const comment = {
    ...{ kind: 'rfc.commented', v: 1, id: 'RFC-1', thread: 1, revision: 1 },
    ...{ type: 'suggestion', section: null, text: 'A thought.', blocking: false },
  } as const satisfies Unsigned;

  it('is approved by two, with comments in between, and not across a revision', () => {
    const lab = quorumLab(people);
    assert.equal(said(lab, grace, approve(lab)), 'kept');
    assert.equal(said(lab, bob, comment), 'counts');
    lab.write([
      {
        ...{ kind: 'rfc.revised', v: 1, id: 'RFC-1', revision: 2 },
        document: {
          title: 'Refunds',
          sections: [{ key: 'summary', heading: 'Summary', text: 'Longer.' }],
          questions: [],
        },
      },
    ]);
    assert.equal(said(lab, ada, approve(lab)), 'kept');
    assert.equal(heldByRfc(lab), true);
    assert.equal(said(lab, linus, { ...comment, thread: 2 }), 'counts');
    assert.equal(said(lab, linus, approve(lab)), 'counts');
    assert.equal(heldByRfc(lab), false);
  });

  it('is sent back by one, which undoes the approval before it', () => {
    const lab = quorumLab(people);
    assert.equal(said(lab, grace, approve(lab)), 'kept');
    assert.equal(
      said(lab, ada, { kind: 'rfc.changesRequested', v: 1, id: 'RFC-1', revision: 1, reason: 'More.' }),
      'counts',
    );
    lab.write([{ kind: 'rfc.submitted', v: 1, id: 'RFC-1', revision: 1 }]);
    assert.equal(said(lab, linus, approve(lab)), 'kept');
    assert.equal(heldByRfc(lab), true);
  });

  it('is rejected by one, and holds what it held until a second has signed the rejection', () => {
    const lab = quorumLab(people);
    const reject: Unsigned = {
      kind: 'rfc.rejected',
      v: 1,
      id: 'RFC-1',
      revision: 1,
      reason: 'No.',
      then: 'another_way',
    };
    assert.equal(said(lab, grace, reject), 'counts');
    assert.deepEqual([lab.state.rfcs.get('RFC-1')?.status, heldByRfc(lab)], ['rejected', true]);
    assert.match(said(lab, ada, approve(lab)), /cannot be approved/);
    assert.equal(said(lab, ada, { ...reject, reason: 'Another reason.' }), 'counts');
    assert.equal(heldByRfc(lab), true);
    assert.equal(said(lab, linus, { ...reject, reason: 'Another reason.' }), 'counts');
    assert.equal(heldByRfc(lab), false);
  });
});

describe('the rule itself', () => {
  it('is changed or removed by its own people only, and in the same number', () => {
    for (const rules of [[], [{ ...twoOfThree, count: 1 }], [{ ...twoOfThree, people: ['bob', 'ada'] }]]) {
      const lab = quorumLab(people);
      assert.match(said(lab, bob, policyRecord(rules)), /is not valid/);
      assert.equal(said(lab, ada, policyRecord(rules)), 'kept');
      assert.deepEqual(lab.state.policy.quorum?.rules, [twoOfThree]);
      assert.equal(said(lab, linus, policyRecord(rules)), 'counts');
      assert.deepEqual(lab.state.policy.quorum.rules, rules);
    }
  });

  it('leaves the rest of the policy to everybody, and new rules too', () => {
    const lab = quorumLab(people);
    const more = { types: ['approval' as const], people: ['bob'], count: 1 };
    assert.equal(said(lab, bob, policyRecord([more, twoOfThree], 48)), 'counts');
    assert.deepEqual(lab.state.policy.quorum?.rules, [more, twoOfThree]);
    assert.equal(lab.state.policy.questionLifeHours, 48);
  });

  it('names each person once, and no more people than it asks for', () => {
    const lab = quorumLab(people);
    const wrong = (changes: object) => () => said(lab, ada, policyRecord([{ ...twoOfThree, ...changes }]));
    assert.throws(wrong({ people: ['ada', 'Ada '] }), /name a person twice/);
    assert.throws(wrong({ count: 4 }), /asks for more people than it lists/);
    assert.throws(wrong({ count: 0 }));
  });
});
