import assert from 'node:assert/strict';
import { isoClock } from '../../../src/app/workspace/workspace.ts';

describe('the time as text', () => {
  it('is that of the clock each time, also where it goes back', () => {
    let ms = 0;
    const now = isoClock(() => ms);
    for (const [at, text] of [
      [0, '1970-01-01T00:00:00.000Z'],
      [0, '1970-01-01T00:00:00.000Z'],
      [1_500, '1970-01-01T00:00:01.500Z'],
      [1, '1970-01-01T00:00:00.001Z'],
    ] as const) {
      ms = at;
      assert.equal(now(), text);
    }
  });
});
