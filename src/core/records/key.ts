/**
 * Records about keys: humans' decisions about who may decide. A key is trusted because it is pinned on a machine, never
 * because of a record; revocations take effect in journal order, for every reader.
 */
import * as z from 'zod';
import { sha256Hex, textField } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';
import { domainPattern, originPattern, passkeyLimits } from '../kit/quickChecks.ts';

/** The id of a key: SHA-256 of its SPKI DER. */
export const keyid = sha256Hex;
export const keyName = textField(limits.id);
export const key = () => ({ keyid, publicKey: z.base64().max(200), name: keyName });

// Passkeys of humans, which sign in a browser. A passkey counts because it is pinned, like every key; a policy that asks
// for passkeys counts only those that such a record named before, so that no other program can add one to satisfy it.

/** SPKI DER of an Ed25519 or P-256 key, base64: each in its one form. */
export const passkeyPublicKey = z
  .string()
  .regex(
    /^(MCowBQYDK2VwAyEA[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=|MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE[A-Za-z0-9+/]{85}[AQgw]==)$/,
    'must be an Ed25519 or P-256 public key',
  );

export const passkeyLabel = textField(limits.id).refine((text) => !/[\r\n]/.test(text), 'must be one line');

/** What the ring knows of a passkey besides its public key. */
export const passkeyBinding = () =>
  z.strictObject({
    origin: z.string().max(passkeyLimits.origin).regex(originPattern, 'must be an origin'),
    /** The domain it belongs to: the origin's host, or a parent of it. */
    rpId: z.string().max(passkeyLimits.rpId).regex(domainPattern, 'must be a domain'),
    /** base64url, as browsers take it in `allowCredentials`. */
    credentialId: z.base64url().min(1).max(passkeyLimits.credentialId),
    /** What its human calls it, for example "Ada's phone". */
    label: passkeyLabel,
  });
export type PasskeyBinding = z.infer<ReturnType<typeof passkeyBinding>>;

// A human moves the journal to a server that a team shares, or back to this machine. Signed, because it changes which
// keys are trusted: a shared workspace has a key ring of its own.

export const sharedName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/,
    'must be 1 to 64 of a-z, 0-9, dot, hyphen and underscore, and begin with one of a-z, 0-9',
  );

/** SPKI DER of an Ed25519 key, base64: always the same length and beginning, so that a key has one form. */
export const ringKey = z
  .string()
  .regex(/^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, 'must be an Ed25519 public key');

export const ringRoots = z
  .array(ringKey)
  .min(1)
  .max(20)
  .refine((roots) => new Set(roots).size === roots.length, 'name a key twice');

/** Under which name the journal is shared, and whose keys say who belongs to the team. */
export interface Shared {
  readonly name: string;
  readonly roots: readonly string[];
  readonly at: string;
  readonly by: string;
}
