import assert from 'node:assert/strict';
import { rfcMessage } from '../../../src/ui/rfc/messages.ts';

const mark = { act: 'a-1', key: '0/RFC-1', shown: 'hash', render: 'r-1' };
const approve = { type: 'approve', ...mark, revision: 3, conditions: [' An alarm '] };
const comment = { type: 'comment', ...mark, revision: 3, section: 'summary', content: 'How?', blocking: true };

describe('a message from the RFC review', () => {
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
  check('a reply', { type: 'reply', ...mark, thread: '1', content: 'Yes.' }, true);
  check('the resolution of a thread', { type: 'resolveThread', ...mark, thread: '1' }, true);
  check('a rejected answer', { type: 'overruleAnswer', ...mark, question: '1' }, true);
  check('a rejected answer without a signer', { type: 'overruleAnswer', key: 'k', question: '1' }, false);
  check('a comparison', { type: 'showDiff', key: 'k', from: 2 }, true);
  check('an unknown message', { type: 'merge', key: 'k' }, false);

  it('is trimmed', () => {
    assert.deepEqual(rfcMessage.parse(approve), { ...approve, conditions: ['An alarm'] });
  });
});
