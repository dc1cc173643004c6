/** A passkey in software, as a browser and its authenticator answer together. */
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { PasskeyPin } from '../../src/app/decision/passkey.ts';
import { keyId } from '../../src/trust/envelope.ts';
import type { PasskeySignature } from '../../src/trust/webauthn.ts';

export interface Passkey {
  readonly pin: PasskeyPin;
  readonly publicKey: KeyObject;
  /** Signs a challenge. `changes` make forgeries. */
  assert(challenge: string, changes?: Partial<Assertion>): PasskeySignature;
}

export interface Assertion {
  readonly type: string;
  readonly origin: string;
  readonly rpId: string;
  /** User present 1, user verified 4, eligible for backup 8, backed up 16, attested key 64, extensions 128. */
  readonly flags: number;
  readonly counter: number;
  /** After the authenticator data's 37 bytes. */
  readonly rest: Uint8Array;
  /** The client data instead of the JSON of type, challenge and origin. */
  readonly clientData: string;
  /** Applied to the authenticator data before it is signed. */
  readonly cut: (data: Buffer) => Buffer;
}

export type Algorithm = 'ES256' | 'Ed25519';

export function makePasskey(
  name = 'Ada',
  { alg = 'ES256', label = 'Phone', origin = 'http://localhost:4747' }: Partial<Kind> = {},
): Passkey {
  const { publicKey, privateKey } =
    alg === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const keyid = keyId(spki);
  const home = { origin, rpId: new URL(origin).hostname };
  return {
    publicKey,
    pin: {
      keyid,
      publicKey: spki.toString('base64'),
      name,
      enrolledAt: '2026-03-01T00:00:00.000Z',
      passkey: { ...home, credentialId: Buffer.from(keyid, 'hex').toString('base64url'), label },
    },
    assert(challenge, changes = {}) {
      const { type, flags, counter, rest, cut, ...made } = { ...usual, ...home, ...changes };
      const { clientData = JSON.stringify({ type, challenge, origin: made.origin, crossOrigin: false }) } = changes;
      const authenticatorData = cut(
        Buffer.concat([sha256(made.rpId), Buffer.of(flags), Buffer.from(uint32(counter)), rest]),
      );
      const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
      return {
        authenticatorData: authenticatorData.toString('base64url'),
        clientDataJSON: Buffer.from(clientData).toString('base64url'),
        signature: sign(alg === 'ES256' ? 'sha256' : null, signed, privateKey).toString('base64url'),
      };
    },
  };
}

interface Kind {
  readonly alg: Algorithm;
  readonly label: string;
  readonly origin: string;
}

const usual = {
  type: 'webauthn.get',
  flags: 0x05,
  counter: 0,
  rest: new Uint8Array(),
  cut: (data: Buffer) => data,
};

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}
