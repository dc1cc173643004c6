import assert from 'node:assert/strict';
import { isRfcId, itemId } from '../../../src/core/waiting/items.ts';

describe('an item named to open its form', () => {
  for (const id of ['Q-1', 'RFC-12'])
    it(id, () => {
      assert.ok(itemId.safeParse(id).success);
    });
  for (const id of ['', 'Q-0', 'RFC-', 'rfc-1', 'RFC-1 ', 'E-1', '../RFC-1'])
    it(`is not ${JSON.stringify(id)}`, () => {
      assert.equal(itemId.safeParse(id).success, false);
    });

  it('is recognized as an RFC or a question', () => {
    assert.deepEqual([isRfcId('RFC-3'), isRfcId('Q-3')], [true, false]);
  });
});
