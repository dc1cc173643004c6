/** What a browser returns for a new passkey, without attestation. */
import { createHash } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { Registration } from '../../src/serve/security/passkeys.ts';
import type { Passkey } from './authenticator.ts';

/** What makes one that does not count. */
export interface RegistrationChanges {
  readonly type?: string;
  readonly origin?: string;
  readonly rpId?: string;
  /** User present 1, user verified 4, attested key 64. */
  readonly flags?: number;
}

export function register(
  { publicKey, pin: { passkey } }: Passkey,
  challenge: string,
  { type = 'webauthn.create', origin = passkey.origin, rpId = passkey.rpId, flags = 0x45 }: RegistrationChanges = {},
): Registration {
  const id = Buffer.from(passkey.credentialId, 'base64url');
  const domain = createHash('sha256').update(rpId).digest();
  const key = isoCBOR.encode(new Map(coseOf(publicKey.export({ format: 'jwk' }))));
  const authData = Buffer.concat([domain, Buffer.of(flags), Buffer.alloc(4 + 16), Buffer.of(0, id.length), id, key]);
  const attestation = new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', new Uint8Array(authData)],
  ]);
  const base64 = (data: string | Uint8Array) => Buffer.from(data).toString('base64url');
  return {
    id: passkey.credentialId,
    rawId: passkey.credentialId,
    type: 'public-key',
    response: {
      clientDataJSON: base64(JSON.stringify({ type, challenge, origin, crossOrigin: false })),
      attestationObject: base64(isoCBOR.encode(attestation)),
    },
  };
}

/** The members of a key as authenticators write it. */
function coseOf({
  x = '',
  y,
}: {
  readonly x?: string;
  readonly y?: string;
}): [number, number | Uint8Array<ArrayBuffer>][] {
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  const [ed25519, es256] = [
    { kty: 1, alg: -8, crv: 6 },
    { kty: 2, alg: -7, crv: 1 },
  ];
  const { kty, alg, crv } = y === undefined ? ed25519 : es256;
  const point = y === undefined ? [x] : [x, y];
  return [
    [1, kty],
    [3, alg],
    [-1, crv],
    ...point.map((part, index): [number, Uint8Array<ArrayBuffer>] => [-2 - index, bytes(part)]),
  ];
}
