import assert from 'node:assert/strict';
import type { Policy } from '../../../src/core/state/state.ts';
import { changedPolicy } from '../../../src/vscode/workspace/policyChange.ts';

const shown = {
  lifeHours: 24,
  onExpiry: 'expire',
  overdue: 'alert',
  readOnlyTools: [] as string[],
  reviewOnSubmit: false,
  ageDays: 0,
} as const;
const policy: Policy = { questionLifeHours: 24, onExpiry: 'expire' };
const life = { questionLifeHours: 24, onExpiry: 'expire' };

describe('what a form of the policy changes', () => {
  it('is nothing where it is so already', () => {
    assert.equal(changedPolicy(policy, shown), null);
    const full: Policy = { ...policy, review: { onSubmit: true }, memory: { ageDays: 7 } };
    assert.equal(changedPolicy(full, { ...shown, reviewOnSubmit: true, ageDays: 7 }), null);
  });

  it('is only what is different', () => {
    assert.deepEqual(changedPolicy(policy, { ...shown, reviewOnSubmit: true }), {
      ...life,
      review: { onSubmit: true },
    });
    assert.deepEqual(changedPolicy(policy, { ...shown, ageDays: 7 }), { ...life, memory: { ageDays: 7 } });
    assert.deepEqual(changedPolicy({ ...policy, memory: { ageDays: 7 }, review: { onSubmit: true } }, shown), {
      ...life,
      review: { onSubmit: false },
      memory: { ageDays: 0 },
    });
  });
});
