/** A human with a real key. */
import { generateKeyPairSync, sign } from 'node:crypto';
import type { KeySigner } from '../../../src/app/decision/decisions.ts';
import { keyId } from '../../../src/trust/envelope.ts';
import type { PinnedKey } from '../../../src/trust/keyring.ts';

export interface Human extends KeySigner {
  /** SPKI DER. */
  readonly publicKey: Buffer;
  readonly pin: PinnedKey;
}

export function makeHuman(name = 'Ada'): Human {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const keyid = keyId(spki);
  return {
    keyid,
    name,
    publicKey: spki,
    pin: { keyid, publicKey: spki.toString('base64'), name, enrolledAt: '2026-03-01T00:00:00.000Z' },
    sign: (bytes) => sign(null, bytes, privateKey),
  };
}
