import assert from 'node:assert/strict';
import { registeredPasskey, registration } from '../../../src/serve/security/passkeys.ts';
import { makePasskey } from '../../support/authenticator.ts';
import { register, type RegistrationChanges } from '../../support/registering.ts';

const challenge = Buffer.alloc(32, 7).toString('base64url');
const origin = 'http://localhost:4764';
const expected = { origin, isChallenge: (given: string) => given === challenge };

const refused: Readonly<Record<string, RegistrationChanges & { readonly challenge?: string }>> = {
  'for another challenge': { challenge: Buffer.alloc(32, 8).toString('base64url') },
  'on another site': { origin: 'http://localhost:4765' },
  'on another site of the same host': { origin: 'https://localhost:4764' },
  'for another domain': { rpId: 'evil.example' },
  'without its human': { flags: 0x44 },
  'without a PIN, fingerprint or the like': { flags: 0x41 },
  'for signing, not for registering': { type: 'webauthn.get' },
};

describe('a passkey that a browser registers', () => {
  for (const alg of ['Ed25519', 'ES256'] as const)
    it(`counts with its own public key and credential (${alg})`, () => {
      const passkey = makePasskey('Ada', { alg, origin });
      const given = registration.parse(register(passkey, challenge));
      assert.deepEqual(registeredPasskey(given, expected), {
        publicKey: passkey.pin.publicKey,
        credentialId: passkey.pin.passkey.credentialId,
      });
    });

  for (const [how, { challenge: asked = challenge, ...changes }] of Object.entries(refused))
    it(`does not count when it was made ${how}`, () => {
      const given = registration.parse(register(makePasskey('Ada', { origin }), asked, changes));
      assert.equal(registeredPasskey(given, expected), null);
    });

  it('does not count under the id of another credential', () => {
    const given = registration.parse(register(makePasskey('Ada', { origin }), challenge));
    const other = makePasskey('Ada', { origin }).pin.passkey.credentialId;
    for (const id of [{ id: other }, { rawId: other }, { id: other, rawId: other }])
      assert.equal(registeredPasskey({ ...given, ...id }, expected), null);
  });

  it('does not count with an attestation that is not one', () => {
    const { response, ...rest } = register(makePasskey('Ada', { origin }), challenge);
    for (const attestationObject of ['AAAA', response.attestationObject.slice(0, -8)])
      assert.equal(
        registeredPasskey(registration.parse({ ...rest, response: { ...response, attestationObject } }), expected),
        null,
      );
  });
});
