/** Which earlier answers the form proposes. */
import assert from 'node:assert/strict';
import { earlierAnswers } from '../../../src/ui/answer/question.ts';
import type { Question } from '../../../src/core/state/state.ts';
import { makeLab, question } from '../../support/store/lab.ts';

const stores = { type: 'decision', choices: [{ label: 'JWT' }, { label: 'Sessions' }] };

/** The questions as raised, with these answers of a human. */
function asked(raised: readonly object[], answers: Readonly<Record<string, Partial<Question>>>) {
  const lab = makeLab();
  for (const [at, more] of raised.entries()) lab.write([question(at + 1, more)]);
  assert.equal(lab.state.questions.size, raised.length);
  const questions = new Map(
    [...lab.state.questions].map(([id, one]): [string, Question] => [id, { ...one, ...answers[id] }]),
  );
  return (id: string) =>
    earlierAnswers({ questions, readRaised: lab.state.readRaised }, questions.get(id)!).map((one) => one.id);
}

function answered(choices: readonly string[], more: object = {}): Partial<Question> {
  const answer = { choices: [...choices], text: '' };
  return {
    resolution: { how: 'answered', answer, note: null, by: 'Ada', keyid: 'k', at: '2026-03-01T09:00:00Z', ...more },
  };
}

describe('earlier answers', () => {
  it('are those of similar questions of the same type, the most alike first and then the latest', () => {
    const of = asked(
      [
        { ...stores, text: 'JWT or sessions for partners?' },
        { ...stores, text: 'JWT or sessions for the admin pages?' },
        { ...stores, text: 'Which colour has the button of the login page?' },
        { ...stores, text: 'JWT or sessions for customers?' },
        { ...stores, type: 'clarification', text: 'JWT or sessions for visitors of us?' },
        { ...stores, text: 'JWT or sessions for visitors?' },
      ],
      {
        'Q-1': answered(['Sessions']),
        'Q-2': answered(['JWT']),
        'Q-3': answered(['JWT']),
        'Q-4': answered(['JWT']),
        'Q-5': answered(['JWT']),
      },
    );
    assert.deepEqual(of('Q-6'), ['Q-4', 'Q-1', 'Q-2']);
    assert.deepEqual(of('Q-4'), []);
  });

  it('prefer the same work', () => {
    const of = asked(
      [
        { ...stores, text: 'JWT or sessions for a?' },
        { ...stores, text: 'JWT or sessions for b?' },
        { ...stores, text: 'JWT or sessions for c?' },
      ],
      {
        'Q-1': { ...answered(['JWT']), work: 'T1' },
        'Q-2': { ...answered(['JWT']), work: 'T2' },
        'Q-3': { work: 'T1' },
      },
    );
    assert.deepEqual(of('Q-3'), ['Q-1', 'Q-2']);
  });

  it('can be given in the form, by a human, and still stand', () => {
    const asks = ['JWT or sessions for a?', 'JWT or sessions for b?'].map((text) => ({ ...stores, text }));
    const of = (more: Partial<Question>) => asked(asks, { 'Q-1': more })('Q-2').length;
    const past = { by: 'Ada', at: '2026-03-02T09:00:00Z', reason: 'No.' };
    assert.equal(of(answered(['JWT'])), 1);
    assert.equal(of(answered(['Cookies'])), 0);
    assert.equal(of(answered(['JWT', 'Sessions'])), 0);
    assert.equal(of(answered(['JWT'], { unmet: true })), 0);
    assert.equal(of(answered([], { how: 'released', answer: null })), 0);
    assert.equal(of({ ...answered(['JWT']), revoked: past }), 0);
    assert.equal(of({ ...answered(['JWT']), lifted: past }), 0);
    assert.equal(of({}), 0);
  });
});
