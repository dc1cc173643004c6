import assert from 'node:assert/strict';
import fc from 'fast-check';
import { questionKey, textOfKey } from '../../../src/core/question/question.ts';
import { sameTextKey } from '../../../src/core/kit/text.ts';

const name = fc.oneof(fc.constantFrom('bench-001', 't-1', '', 'a","b', '"', '\\', '["'), fc.string());

describe('the key of an open question', () => {
  it('has its text, whatever its agent and work are named', () => {
    fc.assert(
      fc.property(name, fc.option(name), fc.oneof(name, fc.string({ maxLength: 200 })), (agent, work, text) => {
        const key = questionKey(agent, work, text);
        assert.equal(textOfKey(key), sameTextKey(text));
      }),
      { numRuns: 5_000 },
    );
  });
});
