/**
 * Passkeys of humans, which sign in a browser. A passkey counts because it is pinned, like every key; a policy that asks
 * for passkeys counts only those that such a record named before, so that no other program can add one to satisfy it.
 */
import * as z from 'zod';
import { sha256Hex, textField } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';
import { domainPattern, originPattern, passkeyLimits } from '../kit/quickChecks.ts';
import { envelope, record } from './parts.ts';

/** SPKI DER of an Ed25519 or P-256 key, base64: each in its one form. */
export const passkeyPublicKey = z
  .string()
  .regex(
    /^(MCowBQYDK2VwAyEA[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=|MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE[A-Za-z0-9+/]{85}[AQgw]==)$/,
    'must be an Ed25519 or P-256 public key',
  );

const label = textField(limits.id).refine((text) => !/[\r\n]/.test(text), 'must be one line');

/** What the ring knows of a passkey besides its public key. */
export const passkeyBinding = () =>
  z.strictObject({
    origin: z.string().max(passkeyLimits.origin).regex(originPattern, 'must be an origin'),
    /** The domain it belongs to: the origin's host, or a parent of it. */
    rpId: z.string().max(passkeyLimits.rpId).regex(domainPattern, 'must be a domain'),
    /** base64url, as browsers take it in `allowCredentials`. */
    credentialId: z.base64url().min(1).max(passkeyLimits.credentialId),
    /** What its human calls it, for example "Ada's phone". */
    label,
  });
export type PasskeyBinding = z.infer<ReturnType<typeof passkeyBinding>>;

export const passkeyRecords = [
  /** Signed by a key of the same human; by a passkey where the policy asks for passkeys. */
  record('key.passkeyAdded', () => ({
    keyid: sha256Hex,
    publicKey: passkeyPublicKey,
    name: textField(limits.id),
    passkey: passkeyBinding(),
    envelope,
  })),
  record('key.passkeyRenamed', () => ({ keyid: sha256Hex, name: textField(limits.id), label, envelope })),
] as const;
export type PasskeyRecord = z.infer<(typeof passkeyRecords)[number]['schema']>;
