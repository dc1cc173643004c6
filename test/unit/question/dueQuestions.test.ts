/** What happens to questions over time, and how many an agent may have open. */
import assert from 'node:assert/strict';
import { asyncWaiting, crowd, openAtMost } from '../../../src/core/hold/holds.ts';
import { dueChange, expiryOf, questionKey } from '../../../src/core/question/question.ts';
import { urgencies } from '../../../src/core/kit/words.ts';
import { makeLab, noon, question, work } from '../../support/store/lab.ts';

describe('questions over time', () => {
  const lab = makeLab();
  lab.write([
    work('T1'),
    question(1, { work: 'T1', expiresAt: noon }),
    question(2, { work: 'T1', expiresAt: noon, mode: 'async' }),
    question(3, { work: 'T1', expiresAt: noon, urgency: 'critical' }),
    question(4, { work: 'T1', expiresAt: '2026-03-02T12:00:00.001Z' }),
    question(5, { work: 'T1', expiresAt: noon }),
    { kind: 'question.expired', v: 1, id: 'Q-5' },
  ]);
  const due = (onExpiry: 'expire' | 'escalate') => {
    lab.state.policy = { ...lab.state.policy, onExpiry };
    return [1, 2, 3, 4, 5].map((number) => dueChange(lab.state, lab.state.questions.get(`Q-${String(number)}`)!, noon));
  };

  it('expire at their time, once', () => {
    assert.deepEqual(due('expire'), ['expire', 'expire', 'expire', null, null]);
  });

  it('escalate if they are sync and the policy says so, once, and then stay open', () => {
    assert.deepEqual(due('escalate'), ['escalate', 'expire', null, null, null]);
  });

  it('stay open as long as the policy says for their urgency', () => {
    const { state } = makeLab();
    const ends = () => urgencies.map((urgency) => `${urgency} ${expiryOf(state, urgency, noon).slice(5, 13)}`);
    assert.deepEqual(ends(), ['low 03-09T12', 'medium 03-05T12', 'high 03-03T12', 'critical 03-03T12']);
    state.policy = { ...state.policy, questionLifeHours: 1 };
    assert.deepEqual(new Set(ends().map((one) => one.slice(-8))), new Set(['03-02T13']));
    state.policy = { ...state.policy, questionLife: { critical: 1, high: 2, medium: 3, low: 4 } };
    assert.deepEqual(ends(), ['low 03-02T16', 'medium 03-02T15', 'high 03-02T14', 'critical 03-02T13']);
  });

  it('are duplicates if agent, work item and normalized text match', () => {
    assert.equal(questionKey('a-001', null, 'Which  Way?'), questionKey('a-001', null, 'which way?'));
    const keys = [questionKey('a-001', null, 'x'), questionKey('a-001', 'T1', 'x'), questionKey('a-002', 'T1', 'x')];
    assert.equal(new Set([...keys, questionKey('a-001', 'T1', 'y')]).size, 4);
  });
});

describe('an agent’s open questions', () => {
  it('include async ones, which hold nothing', () => {
    const lab = makeLab();
    const asker = { kind: 'agent', id: 'claude-002', worktree: '.' } as const;
    lab.write([
      question(1, { mode: 'async' }),
      question(2),
      question(3, { mode: 'async' }),
      question(4, { mode: 'async' }),
    ]);
    lab.write([{ kind: 'question.expired', v: 1, id: 'Q-3' }]);
    lab.write([question(5, { mode: 'async' })], asker);
    assert.deepEqual(
      ['copilot-001', 'claude-002', 'nobody-003'].map((id) => asyncWaiting(lab.state, id)),
      [2, 1, 0],
    );
  });

  it('exceed the limit counted per agent, oldest first', () => {
    const lab = makeLab();
    lab.write(Array.from({ length: openAtMost.holders - 1 }, (_, index) => question(index + 1)));
    const asker = { kind: 'agent', id: 'claude-002', worktree: '.' } as const;
    lab.write([question(openAtMost.holders)], asker);
    assert.deepEqual(crowd(lab.state, 'copilot-001'), []);
    lab.write([question(openAtMost.holders + 1)]);
    const own = crowd(lab.state, 'copilot-001');
    assert.deepEqual([own.length, own[0]?.id, own.at(-1)?.id], [openAtMost.holders, 'Q-1', 'Q-1001']);
    assert.deepEqual(crowd(lab.state, 'claude-002'), []);
  });
});
