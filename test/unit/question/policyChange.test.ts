import assert from 'node:assert/strict';
import { urgencies } from '../../../src/core/kit/words.ts';
import type { Policy } from '../../../src/core/state/state.ts';
import { policyMessage } from '../../../src/ui/answer/messages.ts';
import { changedPolicy, rulesProblem, type PolicyValues } from '../../../src/ui/answer/policy.ts';

const shown = {
  lifeHours: { critical: 24, high: 24, medium: 72, low: 168 },
  onExpiry: 'expire',
  overdue: 'alert',
  readOnlyTools: [] as string[],
  reviewOnSubmit: false,
  ageDays: 0,
  reminders: { critical: 5, high: 30, medium: 0, low: 0 },
  parking: { critical: 4, high: 4, medium: 4, low: 4 },
  interruptions: {
    urgencies: { critical: 'now', high: 'now', medium: 'now', low: 'now' },
    ...{ agents: [], digestMinutes: 30, perHour: 0 },
  },
  resuming: [] as PolicyValues['resuming'],
  ...{ undoSeconds: 5 },
  tickedUpTo: 'high',
  rules: [] as string[],
} as const;
const policy: Policy = { questionLifeHours: 24, onExpiry: 'expire' };
const life = { questionLifeHours: 24, onExpiry: 'expire' };

describe('the change from a policy form', () => {
  it('is null if nothing differs', () => {
    assert.equal(changedPolicy(policy, shown), null);
    const full: Policy = { ...policy, review: { onSubmit: true }, memory: { ageDays: 7 } };
    assert.equal(changedPolicy(full, { ...shown, reviewOnSubmit: true, ageDays: 7 }), null);
    assert.equal(changedPolicy({ ...policy, undo: { seconds: 9 } }, { ...shown, undoSeconds: 9 }), null);
    const reminders = { critical: 1, high: 2, medium: 3, low: 4 };
    assert.equal(changedPolicy({ ...policy, reminders }, { ...shown, reminders }), null);
  });

  it('covers every value of the form', () => {
    const others: Record<keyof PolicyValues, Partial<PolicyValues>> = {
      lease: { lease: { seconds: 1, strictGlobs: [], after: 'deny' } },
      lifeHours: { lifeHours: { ...shown.lifeHours, low: 1 } },
      onExpiry: { onExpiry: 'escalate' },
      overdue: { overdue: 'escalate' },
      reassignTo: { overdue: 'reassign', reassignTo: 'jane@app' },
      readOnlyTools: { readOnlyTools: ['docs/search'] },
      reviewOnSubmit: { reviewOnSubmit: true },
      ageDays: { ageDays: 7 },
      reminders: { reminders: { ...shown.reminders, low: 7 } },
      parking: { parking: { ...shown.parking, low: 7 } },
      interruptions: { interruptions: { ...shown.interruptions, perHour: 7 } },
      resuming: { resuming: ['codex'] },
      undoSeconds: { undoSeconds: 7 },
      tickedUpTo: { tickedUpTo: 'none' },
      rules: { rules: ['payments/**: 2 of ada, grace'] },
    };
    const before: Policy = { ...policy, overdue: { action: 'reassign', reassignTo: 'joe@app' } };
    for (const [name, other] of Object.entries(others)) {
      const from = name === 'reassignTo' ? before : policy;
      assert.notEqual(changedPolicy(from, { ...shown, ...other }), null, name);
    }
  });

  it('contains only the differences', () => {
    assert.deepEqual(changedPolicy(policy, { ...shown, tickedUpTo: 'low' }), {
      ...life,
      assumptions: { tickedUpTo: 'low' },
    });
    assert.deepEqual(changedPolicy(policy, { ...shown, reviewOnSubmit: true }), {
      ...life,
      review: { onSubmit: true },
    });
    assert.deepEqual(changedPolicy(policy, { ...shown, ageDays: 7 }), { ...life, memory: { ageDays: 7 } });
    assert.deepEqual(changedPolicy(policy, { ...shown, undoSeconds: 0 }), { ...life, undo: { seconds: 0 } });
    assert.deepEqual(changedPolicy({ ...policy, undo: { seconds: 0 } }, shown), { ...life, undo: { seconds: 5 } });
    assert.deepEqual(changedPolicy({ ...policy, memory: { ageDays: 7 }, review: { onSubmit: true } }, shown), {
      ...life,
      review: { onSubmit: false },
      memory: { ageDays: 0 },
    });
    for (const urgency of urgencies) {
      const reminders = { ...shown.reminders, [urgency]: 7 };
      assert.deepEqual(changedPolicy(policy, { ...shown, reminders }), { ...life, reminders });
      // Restoring the defaults is a change if a human had set something else.
      const { reminders: defaults } = shown;
      assert.deepEqual(changedPolicy({ ...policy, reminders }, shown), { ...life, reminders: defaults });
    }
  });

  it('accepts only reminders of 0 to 1,440 whole minutes for each urgency', () => {
    const isTaken = (reminders: object) => {
      const marks = { act: 'a-1', key: 'w1/policy', shown: 'sha256', render: 'r-1', name: 'Ada' };
      return policyMessage.safeParse({ type: 'policy', ...marks, ...shown, reminders, confirmed: true }).success;
    };
    const { reminders } = shown;
    assert.ok(isTaken(reminders));
    for (const minutes of [0, 1_440]) assert.ok(isTaken({ ...reminders, low: minutes }));
    for (const minutes of [-1, 1_441, 0.5, NaN, '5', null, undefined])
      for (const urgency of urgencies) assert.ok(!isTaken({ ...reminders, [urgency]: minutes }), String(minutes));
    assert.ok(!isTaken({ ...reminders, urgent: 5 }));
  });

  it('covers the lease of a shared workspace, and leaves it alone where the form has none', () => {
    const lease = { seconds: 15 * 60, strictGlobs: [] as string[], after: 'deny' as const };
    assert.equal(changedPolicy(policy, { ...shown, lease }), null, 'the default');
    const strict = { seconds: 60, strictGlobs: ['payments/**'], after: 'allow' as const };
    assert.deepEqual(changedPolicy(policy, { ...shown, lease: strict }), { ...life, lease: strict });
    assert.deepEqual(changedPolicy({ ...policy, lease: strict }, { ...shown, lease }), { ...life, lease });
    assert.equal(changedPolicy({ ...policy, lease: strict }, shown), null);
  });

  it('accepts only 0 to 60 whole seconds to undo', () => {
    const isTaken = (undoSeconds: unknown) => {
      const marks = { act: 'a-1', key: 'w1/policy', shown: 'sha256', render: 'r-1', name: 'Ada' };
      return policyMessage.safeParse({ type: 'policy', ...marks, ...shown, undoSeconds, confirmed: true }).success;
    };
    for (const seconds of [0, 5, 60]) assert.ok(isTaken(seconds), String(seconds));
    for (const seconds of [-1, 61, 0.5, NaN, '5', null, undefined]) assert.ok(!isTaken(seconds), String(seconds));
  });
});

describe('rules on passkeys in a policy form', () => {
  it('are lines beside the rules on people, and change only what differs', () => {
    const rules = ['payments/**: 1 of ada', 'critical: passkey'];
    const change = changedPolicy(policy, { ...shown, rules });
    const quorum = { rules: [{ globs: ['payments/**'], people: ['ada'], count: 1 }] };
    const passkeys = { rules: [{ urgencies: ['critical'] }] } as const;
    assert.deepEqual(change, { ...life, quorum, passkeys });
    assert.equal(changedPolicy({ ...policy, quorum, passkeys }, { ...shown, rules }), null);
    const without = changedPolicy({ ...policy, quorum, passkeys }, { ...shown, rules: rules.slice(0, 1) });
    assert.deepEqual(without, { ...life, passkeys: { rules: [] } });
    assert.deepEqual(rulesProblem(['critical: passkeys'], ['ada']), { kind: 'line', text: 'critical: passkeys' });
    assert.equal(rulesProblem(rules, ['ada']), null);
  });
});
