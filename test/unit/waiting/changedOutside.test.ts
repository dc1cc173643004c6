import assert from 'node:assert/strict';
import { openChangeWatch } from '../../../src/vscode/settings/changedOutside.ts';

describe('A change of the reminder settings by another program', () => {
  it('is reported once, when a second look finds it too', () => {
    const isToWarn = openChangeWatch();
    assert.equal(isToWarn('ours', 'ours'), false);
    assert.equal(isToWarn('theirs', 'ours'), false, 'a window may be about to accept what it wrote');
    assert.equal(isToWarn('theirs', 'ours'), true);
    assert.equal(isToWarn('theirs', 'ours'), false);
  });

  it('is not reported if this editor wrote it, or never wrote any', () => {
    const isToWarn = openChangeWatch();
    assert.equal(isToWarn('new', 'old'), false);
    assert.equal(isToWarn('new', 'new'), false);
    const never = openChangeWatch();
    assert.equal(never('theirs', undefined), false);
    assert.equal(never('theirs', undefined), false);
  });

  it('is reported again if it comes back after this person undid it, and so is each further one', () => {
    const isToWarn = openChangeWatch();
    const twice = (now: string, accepted: string) => [isToWarn(now, accepted), isToWarn(now, accepted)];
    assert.deepEqual(twice('theirs', 'ours'), [false, true]);
    assert.deepEqual(twice('another', 'ours'), [false, true]);
    assert.deepEqual(twice('ours', 'ours'), [false, false]);
    assert.deepEqual(twice('another', 'ours'), [false, true]);
  });
});
