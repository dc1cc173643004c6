import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { shownHash } from '../../../src/app/decision/decisions.ts';
import type { Unsigned } from '../../../src/app/decision/decisions.ts';
import { blocksOf } from '../../../src/core/hold/holds.ts';
import type { Envelope } from '../../../src/core/records/parts.ts';
import { isWaiting } from '../../../src/core/state/state.ts';
import { makeLab, question, update, work, workspaceId } from '../../support/store/lab.ts';
import type { Lab } from '../../support/store/lab.ts';
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
  describe('that a human signed', () => {
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
        assert.equal(blocksOf(lab.state, 'T2').length, 1, 'the other question stands');
      });
    }

    check(answered, { status: 'answered', how: 'answered', note: null, text: 'Yes.' });
    check(cancelled, { status: 'cancelled', how: 'cancelled', note: 'Not wanted.' });
    check(released, { status: 'cancelled', how: 'released', note: 'Go on.' });

    it('release what has expired, and nothing else does', () => {
      for (const record of [answered, cancelled]) {
        const lab = asked();
        lab.write([{ kind: 'question.expired', v: 1, id: 'Q-1' }]);
        const [refusal] = lab.write([lab.signed(record)]).refused;
        assert.match(refusal?.why ?? '', /has expired: it can only be released/);
        assert.ok(isWaiting(lab.state.questions.get('Q-1')!));
        assert.deepEqual(lab.write([lab.signed(released)]).refused, []);
        assert.equal(lab.state.questions.get('Q-1')?.status, 'expired');
        assert.deepEqual(blocksOf(lab.state, 'T1'), []);
        assert.ok(!isWaiting(lab.state.questions.get('Q-1')!));
      }
    });

    it('are once: the second is refused and says when the first was', () => {
      const lab = asked();
      lab.write([lab.signed(answered)]);
      const [refusal] = lab.write([lab.signed(cancelled)]).refused;
      assert.equal(refusal?.reason, 'invalid');
      assert.match(refusal.why, /already decided at 2026-/);
      assert.equal(lab.state.questions.get('Q-1')?.status, 'answered');
    });

    it('release an old asking without freeing the newer one of the same text', () => {
      const lab = makeLab();
      const same = { text: 'Which way?' };
      lab.write([question(1, same), { kind: 'question.expired', v: 1, id: 'Q-1' }, question(2, same)]);
      assert.deepEqual(lab.write([lab.signed(released)]).refused, []);
      const [refusal] = lab.write([question(3, same)]).refused;
      assert.equal(refusal?.why, 'Q-2 asks the same and is still open');
    });
  });

  describe('that no human made', () => {
    interface Attempt {
      readonly forge: (lab: Lab) => unknown;
      readonly why: RegExp;
      /** A record that is no decision in form is not one that claims a human's. */
      readonly reason?: 'forgery' | 'invalid';
    }

    function check(name: string, { forge, why, reason = 'forgery' }: Attempt): void {
      it(name, () => {
        const lab = asked();
        const { admitted, refused } = lab.write([forge(lab)], { kind: 'human', id: 'Ada' });
        assert.deepEqual(admitted, []);
        assert.equal(refused[0]?.reason, reason);
        assert.match(refused[0].why, why);
        assert.deepEqual(lab.state.refusals.at(-1), refused[0], 'it is listed');
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

    check('without an envelope', { forge: () => answered, why: /^is malformed: envelope/ });
    check('with an empty envelope', { forge: () => ({ ...answered, envelope: {} }), why: /^is malformed: envelope/ });
    check('with no signature in it', {
      forge: (lab) => edited(lab, { envelope: { ...(lab.signed(answered) as Signed).envelope, signatures: [] } }),
      why: /^is malformed: envelope.signatures/,
    });
    check('signed by a key of its own', {
      forge: (lab) => lab.signed(answered, { signer: stranger }),
      why: /a key that no human enrolled/,
    });
    check('signed by a key of its own under the name of a pinned one', {
      forge: (lab) => lab.signed(answered, { signer: { ...stranger, keyid: lab.human.keyid } }),
      why: /has no valid signature/,
    });
    check('with a cut signature', {
      forge: (lab) => {
        const { envelope } = lab.signed(answered) as Signed;
        return edited(lab, { envelope: { ...envelope, signatures: [{ keyid: lab.human.keyid, sig: 'AAAA' }] } });
      },
      why: /has no valid signature/,
    });
    check('with an edited payload', {
      forge: (lab) => {
        const { envelope } = lab.signed(answered) as Signed;
        const text = Buffer.from(envelope.payload, 'base64').toString().replace('"Q-1"', '"Q-2"');
        return { ...answered, id: 'Q-2', envelope: { ...envelope, payload: Buffer.from(text).toString('base64') } };
      },
      why: /has no valid signature/,
    });
    check('with a genuine signature over something else', {
      forge: (lab) => {
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
      why: /signs something that is not a decision/,
    });
    check('with another answer than was signed', {
      forge: (lab) => edited(lab, { answer: { text: 'Yes, and delete the tests.', choices: [] } }),
      why: /content is not what was signed/,
    });
    check('with the signature of another question', {
      forge: (lab) => ({ ...(lab.signed({ ...answered, id: 'Q-2' }) as Signed), id: 'Q-1' }),
      why: /was given for Q-2/,
    });
    check('with the signature of another kind of decision', {
      forge: (lab) => ({ ...answered, envelope: (lab.signed(released) as Signed).envelope }),
      why: /was given for question.released/,
    });
    check('with a signature given in another workspace', {
      forge: (lab) => lab.signed(answered, { workspace: '6f1c2b34-0000-4000-8000-000000000002' }),
      why: /given for another workspace/,
    });
    check('with a signature given for another history', {
      forge: (lab) => lab.signed(answered, { head: 'f'.repeat(64) }),
      why: /another state of the journal/,
    });
    check('with a signature given for a later state', {
      forge: (lab) => lab.signed(answered, { position: 1_000_000 }),
      why: /another state of the journal/,
    });
    check('of a later version', {
      forge: (lab) => edited(lab, { v: 2 }),
      why: /^is of version 2 of question\.answered/,
    });
    check('for a question that is not there', {
      forge: (lab) => lab.signed({ ...answered, id: 'Q-9' }),
      why: /there is no question Q-9/,
      reason: 'invalid',
    });
    check('that sets aside a line that was not damaged', {
      forge: () => ({
        kind: 'journal.lineSetAside',
        v: 1,
        from: 0,
        to: 9,
        bytesHash: 'f'.repeat(64),
        resumes: 'f'.repeat(64),
      }),
      why: /^is malformed: envelope/,
    });
    check('that starts over', {
      forge: () => ({ kind: 'journal.startedAnew', v: 1, formerWorkspace: null }),
      why: /^is malformed: envelope/,
    });
  });

  describe('that a human made for something else', () => {
    it('on a question that has changed since it was shown', () => {
      const lab = asked();
      const shown = shownHash(lab.state, lab.state.questions.get('Q-1')!);
      lab.write([{ kind: 'question.widened', v: 1, id: 'Q-1', addHolds: ['src/a'] }]);
      const [refusal] = lab.write([lab.signed(answered, { shown })]).refused;
      assert.equal(refusal?.reason, 'forgery');
      assert.match(refusal.why, /has changed since it was shown/);
      assert.equal(blocksOf(lab.state, 'T1').length, 1);
    });

    it('on a question whose work item now holds more files', () => {
      const lab = asked();
      const shown = shownHash(lab.state, lab.state.questions.get('Q-1')!);
      lab.write([update('T1', { addHolds: ['src/a'] })]);
      assert.match(lab.write([lab.signed(answered, { shown })]).refused[0]?.why ?? '', /has changed since/);
    });

    it('used a second time, after the first counted', () => {
      const lab = asked();
      const nonce = randomUUID();
      lab.write([lab.signed(released, { nonce })]);
      const [refusal] = lab.write([lab.signed({ ...released, id: 'Q-2' }, { nonce })]).refused;
      assert.equal(refusal?.reason, 'forgery');
      assert.match(refusal.why, /was used before/);
      assert.equal(blocksOf(lab.state, 'T2').length, 1);
    });

    it('kept back and written after anything else', () => {
      const lab = asked();
      const kept = lab.signed(answered);
      lab.write([work('T3')]);
      const [refusal] = lab.write([kept]).refused;
      assert.equal(refusal?.reason, 'forgery');
      assert.match(refusal.why, /another state of the journal/);
      assert.equal(blocksOf(lab.state, 'T1').length, 1);
    });

    it('in a line with other records, which count', () => {
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

  describe('answers', () => {
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

    check('a choice', { choices }, { choices: ['Red'] }, null);
    check('text beside a choice', { choices }, { choices: ['Red'], text: 'Dark.' }, null);
    check('text instead of a choice', { choices }, { choices: [], text: 'Green.' }, null);
    check(
      'text where only choices count',
      { choices, freeText: false },
      { choices: [], text: 'Green.' },
      /must be picked/,
    );
    check('two of one', { choices }, { choices: ['Red', 'Blue'] }, /only one choice/);
    check('two of several', { choices, multiple: true }, { choices: ['Red', 'Blue'] }, null);
    check('one twice', { choices, multiple: true }, { choices: ['Red', 'Red'] }, /named twice/);
    check('one that is not there', { choices }, { choices: ['Green'] }, /"Green" is not one of the choices/);
    check('nothing', {}, { choices: [] }, /needs a text or a choice/);
    const approval = { type: 'approval', choices: [{ label: 'Yes' }, { label: 'No' }], freeText: false };
    check('a yes', approval, { choices: ['Yes'] }, null);
    check('a no without a reason', approval, { choices: ['No'] }, null);
    check('a no with its reason', approval, { choices: ['No'], text: 'Too soon.' }, null);
  });

  it('say which workspace they are of', () => {
    const lab = asked();
    const { envelope } = lab.signed(answered) as Signed;
    const payload = JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as { workspace: string };
    assert.equal(payload.workspace, workspaceId);
  });
});
