/** Journals of development versions that had precedents: rules by which they answered questions. */
import assert from 'node:assert/strict';
import { isHolding } from '../../../src/core/state/state.ts';
import { bot, makeLab, question, work } from '../../support/store/lab.ts';

/** As such a version wrote it, with a signature of some key. */
const set = {
  ...{ kind: 'precedent.set', v: 1, id: 'P-1', from: 'Q-1', work: null, globs: ['src/**'], type: 'decision' },
  ...{ text: 'Add `{name: word}`?', more: {}, choices: [], multiple: false, freeText: true, uses: 3 },
  ...{ answer: { text: 'Yes.', choices: [], effect: 'proceed' }, until: '2026-04-01T12:00:00.000Z' },
  envelope: {
    ...{ payloadType: 'application/vnd.holdpoint.decision+json', payload: 'e30=' },
    signatures: [{ keyid: '0'.repeat(64), sig: 'AA==' }],
  },
};
const used = (id: string) => ({ kind: 'precedent.used', v: 1, id, precedent: 'P-1' });
const ask = (number: number, text: string) => question(number, { text, work: 'T1', holds: ['src'] });
const answer = (id: string) => ({
  kind: 'question.answered' as const,
  v: 1 as const,
  id,
  answer: { text: 'Yes.', choices: [] },
});

describe('what a former precedent answered', () => {
  it('is open and held again until a human signs an answer, and the journal stays readable', () => {
    const lab = makeLab();
    const isHeld = (id: string) => isHolding(lab.state.questions.get(id)!);
    const lines = [[work('T1')], [set], [ask(1, 'Add `vue`?')], [used('Q-1')], [ask(2, 'Add `lit`?')], [used('Q-2')]];
    for (const records of lines) assert.deepEqual(lab.write(records).refused, []);
    assert.deepEqual(['Q-1', 'Q-2'].map(isHeld), [true, true]);
    // Where it was answered, an agent could ask the same again: later questions keep their numbers.
    for (const record of [ask(3, 'Add `vue`?'), ask(4, 'Add `zod`?')])
      assert.deepEqual(lab.write([record], bot).refused, []);
    assert.deepEqual(lab.write([{ kind: 'precedent.takenBack', v: 1, id: 'Q-2', reason: 'No.' }]).refused, []);
    assert.deepEqual(lab.write([lab.signed(answer('Q-2'))]).refused, []);
    assert.deepEqual(['Q-1', 'Q-2', 'Q-3', 'Q-4'].map(isHeld), [true, false, true, true]);
  });
});
