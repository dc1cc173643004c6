import assert from 'node:assert/strict';
import { questionMessage } from '../../../src/ui/answer/messages.ts';

const mark = { act: 'a-1', key: '0/Q-1', shown: 'hash', render: 'r-1' };
const answer = { type: 'answer', ...mark, choices: [], text: ' Yes. ', confirmed: false };

describe('a message from the answer view', () => {
  function check(name: string, message: object, expected: boolean): void {
    it(`${name}: ${expected ? 'accepted' : 'refused'}`, () => {
      assert.equal(questionMessage.safeParse(message).success, expected);
    });
  }

  check('ready', { type: 'ready' }, true);
  check('an answer', answer, true);
  check('an answer with a choice', { ...answer, text: '', choices: ['Yes'] }, true);
  check('an empty answer', { ...answer, text: ' ' }, false);
  check('an overlong answer', { ...answer, text: 'x'.repeat(5_001) }, false);
  check('a cancellation', { type: 'cancel', ...mark, reason: 'No.', confirmed: true }, true);
  check('a cancellation without a reason', { type: 'cancel', ...mark, reason: ' ', confirmed: true }, false);
  check('a release', { type: 'release', ...mark, note: 'Go on.', confirmed: false }, true);
  check('a release without a note', { type: 'release', ...mark, note: '', confirmed: false }, false);
  check('a recovery option', { type: 'recover', ...mark, way: 'startAnew', confirmation: 'start anew' }, true);
  check('an unknown recovery option', { type: 'recover', ...mark, way: 'ignore', confirmation: 'x' }, false);
  check(
    'a recovery option without a confirmation',
    { type: 'recover', ...mark, way: 'restore', confirmation: '' },
    false,
  );
  check('a file to open', { type: 'openFile', key: 'k', path: 'src/a.ts', line: 3 }, true);
  check('an unknown message', { type: 'run', command: 'rm' }, false);
  check('an extra member', { ...answer, force: true }, false);
  check('an empty object', {}, false);
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
