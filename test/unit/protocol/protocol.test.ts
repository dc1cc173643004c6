import assert from 'node:assert/strict';
import { type Decision, isOfBrowsers, questionMessage } from '../../../src/ui/answer/messages.ts';
import { rfcMessage } from '../../../src/ui/rfc/messages.ts';
import { imageType } from '../../../src/ui/rfc/review.ts';

describe('a message from the answer view', () => {
  const mark = { act: 'a-1', key: '0/Q-1', shown: 'hash', render: 'r-1' };

  const answer = { type: 'answer', ...mark, choices: [], text: ' Yes. ', confirmed: false };

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

describe('a message from the RFC review', () => {
  const mark = { act: 'a-1', key: '0/RFC-1', shown: 'hash', render: 'r-1' };

  const approve = { type: 'approve', ...mark, revision: 3, conditions: [' An alarm '] };

  const comment = { type: 'comment', ...mark, revision: 3, section: 'summary', content: 'How?', blocking: true };

  function check(name: string, message: object, expected: boolean): void {
    it(`${name}: ${expected ? 'accepted' : 'refused'}`, () => {
      assert.equal(rfcMessage.safeParse(message).success, expected);
    });
  }

  check('an approval', approve, true);
  check('an approval without a revision', { ...approve, revision: 0 }, false);
  check('an approval with an empty condition', { ...approve, conditions: [' '] }, false);
  check('an approval with too many conditions', { ...approve, conditions: Array(101).fill('x') }, false);
  check('an approval with an extra member', { ...approve, force: true }, false);
  for (const member of ['act', 'key', 'shown', 'render', 'revision', 'conditions'])
    check(
      `an approval without "${member}"`,
      Object.fromEntries(Object.entries(approve).filter(([name]) => name !== member)),
      false,
    );
  check('a request for changes', { type: 'requestChanges', ...mark, reason: 'How?' }, true);
  check('an empty request for changes', { type: 'requestChanges', ...mark, reason: ' ' }, false);
  check('a rejection', { type: 'reject', ...mark, reason: 'No.', way: 'stop' }, true);
  check('a rejection that does not say what happens to the work', { type: 'reject', ...mark, reason: 'No.' }, false);
  check('a withdrawal', { type: 'withdraw', ...mark, reason: 'Not now.' }, true);
  check('a comment', comment, true);
  check('a comment on a quotation', { ...comment, quote: 'at once' }, true);
  check('an empty comment', { ...comment, content: ' ' }, false);
  check('a comment that does not say whether it blocks', { ...comment, blocking: undefined }, false);
  check('a reply', { type: 'reply', ...mark, thread: 1, content: 'Yes.' }, true);
  check('the resolution of a thread', { type: 'resolveThread', ...mark, thread: 1 }, true);
  check('a rejected answer', { type: 'overruleAnswer', ...mark, question: 1 }, true);
  check('a rejected answer without a signer', { type: 'overruleAnswer', key: 'k', question: 1 }, false);
  check('a comparison', { type: 'showDiff', key: 'k', from: 2 }, true);
  check('an unknown message', { type: 'merge', key: 'k' }, false);

  it('is trimmed', () => {
    assert.deepEqual(rfcMessage.parse(approve), { ...approve, conditions: ['An alarm'] });
  });
});

/** Images that a review may show: data URLs in four formats, checked by their first bytes. */
describe('an image in a review', () => {
  const starts: [string, string | undefined][] = [
    ['\x89PNG\r\n\x1a\n\0\0', 'png'],
    ['\xff\xd8\xff\xe0', 'jpeg'],
    ['GIF89a', 'gif'],
    ['RIFF\n\0\0\0WEBPVP8 ', 'webp'],
    ['<svg xmlns="http://www.w3.org/2000/svg">', undefined],
    [' \x89PNG\r\n\x1a\n', undefined],
    ['RIFF\0\0\0\0WAVE', undefined],
    ['', undefined],
  ];
  for (const [start, type] of starts)
    it(`${JSON.stringify(start)}: ${type ?? 'none'}`, () => {
      assert.equal(imageType(start), type);
    });
});
