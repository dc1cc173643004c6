import assert from 'node:assert/strict';
import { isOnlyMore } from '../../../src/app/workspace/keyRing.ts';
import { makePasskey } from '../../support/authenticator.ts';

describe('keys that were only added', () => {
  const { pin } = makePasskey();

  it('change no verified decision; another label is nothing else', () => {
    const renamed = { ...pin, passkey: { ...pin.passkey, label: 'Old phone' } };
    assert.ok(isOnlyMore([pin], [renamed, makePasskey().pin]));
  });

  for (const [what, passkey] of [
    ['a passkey of another site', { ...pin.passkey, origin: 'http://localhost:9' }],
    ['a passkey of another domain', { ...pin.passkey, rpId: 'example.org' }],
    ['a key that is no longer a passkey', undefined],
  ] as const)
    it(`are not ${what}`, () => {
      assert.equal(isOnlyMore([pin], [{ ...pin, passkey }]), false);
    });
});
