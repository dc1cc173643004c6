/** What a question lacks for a quick answer. */
import assert from 'node:assert/strict';
import { missingIn, sameOpen } from '../../../src/core/question/question.ts';
import { isWhole, type OpenQuestion } from '../../../src/core/state/state.ts';
import { makeLab, question, type Lab } from '../../support/store/lab.ts';

const good = { background: 'The old table has no index.' };

function asked({ state }: Lab, number: number): OpenQuestion {
  const question = state.questions.get(`Q-${String(number)}`);
  assert.ok(question && isWhole(question));
  return question;
}

function missing(more: object, others: readonly unknown[] = []): string[] {
  const lab = makeLab();
  lab.write([question(1, more), ...others]);
  return missingIn(lab.state, asked(lab, 1));
}

describe('a question', () => {
  it('says why it is asked, in a note, with files or in a long text', () => {
    assert.deepEqual(missing({ text: 'Drop the table?' }), ['background']);
    for (const note of ['background', 'context', 'impact'])
      assert.deepEqual(missing({ text: 'Drop the table?', [note]: 'It is slow.' }), []);
    assert.deepEqual(missing({ text: 'Drop the table?', files: [{ path: 'db/a.sql' }] }), []);
    assert.deepEqual(missing({ text: `Drop the table? ${'It is slow. '.repeat(25)}` }), []);
  });

  it('has the choices that its text names', () => {
    for (const text of [
      'JWT or sessions?',
      'Which one?\n- JWT\n- sessions',
      'Which?\n1. JWT\n2. sessions',
      'a) x\nb) y',
    ])
      assert.deepEqual(missing({ ...good, text }), ['choices'], text);
    for (const text of ['Drop the table or not?', 'Which port?', 'Shall I go on? Or later.', 'For all? One item:\n- x'])
      assert.deepEqual(missing({ ...good, text }), [], text);
    assert.deepEqual(missing({ ...good, text: 'JWT or sessions?', type: 'approval', mode: 'sync' }), []);
  });

  it('recommends one of several choices', () => {
    const choices = [{ label: 'JWT' }, { label: 'Sessions' }];
    assert.deepEqual(missing({ ...good, choices }), ['recommendation']);
    assert.deepEqual(missing({ ...good, choices: [{ ...choices[0], recommended: true }, choices[1]] }), []);
  });

  it('says what is assumed, if the agent goes on meanwhile', () => {
    assert.deepEqual(missing({ ...good, mode: 'async' }), ['assumption']);
    assert.deepEqual(missing({ ...good, mode: 'async', assumption: 'Yes.' }), []);
  });

  it('is not the same as another open one', () => {
    const other = { ...question(2, { ...good, text: 'which  PORT?' }), work: null };
    const lab = makeLab();
    lab.write([question(1, { ...good, text: 'Which port?' })]);
    lab.write([other], { kind: 'agent', id: 'codex-001' });
    assert.deepEqual(missingIn(lab.state, asked(lab, 2)), ['same_question']);
  });

  it('is the same only while the other one is pending', () => {
    const lab = makeLab();
    const ask = (number: number) => ({
      ...question(number, { ...good, text: 'Which port?', mode: 'async', assumption: '80' }),
      work: null,
    });
    for (const number of [1, 2, 3]) lab.write([ask(number)], { kind: 'agent', id: `codex-00${String(number)}` });
    const same = (number: number) => sameOpen(lab.state, asked(lab, number));
    assert.deepEqual([1, 2, 3].map(same), ['Q-2', 'Q-1', 'Q-1']);
    lab.write([{ kind: 'question.expired', v: 1, id: 'Q-1' }], { kind: 'system', id: 'sweep' });
    assert.deepEqual([2, 3].map(same), ['Q-3', 'Q-2']);
    lab.write([{ kind: 'question.expired', v: 1, id: 'Q-2' }], { kind: 'system', id: 'sweep' });
    assert.equal(same(3), null);
  });
});
