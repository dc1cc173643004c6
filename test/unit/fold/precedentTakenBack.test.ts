/** Taking back the use of a precedent that refused something, where the policy says who may lift a refusal. */
import assert from 'node:assert/strict';
import { shownPrecedent } from '../../../src/core/precedent/matching.ts';
import type { PrecedentTerms } from '../../../src/core/precedent/matching.ts';
import { shownAnswer } from '../../../src/core/question/question.ts';
import type { QuorumRule } from '../../../src/core/records/quorum.ts';
import { refusalOf } from '../../../src/core/state/answerEffect.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { makeLab, question, work } from '../../support/store/lab.ts';
import { asksForPrecedents } from '../../support/store/precedentLab.ts';
import { makePeople, policyRecord, signAs } from '../../support/store/quorumLab.ts';

const choices = [{ label: 'Drop' }, { label: 'Keep' }];
const answer = { choices: ['Keep'], effect: 'do_not' } as const;
const terms: PrecedentTerms = {
  ...{
    id: 'P-1',
    from: 'Q-1',
    work: null,
    globs: [],
    type: 'clarification',
    text: 'Drop the table {t: word}?',
    more: {},
  },
  ...{ choices: choices.map(({ label }) => ({ label, recommended: false })), multiple: false, freeText: true },
  ...{ answer: { choices: [...answer.choices], effect: answer.effect }, until: '2026-04-01T00:00:00.000Z', uses: 5 },
};

describe('the use of a precedent that refused', () => {
  /** Q-2 is refused by P-1, and then the policy has this rule. */
  function refused(rule?: QuorumRule) {
    const { ada, ...others } = makePeople();
    const lab = makeLab(ada, Object.values(others));
    lab.write([asksForPrecedents, work('T1'), question(1, { work: 'T1', text: 'Drop the table users?', choices })]);
    signAs(lab, ada, {
      kind: 'question.answered',
      v: 1,
      id: 'Q-1',
      answer: { ...answer, choices: [...answer.choices] },
    });
    const shown = hashOf(shownPrecedent(lab.state, terms));
    assert.deepEqual(signAs(lab, ada, { kind: 'precedent.set', v: 1, ...terms }, { shown }).refused, []);
    const asked = question(2, { work: 'T1', mode: 'async', text: 'Drop the table orders?', choices });
    lab.write([asked, { kind: 'precedent.used', v: 1, id: 'Q-2', precedent: 'P-1' }]);
    if (rule) signAs(lab, ada, policyRecord([rule]));
    const now = () => {
      const found = lab.state.questions.get('Q-2');
      assert.ok(found);
      return found;
    };
    const takeBack = () => {
      const record = { kind: 'precedent.takenBack', v: 1, id: 'Q-2', reason: 'Too broad.' } as const;
      const by = { shown: hashOf(shownAnswer(lab.state, now())) };
      return signAs(lab, others.bob, record, by).refused.map(({ why }) => why);
    };
    return { now, takeBack };
  }

  it('is taken back by one person without such a rule', () => {
    const { now, takeBack } = refused();
    assert.equal(refusalOf(now()), 'do_not');
    assert.deepEqual(takeBack(), []);
    assert.equal(now().status, 'pending');
  });

  it('keeps its refusal until the people of the rule have lifted it', () => {
    const { now, takeBack } = refused({ types: ['clarification'], people: ['ada', 'grace'], count: 2 });
    assert.deepEqual(takeBack(), ['the policy says who may lift the refusal of Q-2: lift it first']);
    assert.equal(refusalOf(now()), 'do_not');
  });
});
