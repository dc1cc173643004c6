import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { offerCode, offerPasskey, readPasskeyOffers, type PasskeyOffer } from '../../../src/app/keys/offers.ts';
import { makePasskey } from '../../support/authenticator.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

function offerAt(at: string, label = 'Phone'): PasskeyOffer {
  const { publicKey, passkey } = makePasskey('Ada', { label }).pin;
  return { publicKey, passkey, at };
}

const laterBy = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();

describe('a passkey that a browser offers', () => {
  afterEach(removeSandboxes);

  it('is read for five minutes, with the code that its page shows', () => {
    const workspace = makeSandbox().open();
    assert.deepEqual(readPasskeyOffers(workspace), []);
    const offer = offerAt(workspace.now());
    const code = offerPasskey(workspace, offer);
    assert.match(code, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    assert.deepEqual(readPasskeyOffers(workspace).map(offerCode), [code]);
    const at = (ms: number) => readPasskeyOffers({ ...workspace, now: () => laterBy(offer.at, ms) });
    assert.equal(at(299_000).length, 1);
    assert.deepEqual([at(301_000), at(-301_000)], [[], []], 'a clock that went back does not keep it');
  });

  it('has another code than another key, credential or site', () => {
    const offer = offerAt('2026-03-02T12:00:00.000Z');
    const others: PasskeyOffer[] = [
      { ...offer, publicKey: offerAt(offer.at).publicKey },
      { ...offer, passkey: { ...offer.passkey, credentialId: 'AAAA' } },
      { ...offer, passkey: { ...offer.passkey, origin: 'http://localhost:9' } },
    ];
    assert.equal(new Set([offer, ...others].map(offerCode)).size, 4);
  });

  it('is one of the latest five, and an unreadable file offers nothing', () => {
    const workspace = makeSandbox().open();
    for (const label of ['1', '2', '3', '4', '5', '6']) offerPasskey(workspace, offerAt(workspace.now(), label));
    assert.deepEqual(
      readPasskeyOffers(workspace).map(({ passkey }) => passkey.label),
      ['2', '3', '4', '5', '6'],
    );
    writeFileSync(path.join(workspace.userFolder, 'passkeys-offered.json'), '{"v":1,"offers":[{}]}');
    assert.deepEqual(readPasskeyOffers(workspace), []);
  });
});
