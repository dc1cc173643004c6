import assert from 'node:assert/strict';
import { isOfBrowsers, questionMessage, type Decision } from '../../../src/ui/answer/messages.ts';

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
  check('a cancellation', { type: 'cancel', ...mark, text: 'No.', confirmed: true }, true);
  check('a cancellation without a reason', { type: 'cancel', ...mark, text: ' ', confirmed: true }, false);
  check('a release', { type: 'release', ...mark, text: 'Go on.', confirmed: false }, true);
  check('a release without a note', { type: 'release', ...mark, text: '', confirmed: false }, false);
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

  it('of a browser decides one item, or confirms a passkey; all else is of the editor', () => {
    const keys = (what: string) => ({ type: 'keys', ...mark, what: { do: what, keyid: 'k' }, confirmed: true });
    const enrol = { type: 'enrol', ...mark, lost: [], confirmed: false };
    const recover = { type: 'recover', ...mark, way: 'startAnew', confirmation: 'x' };
    const of = [answer, keys('confirmPasskey'), keys('takeOut'), keys('giveUpPasskey'), enrol, recover];
    const are = of.map((one) => isOfBrowsers(questionMessage.parse(one) as Decision));
    assert.deepEqual(are, [true, true, false, false, false, false]);
  });

  it('is trimmed', () => {
    assert.deepEqual(questionMessage.parse(answer), { ...answer, text: 'Yes.' });
  });
});
