import assert from 'node:assert/strict';
import { shownAnswerHash, shownHash } from '../../../src/app/decision/decisions.ts';
import { answeredBefore } from '../../../src/core/question/question.ts';
import { heldWork } from '../../support/store/heldWork.ts';
import { type Lab, makeLab, question, update, work } from '../../support/store/lab.ts';
import { makeHuman } from '../../support/store/people.ts';

describe('reuse of answers', () => {
  const asking = { work: 'T1', text: 'JWT or sessions?', type: 'decision', urgency: 'medium' } as const;

  /** Two tasks; Q-1 on the first is answered. */
  function answered(more: object = {}): Lab {
    const lab = makeLab();
    lab.write([work('T1'), work('T2'), question(1, { ...asking, ...more })]);
    const answer = 'choices' in more ? { choices: ['Yes'] } : { text: 'JWT.', choices: [] };
    lab.write([lab.signed({ kind: 'question.answered', v: 1, id: 'Q-1', answer })]);
    assert.equal(lab.state.questions.get('Q-1')?.status, 'answered');
    return lab;
  }

  const before = (lab: Lab, changes: object = {}) =>
    answeredBefore(lab.state, 'claude-002', { ...asking, ...changes })?.id ?? null;

  const reused = { kind: 'answer.reused', v: 1, id: 'Q-1', agent: 'claude-002' } as const;

  const revoked = { kind: 'answer.revoked', v: 1, id: 'Q-1', reason: 'The partners want sessions.' } as const;

  const revoke = (lab: Lab) =>
    lab.signed(revoked, { shown: shownAnswerHash(lab.state, lab.state.questions.get('Q-1')!) });

  function check(name: string, changes: object, expected: 'Q-1' | null, was: object = {}): void {
    it(`${expected === null ? 'asks a human' : 'gives the earlier answer'}: ${name}`, () => {
      assert.equal(before(answered(was), changes), expected);
    });
  }

  check('the same text on the same work item', {}, 'Q-1');
  check('other case and white space', { text: '  jwt OR\n sessions? ' }, 'Q-1');
  check('a clarification after a decision', { type: 'clarification' }, 'Q-1');
  check('another text', { text: 'JWT or cookies?' }, null);
  check('another work item', { work: 'T2' }, null);
  check('no work item', { work: null }, null);
  check('no work item both times', { work: null }, null, { work: null });
  check('an approval', { type: 'approval' }, null);
  check('after a critical question', {}, null, { urgency: 'critical' });
  check('a critical question', { urgency: 'critical' }, null);
  check('after an approval', {}, null, {
    type: 'approval',
    choices: [{ label: 'Yes' }, { label: 'No' }],
    freeText: false,
  });

  it('asks a human while the question is open and after it was cancelled, released or has expired', () => {
    for (const end of [
      null,
      { kind: 'question.cancelled', v: 1, id: 'Q-1', reason: 'x' } as const,
      { kind: 'question.released', v: 1, id: 'Q-1', note: 'x' } as const,
      'expired',
    ] as const) {
      const lab = makeLab();
      lab.write([work('T1'), question(1, asking)]);
      if (end === 'expired') lab.write([{ kind: 'question.expired', v: 1, id: 'Q-1' }]);
      else if (end) lab.write([lab.signed(end)]);
      assert.equal(before(lab), null);
    }
  });

  it('asks a human while the same question is open again with a reason, since the answer is in doubt', () => {
    const lab = answered();
    const again = { ...asking, reopens: 'Q-1', reopenReason: 'Two partners left.' };
    assert.deepEqual(lab.write([question(2, again)]).refused, []);
    assert.equal(before(lab), null);
    lab.write([lab.signed({ kind: 'question.answered', v: 1, id: 'Q-2', answer: { text: 'Sessions.', choices: [] } })]);
    assert.equal(before(lab), 'Q-2');
  });

  it('rejects a reason to reopen an unknown question', () => {
    const [refusal] = answered().write([question(2, { ...asking, reopens: 'Q-7' })]).refused;
    assert.equal(refusal?.why, 'there is no question Q-7');
  });

  it('releases nothing and holds nothing', () => {
    const lab = answered();
    lab.write([update('T1', { addDependsOn: ['T2'] }), question(2, { work: 'T2', text: 'Other?' })]);
    const held = [...heldWork(lab.state).keys()];
    assert.deepEqual(held.sort(), ['T1', 'T2']);
    const state = JSON.stringify([...lab.state.questions.values()]);
    assert.deepEqual(lab.write([reused]).refused, []);
    assert.deepEqual([...heldWork(lab.state).keys()].sort(), held);
    assert.equal(JSON.stringify([...lab.state.questions.values()]), state);
  });

  it('is not recorded for a question that has no reusable answer or does not exist', () => {
    const lab = answered();
    lab.write([question(2, { ...asking, work: 'T2' }), question(3, { work: 'T2', type: 'approval' })]);
    lab.write([
      lab.signed({ kind: 'question.answered', v: 1, id: 'Q-3', answer: { text: 'Yes, go on.', choices: [] } }),
    ]);
    for (const [id, why] of [
      ['Q-2', 'the answer of Q-2 cannot be reused'],
      ['Q-3', 'the answer of Q-3 cannot be reused'],
      ['Q-9', 'there is no question Q-9'],
    ] as const)
      assert.equal(lab.write([{ ...reused, id }]).refused[0]?.why, why);
    assert.equal(heldWork(lab.state).get('T2')?.size, 1, 'Q-2 is still open');
  });

  describe('revoked by a human', () => {
    it('stops, but what the answer released stays released', () => {
      const lab = answered();
      assert.deepEqual(lab.write([revoke(lab)]).refused, []);
      const { status, revoked: now } = lab.state.questions.get('Q-1')!;
      assert.equal(status, 'answered');
      assert.equal(now?.reason, revoked.reason);
      assert.equal(now.by, 'Ada');
      assert.equal(before(lab), null);
      assert.match(lab.write([reused]).refused[0]?.why ?? '', /cannot be reused/);
      assert.equal(heldWork(lab.state).size, 0);
    });

    it('stays revoked although an older answer to the same text exists', () => {
      const lab = answered();
      lab.write([question(2, { ...asking, reopens: 'Q-1', reopenReason: 'x' })]);
      lab.write([lab.signed({ kind: 'question.answered', v: 1, id: 'Q-2', answer: { text: 'Both.', choices: [] } })]);
      const shown = shownAnswerHash(lab.state, lab.state.questions.get('Q-2')!);
      assert.deepEqual(lab.write([lab.signed({ ...revoked, id: 'Q-2' }, { shown })]).refused, []);
      assert.equal(before(lab), null);
    });

    it('can be revoked only once', () => {
      const lab = answered();
      lab.write([revoke(lab)]);
      assert.match(lab.write([revoke(lab)]).refused[0]?.why ?? '', /was revoked at/);
    });

    it('requires an answer', () => {
      const lab = makeLab();
      lab.write([work('T1'), question(1, asking)]);
      const [refusal] = lab.write([revoke(lab)]).refused;
      assert.equal(refusal?.why, 'Q-1 has no answer to revoke');
      assert.ok(heldWork(lab.state).has('T1'));
    });

    const forgeries: readonly [name: string, forge: (lab: Lab) => unknown, why: RegExp][] = [
      ['without a signature', () => revoked, /^is malformed: envelope/],
      [
        'by a stranger’s signature',
        (lab) =>
          lab.signed(revoked, {
            signer: makeHuman(),
            shown: shownAnswerHash(lab.state, lab.state.questions.get('Q-1')!),
          }),
        /a key that no human enrolled/,
      ],
      [
        'for what was not displayed',
        (lab) => lab.signed(revoked, { shown: shownHash(lab.state, lab.state.questions.get('Q-1')!) }),
        /^Q-1 has changed since it was shown/,
      ],
      [
        'for another reason than the signed one',
        (lab) => ({ ...(revoke(lab) as object), reason: 'Because.' }),
        /content is not what was signed/,
      ],
    ];
    for (const [name, forge, why] of forgeries)
      it(`is not revoked ${name}`, () => {
        const lab = answered();
        const [refusal] = lab.write([forge(lab)]).refused;
        assert.equal(refusal?.reason, 'forgery');
        assert.match(refusal.why, why);
        assert.equal(before(lab), 'Q-1');
      });
  });
});
