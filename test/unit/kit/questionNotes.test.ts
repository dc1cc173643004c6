import assert from 'node:assert/strict';
import { questionNotes, recordNotes, rowNotes, viewNotes } from '../../../src/core/kit/questionNotes.ts';

describe('the optional texts of a question', () => {
  const record = { background: 'b', context: 'c', impact: 'i', ifDelayed: 'd', assumption: 'a', for: 'f' };

  it('keep their values through records, views and rows', () => {
    const row = {
      background_reasoning: 'b',
      context_snippet: 'c',
      estimated_impact: 'i',
      what_happens_if_delayed: 'd',
      assumption: 'a',
      addressed_to: 'f',
    };
    const view = { background: 'b', context: 'c', impact: 'i', if_delayed: 'd', assumption: 'a', for: 'f' };
    assert.partialDeepStrictEqual(rowNotes(record), row);
    assert.partialDeepStrictEqual(viewNotes(record), view);
    assert.deepEqual(recordNotes(view), record);
    assert.equal(Object.keys(viewNotes({})).length, questionNotes.length);
  });

  it('are null in rows and views when missing, and absent from records', () => {
    const row = rowNotes({ impact: 'i' });
    assert.deepEqual(
      Object.values(row).filter((text) => text !== null),
      ['i'],
    );
    assert.deepEqual(recordNotes(viewNotes({ impact: 'i' })), { impact: 'i' });
    assert.deepEqual(recordNotes({ impact: 'i', if_delayed: undefined }), { impact: 'i' });
  });
});
