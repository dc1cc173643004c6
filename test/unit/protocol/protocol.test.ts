import assert from 'node:assert/strict';
import { questionMessage, snapshot } from '../../../src/protocol/question/question.ts';
import { english } from '../../../src/protocol/strings/strings.ts';
import { states } from '../../webview/question/samples.ts';

const mark = { act: 'a-1', key: '0/Q-1', shown: 'hash', render: 'r-1' };
const answer = { type: 'answer', ...mark, choices: [], text: ' Yes. ', confirmed: false };

describe('what the view "Answer" may say', () => {
  function check(name: string, message: object, expected: boolean): void {
    it(`${name}: ${expected ? 'heard' : 'refused'}`, () => {
      assert.equal(questionMessage.safeParse(message).success, expected);
    });
  }

  check('it is ready', { type: 'ready' }, true);
  check('an answer', answer, true);
  check('an answer by a choice', { ...answer, text: '', choices: ['Yes'] }, true);
  check('an answer that says nothing', { ...answer, text: ' ' }, false);
  check('an answer too long', { ...answer, text: 'x'.repeat(5_001) }, false);
  check('a cancellation', { type: 'cancel', ...mark, reason: 'No.', confirmed: true }, true);
  check('a cancellation without a reason', { type: 'cancel', ...mark, reason: ' ', confirmed: true }, false);
  check('a release', { type: 'release', ...mark, note: 'Go on.', confirmed: false }, true);
  check('a release without a note', { type: 'release', ...mark, note: '', confirmed: false }, false);
  check('a way out', { type: 'recover', ...mark, way: 'startAnew', confirmation: 'start anew' }, true);
  check('a way out that is none', { type: 'recover', ...mark, way: 'ignore', confirmation: 'x' }, false);
  check('a way out without a word', { type: 'recover', ...mark, way: 'restore', confirmation: '' }, false);
  check('a file to open', { type: 'openFile', key: 'k', path: 'src/a.ts', line: 3 }, true);
  check('another message', { type: 'run', command: 'rm' }, false);
  check('a member more', { ...answer, force: true }, false);
  check('nothing', {}, false);
  for (const member of ['act', 'key', 'shown', 'render', 'confirmed', 'choices', 'text'])
    check(
      `an answer without "${member}"`,
      Object.fromEntries(Object.entries(answer).filter(([name]) => name !== member)),
      false,
    );

  it('is trimmed', () => {
    assert.deepEqual(questionMessage.parse(answer), { ...answer, text: 'Yes.' });
  });
});

describe('what it is shown', () => {
  for (const [name, make] of Object.entries(states))
    it(name, () => {
      const sent = make();
      assert.deepEqual(snapshot.parse(JSON.parse(JSON.stringify(sent))), JSON.parse(JSON.stringify(sent)));
    });

  it('has words for each key, in English', () => {
    for (const [key, text] of Object.entries(english)) assert.ok(text.trim().length > 0, key);
  });
});
