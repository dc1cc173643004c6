import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { shownHash, type Unsigned } from '../../../src/app/decision/decisions.ts';
import { blocksOf } from '../../../src/core/hold/holds.ts';
import type { Envelope } from '../../../src/core/records/parts.ts';
import { isWaiting } from '../../../src/core/state/state.ts';
import { makeLab, question, update, work, workspaceId, type Lab } from '../../support/store/lab.ts';
import { makeHuman } from '../../support/store/people.ts';

const answered: Unsigned = { kind: 'question.answered', v: 1, id: 'Q-1', answer: { text: 'Yes.', choices: [] } };
const cancelled = { kind: 'question.cancelled', v: 1, id: 'Q-1', reason: 'Not wanted.' } as const;
const released = { kind: 'question.released', v: 1, id: 'Q-1', note: 'Go on.' } as const;
type Signed = Unsigned & { readonly envelope: Envelope };

/** Two tasks, each with a sync question. */
function asked(): Lab {
  const lab = makeLab();
  lab.write([work('T1'), work('T2'), question(1, { work: 'T1' }), question(2, { work: 'T2' })]);
  return lab;
}

describe('decisions', () => {
  describe('signed by a human', () => {
    function check(
      record: Unsigned,
      expected: { status: string; how: string; note: string | null; text?: string },
    ): void {
      it(record.kind, () => {
        const lab = asked();
        const { admitted, refused } = lab.write([lab.signed(record)], { kind: 'human', id: 'Ada' });
        assert.deepEqual(refused, []);
        assert.equal(admitted[0]?.signed?.keyid, lab.human.keyid);
        const { status, resolution } = lab.state.questions.get('Q-1')!;
        assert.equal(status, expected.status);
        assert.equal(resolution?.how, expected.how);
        assert.equal(resolution.note, expected.note);
        assert.equal(resolution.answer?.text, expected.text);
        assert.deepEqual(blocksOf(lab.state, 'T1'), []);
        assert.equal(blocksOf(lab.state, 'T2').length, 1, 'the other question still holds');
      });
    }

    check(answered, { status: 'answered', how: 'answered', note: null, text: 'Yes.' });
    check(cancelled, { status: 'cancelled', how: 'cancelled', note: 'Not wanted.' });
    check(released, { status: 'cancelled', how: 'released', note: 'Go on.' });

    it('can answer or release an expired question, but not cancel it', () => {
      for (const ending of [answered, released]) {
        const lab = asked();
        lab.write([{ kind: 'question.expired', v: 1, id: 'Q-1' }]);
        const [refusal] = lab.write([lab.signed(cancelled)]).refused;
        assert.match(refusal?.why ?? '', /has expired: it can only be answered or released/);
        assert.ok(isWaiting(lab.state.questions.get('Q-1')!));
        assert.deepEqual(lab.write([lab.signed(ending)]).refused, []);
        assert.deepEqual(blocksOf(lab.state, 'T1'), []);
        assert.ok(!isWaiting(lab.state.questions.get('Q-1')!));
      }
    });

    it('count once: the second is refused and names the first one’s time', () => {
      const lab = asked();
      lab.write([lab.signed(answered)]);
      const [refusal] = lab.write([lab.signed(cancelled)]).refused;
      assert.equal(refusal?.reason, 'invalid');
      assert.match(refusal.why, /already decided at 2026-/);
      assert.equal(lab.state.questions.get('Q-1')?.status, 'answered');
    });

    it('can release an expired question without releasing a newer one of the same text', () => {
      const lab = makeLab();
      const same = { text: 'Which way?' };
      lab.write([question(1, same), { kind: 'question.expired', v: 1, id: 'Q-1' }, question(2, same)]);
      assert.deepEqual(lab.write([lab.signed(released)]).refused, []);
      const [refusal] = lab.write([question(3, same)]).refused;
      assert.equal(refusal?.why, 'Q-2 asks the same and is still open');
    });
  });

  describe('not made by a human', () => {
    /** @param reason a malformed record is not an attempt to forge a decision */
    function check(name: string, forge: (lab: Lab) => unknown, why: RegExp, { reason = 'forgery' } = {}): void {
      it(name, () => {
        const lab = asked();
        const { admitted, refused } = lab.write([forge(lab)], { kind: 'human', id: 'Ada' });
        assert.deepEqual(admitted, []);
        assert.equal(refused[0]?.reason, reason);
        assert.match(refused[0].why, why);
        assert.deepEqual(lab.state.refusals.at(-1), refused[0], 'the refusal is listed');
        for (const [task, id] of [
          ['T1', 'Q-1'],
          ['T2', 'Q-2'],
        ] as const) {
          assert.deepEqual(
            blocksOf(lab.state, task).map(({ holder }) => holder.id),
            [id],
          );
          assert.equal(lab.state.questions.get(id)?.resolution, null);
        }
      });
    }

    const stranger = makeHuman('Ada');
    const edited = (lab: Lab, changes: object) => ({ ...(lab.signed(answered) as Signed), ...changes });

    check('have no effect without an envelope', () => answered, /^is malformed: envelope/);
    check('have no effect with an empty envelope', () => ({ ...answered, envelope: {} }), /^is malformed: envelope/);
    check(
      'have no effect without a signature',
      (lab) => edited(lab, { envelope: { ...(lab.signed(answered) as Signed).envelope, signatures: [] } }),
      /^is malformed: envelope.signatures/,
    );
    check(
      'have no effect with a self-made key',
      (lab) => lab.signed(answered, { signer: stranger }),
      /a key that no human enrolled/,
    );
    check(
      'have no effect with a self-made key under a pinned key’s ID',
      (lab) => lab.signed(answered, { signer: { ...stranger, keyid: lab.human.keyid } }),
      /has no valid signature/,
    );
    check(
      'have no effect with a truncated signature',
      (lab) => {
        const { envelope } = lab.signed(answered) as Signed;
        return edited(lab, { envelope: { ...envelope, signatures: [{ keyid: lab.human.keyid, sig: 'AAAA' }] } });
      },
      /has no valid signature/,
    );
    check(
      'have no effect with an edited payload',
      (lab) => {
        const { envelope } = lab.signed(answered) as Signed;
        const text = Buffer.from(envelope.payload, 'base64').toString().replace('"Q-1"', '"Q-2"');
        return { ...answered, id: 'Q-2', envelope: { ...envelope, payload: Buffer.from(text).toString('base64') } };
      },
      /has no valid signature/,
    );
    check(
      'have no effect with a genuine signature over something else',
      (lab) => {
        const payload = Buffer.from('{"paid":true}');
        const sig = Buffer.from(
          lab.human.sign(
            Buffer.concat([
              Buffer.from(`DSSEv1 39 application/vnd.holdpoint.decision+json ${String(payload.length)} `),
              payload,
            ]),
          ),
        ).toString('base64');
        return {
          ...answered,
          envelope: {
            payloadType: 'application/vnd.holdpoint.decision+json',
            payload: payload.toString('base64'),
            signatures: [{ keyid: lab.human.keyid, sig }],
          },
        };
      },
      /signs something that is not a decision/,
    );
    check(
      'have no effect with another answer than the signed one',
      (lab) => edited(lab, { answer: { text: 'Yes, and delete the tests.', choices: [] } }),
      /content is not what was signed/,
    );
    check(
      'have no effect with another question’s signature',
      (lab) => ({ ...(lab.signed({ ...answered, id: 'Q-2' }) as Signed), id: 'Q-1' }),
      /was given for Q-2/,
    );
    check(
      'have no effect with a signature for another kind of decision',
      (lab) => ({ ...answered, envelope: (lab.signed(released) as Signed).envelope }),
      /was given for question.released/,
    );
    check(
      'have no effect with a signature from another workspace',
      (lab) => lab.signed(answered, { workspace: '6f1c2b34-0000-4000-8000-000000000002' }),
      /given for another workspace/,
    );
    check(
      'have no effect with a signature for another history',
      (lab) => lab.signed(answered, { head: 'f'.repeat(64) }),
      /another state of the journal/,
    );
    check(
      'have no effect with a signature for a later state',
      (lab) => lab.signed(answered, { position: 1_000_000 }),
      /another state of the journal/,
    );
    check(
      'have no effect in a later version',
      (lab) => edited(lab, { v: 2 }),
      /^is of version 2 of question\.answered/,
    );
    check(
      'have no effect on an unknown question',
      (lab) => lab.signed({ ...answered, id: 'Q-9' }),
      /there is no question Q-9/,
      { reason: 'invalid' },
    );
    check(
      'cannot set aside an undamaged line',
      () => ({
        kind: 'journal.lineSetAside',
        v: 1,
        from: 0,
        to: 9,
        bytesHash: 'f'.repeat(64),
        resumes: 'f'.repeat(64),
      }),
      /^is malformed: envelope/,
    );
    check(
      'cannot start the workspace over',
      () => ({ kind: 'journal.startedAnew', v: 1, formerWorkspace: null }),
      /^is malformed: envelope/,
    );
  });

  describe('made by a human for something else', () => {
    it('have no effect after the question changed', () => {
      const lab = asked();
      const shown = shownHash(lab.state, lab.state.questions.get('Q-1')!);
      lab.write([{ kind: 'question.widened', v: 1, id: 'Q-1', addHolds: ['src/a'] }]);
      const [refusal] = lab.write([lab.signed(answered, { shown })]).refused;
      assert.equal(refusal?.reason, 'forgery');
      assert.match(refusal.why, /has changed since it was shown/);
      assert.equal(blocksOf(lab.state, 'T1').length, 1);
    });

    it('have no effect after the question’s work item holds more files', () => {
      const lab = asked();
      const shown = shownHash(lab.state, lab.state.questions.get('Q-1')!);
      lab.write([update('T1', { addHolds: ['src/a'] })]);
      assert.match(lab.write([lab.signed(answered, { shown })]).refused[0]?.why ?? '', /has changed since/);
    });

    it('have no effect when used again', () => {
      const lab = asked();
      const nonce = randomUUID();
      lab.write([lab.signed(released, { nonce })]);
      const [refusal] = lab.write([lab.signed({ ...released, id: 'Q-2' }, { nonce })]).refused;
      assert.equal(refusal?.reason, 'forgery');
      assert.match(refusal.why, /was used before/);
      assert.equal(blocksOf(lab.state, 'T2').length, 1);
    });
    it('do not affect other records in the same line', () => {
      const lab = asked();
      const { admitted, refused } = lab.write([work('T3'), lab.signed(answered, { signer: makeHuman() }), work('T4')]);
      assert.deepEqual(
        admitted.map(({ record }) => 'id' in record && record.id),
        ['T3', 'T4'],
      );
      assert.deepEqual(
        refused.map(({ kind, subject, reason }) => [kind, subject, reason]),
        [['question.answered', 'Q-1', 'forgery']],
      );
    });
  });

  describe('that answer a question', () => {
    const choices = [{ label: 'Red' }, { label: 'Blue' }];

    function check(
      name: string,
      raised: object,
      answer: { text?: string; choices: string[] },
      why: RegExp | null,
    ): void {
      it(name, () => {
        const lab = makeLab();
        assert.deepEqual(lab.write([question(1, raised)]).refused, []);
        const { refused } = lab.write([lab.signed({ kind: 'question.answered', v: 1, id: 'Q-1', answer })]);
        if (why === null) assert.deepEqual(refused, []);
        else assert.match(refused[0]?.why ?? '', why);
      });
    }

    check('may select a choice', { choices }, { choices: ['Red'] }, null);
    check('may add text to a choice', { choices }, { choices: ['Red'], text: 'Dark.' }, null);
    check('may give text instead of a choice', { choices }, { choices: [], text: 'Green.' }, null);
    check(
      'may not give text where only choices are accepted',
      { choices, freeText: false },
      { choices: [], text: 'Green.' },
      /must be picked/,
    );
    check(
      'may not select two choices of a single-choice question',
      { choices },
      { choices: ['Red', 'Blue'] },
      /only one choice/,
    );
    check(
      'may select several choices of a multiple-choice question',
      { choices, multiple: true },
      { choices: ['Red', 'Blue'] },
      null,
    );
    check('may not select a choice twice', { choices, multiple: true }, { choices: ['Red', 'Red'] }, /named twice/);
    check('may not select an unknown choice', { choices }, { choices: ['Green'] }, /"Green" is not one of the choices/);
    check('may not be empty', {}, { choices: [] }, /needs a text or a choice/);
    const approval = { type: 'approval', choices: [{ label: 'Yes' }, { label: 'No' }], freeText: false };
    check('may approve', approval, { choices: ['Yes'] }, null);
    check('may deny without a reason', approval, { choices: ['No'] }, null);
    check('may deny with a reason', approval, { choices: ['No'], text: 'Too soon.' }, null);
  });

  it('name their workspace', () => {
    const lab = asked();
    const { envelope } = lab.signed(answered) as Signed;
    const payload = JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as { workspace: string };
    assert.equal(payload.workspace, workspaceId);
  });
});
