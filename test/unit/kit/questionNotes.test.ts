import assert from 'node:assert/strict';
import { questionNotes, recordNotes, viewNotes } from '../../../src/core/kit/fields.ts';

describe('the optional texts of a question', () => {
  const record = { background: 'b', context: 'c', impact: 'i', ifDelayed: 'd', assumption: 'a', for: 'f' };

  it('keep their values through records and views', () => {
    const view = { background: 'b', context: 'c', impact: 'i', if_delayed: 'd', assumption: 'a', for: 'f' };
    assert.partialDeepStrictEqual(viewNotes(record), view);
    assert.deepEqual(recordNotes(view), record);
    assert.equal(Object.keys(viewNotes({})).length, questionNotes.length);
  });

  it('are null in views when missing, and absent from records', () => {
    assert.deepEqual(recordNotes(viewNotes({ impact: 'i' })), { impact: 'i' });
    assert.deepEqual(recordNotes({ impact: 'i', if_delayed: undefined }), { impact: 'i' });
  });
});
