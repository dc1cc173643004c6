import assert from 'node:assert/strict';
import { crowding } from '../../../src/vscode/status/toasts.ts';

describe('notifications of one agent', () => {
  it('appear three times, then one covers the rest', () => {
    const crowd = crowding();
    const kinds = Array.from({ length: 500 }, () => crowd.next('flood-001'));
    assert.deepEqual(kinds.slice(0, 5), ['single', 'single', 'single', 'more', 'silent']);
    assert.equal(kinds.filter((kind) => kind !== 'silent').length, 4);
  });

  it('leave the limit of other agents alone', () => {
    const crowd = crowding();
    for (let count = 0; count < 10; count++) crowd.next('flood-001');
    assert.equal(crowd.next('other-001'), 'single');
  });

  it('appear again once earlier ones are dismissed', () => {
    const crowd = crowding();
    for (let count = 0; count < 5; count++) crowd.next('a-001');
    crowd.closed('a-001', 'single');
    // While the shared notification is visible, it also covers new ones.
    assert.equal(crowd.next('a-001'), 'silent');
    crowd.closed('a-001', 'more');
    assert.equal(crowd.next('a-001'), 'single');
    assert.equal(crowd.next('a-001'), 'more');
  });

  it('leave no entry for an agent without visible notifications', () => {
    const crowd = crowding();
    crowd.next('a-001');
    crowd.closed('a-001', 'single');
    crowd.closed('a-001', 'single');
    assert.deepEqual(
      [1, 2, 3, 4].map(() => crowd.next('a-001')),
      ['single', 'single', 'single', 'more'],
    );
  });
});
