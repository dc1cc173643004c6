/** Decisions that do not concern a single question: the policy and the journal itself. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { subjectOf } from '../../../src/core/records/decision.ts';
import { shownPolicy } from '../../../src/core/question/question.ts';
import { hashOf } from '../../../src/trust/canonical.ts';
import { makeLab, question, type Lab } from '../../support/store/lab.ts';

const human = { kind: 'human', id: 'Ada' } as const;
const policy = (more: object = {}): Unsigned => ({
  kind: 'policy.changed',
  v: 1,
  questionLifeHours: 48,
  onExpiry: 'escalate',
  ...more,
});
const shownNow = (lab: Lab) => ({ shown: hashOf(shownPolicy(lab.state)) });
const change = (lab: Lab, more: object = {}) => lab.write([lab.signed(policy(more), shownNow(lab))], human);

describe('a policy decision', () => {
  it('is what a human signed; settings of later versions stay unless the change names them', () => {
    const lab = makeLab();
    assert.deepEqual(change(lab).refused, []);
    assert.deepEqual(lab.state.policy, { questionLifeHours: 48, onExpiry: 'escalate' });
    const more = {
      ...{ overdue: { action: 'alert' }, hooks: { readOnlyTools: ['look'] } },
      resuming: { hosts: ['codex'] },
      quorum: { rules: [] },
      precedents: { never: [{ types: ['decision'] }] },
      fence: { heldFiles: true },
    };
    assert.deepEqual(change(lab, more).refused, []);
    assert.deepEqual(lab.state.policy, { questionLifeHours: 48, onExpiry: 'escalate', ...more });
    assert.deepEqual(change(lab, { questionLifeHours: 2, hooks: { readOnlyTools: [] } }).refused, []);
    const expected = { questionLifeHours: 2, onExpiry: 'escalate', ...more, hooks: { readOnlyTools: [] } };
    assert.deepEqual(lab.state.policy, expected);
  });

  it('rejects a decision on another displayed state, a signature for another content and a reused signature', () => {
    const lab = makeLab();
    const before = shownNow(lab);
    assert.deepEqual(change(lab).refused, []);
    const refusal = (record: unknown) => {
      const { admitted, refused } = lab.write([record], human);
      assert.deepEqual(admitted, []);
      assert.deepEqual(lab.state.policy, { questionLifeHours: 48, onExpiry: 'escalate' });
      assert.equal(refused[0]?.reason, 'forgery');
      return refused[0].why;
    };
    assert.equal(refusal(lab.signed(policy(), before)), 'policy has changed since it was shown');
    const signed = lab.signed(policy({ questionLifeHours: 9 }), shownNow(lab)) as object;
    assert.equal(refusal({ ...signed, questionLifeHours: 10 }), 'its content is not what was signed');
    const nonce = randomUUID();
    const once = makeLab(lab.human);
    const twice = () => once.write([once.signed(policy(), { ...shownNow(once), nonce })], human).refused[0]?.why;
    assert.deepEqual([twice(), twice()], [undefined, 'its signature was used before']);
  });

  it('rejects a signature given for the journal', () => {
    const lab = makeLab();
    const { envelope } = lab.signed({ kind: 'journal.restored', v: 1, lost: 0 }) as { envelope: object };
    const [refusal] = lab.write([{ ...policy(), envelope }], human).refused;
    assert.equal(refusal?.why, 'its signature was given for journal.restored');
  });

  it('a decision names its subject', () => {
    const lab = makeLab();
    lab.write([question(1)]);
    const about = (record: Unsigned) => subjectOf(lab.signed(record) as Parameters<typeof subjectOf>[0]);
    assert.equal(about(policy()), 'policy');
    assert.equal(about({ kind: 'journal.restored', v: 1, lost: 0 }), 'journal');
    assert.equal(about({ kind: 'question.released', v: 1, id: 'Q-1', note: 'Go on.' }), 'Q-1');
  });

  it('a signed decision about the journal does not change the folded state, and counts once', () => {
    const lab = makeLab();
    lab.write([question(1)]);
    const { admitted } = lab.write([lab.signed({ kind: 'journal.restored', v: 1, lost: 0 })], human);
    assert.equal(admitted[0]?.signed?.keyid, lab.human.keyid);
    assert.equal(lab.state.questions.get('Q-1')?.resolution, null);
  });

  it('a journal without a first record accepts no decision', () => {
    const lab = makeLab();
    lab.state.workspace = null;
    const { admitted, refused } = lab.write([lab.signed({ kind: 'journal.restored', v: 1, lost: 0 })], human);
    assert.deepEqual(admitted, []);
    assert.equal(refused.length, 1);
  });
});
