import assert from 'node:assert/strict';
import { shorten, usualLength } from '../../../src/tools/agent/tool.ts';

describe('a result of a tool', () => {
  it('stays as it is up to 600 characters', () => {
    const text = 'x'.repeat(usualLength);
    assert.equal(shorten(text), text);
  });

  it('is cut in the middle, with what to do at its start, what comes next at its end, and how to read the rest', () => {
    const said = `Q-7 answered by ada: "${'long '.repeat(2_000)}" Continue with API tokens (t-1).`;
    const text = shorten(`${said}\nQ-8 answered by ada: "${'more '.repeat(500)}". Call holdpoint_await_answer.`);
    assert.ok(text.length <= usualLength, String(text.length));
    assert.match(text, /^Q-7 answered by ada: "long .*\[… 1\d{4} characters left out; read Q-7, Q-8 with/s);
    assert.match(text, /Call holdpoint_await_answer\.$/);
  });

  it('has no half of a character', () => {
    for (let shift = 0; shift < 4; shift++)
      assert.doesNotThrow(() => encodeURIComponent(shorten('a'.repeat(shift) + '😀'.repeat(900))));
  });

  it('says that it is cut where nothing can be read by its id', () => {
    assert.match(shorten('word '.repeat(400)), /\[… \d+ characters left out …\]/);
  });
});
