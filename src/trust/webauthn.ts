/**
 * Passkeys as signers: verifies a WebAuthn assertion (level 2, section 7.2) with Node's crypto alone. The browser signs
 * the hash of the very bytes that other keys sign, so everything that a decision is bound to holds here too.
 *
 * The signature counter is not judged: synced passkeys always report 0, and two devices may record their decisions in
 * another order than they signed them. The payload's nonce keeps an assertion from counting twice. The counter stays in
 * the record.
 */
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import type { PasskeyBinding } from '../core/records/decision.ts';

/** What the browser returns for a challenge, each base64url: the members of an `AuthenticatorAssertionResponse`. */
export const passkeySignature = z.strictObject({
  authenticatorData: z.base64url(),
  clientDataJSON: z.base64url(),
  signature: z.base64url(),
});
export type PasskeySignature = z.infer<typeof passkeySignature>;

/** Sizes that no browser reaches. */
const most = { authenticatorData: 1_024, clientDataJSON: 4_096, signature: 256 } as const;

const flag = {
  userPresent: 0x01,
  userVerified: 0x04,
  backupEligible: 0x08,
  backedUp: 0x10,
  attested: 0x40,
  extended: 0x80,
};
const fixedLength = 37;

/**
 * The challenge for `navigator.credentials.get`: base64url of the hash of the bytes that other keys sign.
 * @param signed the payload in DSSE's pre-authentication encoding (`preAuthEncoding`)
 */
export function challengeOf(signed: Uint8Array): string {
  return createHash('sha256').update(signed).digest('base64url');
}

/** The challenge for an act of several records, each with its own: a human signs once. */
export function challengeOfAll(challenges: readonly string[]): string {
  const [only = '', ...more] = challenges;
  return more.length === 0 ? only : challengeOf(Buffer.from(`holdpoint passkey batch ${challenges.join(' ')}`));
}

/** The key of a passkey: Ed25519 or ES256 (P-256), in its one form; null for anything else. */
export function passkeyPublicKey(spki: Uint8Array): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
    // A point that is not compressed has one form, and so its key has one id.
    const known =
      (type === 'ed25519' && spki.length === 44) ||
      (type === 'ec' && details?.namedCurve === 'prime256v1' && spki.length === 91);
    return known && key.export({ format: 'der', type: 'spki' }).equals(spki) ? key : null;
  } catch {
    return null;
  }
}

interface ExpectedAssertion {
  readonly key: KeyObject;
  readonly binding: Pick<PasskeyBinding, 'origin' | 'rpId'>;
  /** `challengeOf` what it must sign. */
  readonly challenge: string;
}

/** Why an assertion is not valid; null when it is. */
export function assertionProblem(assertion: PasskeySignature, expected: ExpectedAssertion): string | null {
  const authenticatorData = decodeBase64(assertion.authenticatorData, most.authenticatorData);
  const clientData = decodeBase64(assertion.clientDataJSON, most.clientDataJSON);
  const signature = decodeBase64(assertion.signature, most.signature);
  if (!authenticatorData || !clientData || !signature) return 'has a malformed passkey signature';
  const client = parseClientData(clientData);
  if (!client) return 'has malformed client data';
  if (client.type !== 'webauthn.get') return 'was not made for signing';
  if (client.challenge !== expected.challenge) return 'was made for something else';
  if (client.origin !== expected.binding.origin) return 'was made on another site';
  if (client.crossOrigin === true || client.topOrigin !== undefined) return 'was made inside a page of another site';
  const wrong = authenticatorProblem(authenticatorData, expected.binding.rpId);
  if (wrong !== null) return wrong;
  const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()]);
  return isGenuine(expected.key, signed, signature) ? null : 'has no valid signature';
}

function authenticatorProblem(data: Buffer, rpId: string): string | null {
  if (data.length < fixedLength) return 'has truncated authenticator data';
  if (!data.subarray(0, 32).equals(createHash('sha256').update(rpId).digest())) return 'was made for another domain';
  const flags = data.readUInt8(32);
  const has = (bit: number) => (flags & bit) !== 0;
  if (!has(flag.userPresent)) return 'was made without its human';
  if (!has(flag.userVerified)) return 'was made without a PIN, fingerprint or the like';
  if (has(flag.backedUp) && !has(flag.backupEligible)) return 'has contradictory flags';
  if (has(flag.attested)) return 'has a key in its authenticator data, which signing never adds';
  const rest = data.subarray(fixedLength);
  const fits = has(flag.extended) ? isOneCborMap(rest) : rest.length === 0;
  return fits ? null : 'has malformed authenticator data';
}

function isGenuine(key: KeyObject, signed: Buffer, signature: Buffer): boolean {
  try {
    return verify(key.asymmetricKeyType === 'ec' ? 'sha256' : null, signed, key, signature);
  } catch {
    return false;
  }
}

/** Null unless it is base64url in its one form, not empty and not too long. */
function decodeBase64(text: string, longest: number): Buffer | null {
  if (text.length > Math.ceil((longest * 4) / 3)) return null;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length > 0 && bytes.toString('base64url') === text ? bytes : null;
}

// Just enough CBOR (RFC 8949) to see where extension data ends.

const deepest = 4;
const map = 5;

/** Whether these bytes are exactly one well-formed map of definite lengths. */
function isOneCborMap(bytes: Uint8Array): boolean {
  const [first] = bytes;
  return first !== undefined && first >> 5 === map && itemEnd(bytes, 0, deepest) === bytes.length;
}

/** Offset after the item at `at`; -1 if it is malformed, too deep or not complete. */
function itemEnd(bytes: Uint8Array, at: number, depth: number): number {
  const head = headAt(bytes, at);
  if (!head || depth === 0) return -1;
  const { major, value, end } = head;
  if (major === 2 || major === 3) return end + value <= bytes.length ? end + value : -1;
  const items = major === 4 ? value : major === map ? value * 2 : major === 6 ? 1 : 0;
  let next = end;
  for (let item = 0; item < items && next !== -1; item += 1) next = itemEnd(bytes, next, depth - 1);
  return next;
}

interface Head {
  readonly major: number;
  readonly value: number;
  readonly end: number;
}

/** Null for what is not complete, for indefinite lengths, and for values that no extension has (8 bytes). */
function headAt(bytes: Uint8Array, at: number): Head | null {
  const first = bytes[at];
  if (first === undefined) return null;
  const [major, info] = [first >> 5, first & 0x1f];
  if (info < 24) return { major, value: info, end: at + 1 };
  const size = { 24: 1, 25: 2, 26: 4 }[info] ?? 0;
  const digits = bytes.subarray(at + 1, at + 1 + size);
  if (size === 0 || digits.length < size) return null;
  return { major, value: digits.reduce((sum, digit) => sum * 256 + digit, 0), end: at + 1 + size };
}

// The JSON that a browser makes about an assertion, which the authenticator signs.

const clientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.string().optional(),
});
type ClientData = z.infer<typeof clientData>;

/** Null for anything that readers could understand differently: other encodings, and names that appear twice. */
function parseClientData(bytes: Uint8Array): ClientData | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const parsed = clientData.safeParse(JSON.parse(text));
    return parsed.success && !hasRepeatedName(text) ? parsed.data : null;
  } catch {
    return null;
  }
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** @param text valid JSON; only names of the outermost object are compared */
function hasRepeatedName(text: string): boolean {
  const names = new Set<unknown>();
  let depth = 0;
  let before = '';
  for (const [part] of text.matchAll(token)) {
    if (part === '{' || part === '[') depth += 1;
    else if (part === '}' || part === ']') depth -= 1;
    else if (part === ':' && depth === 1) {
      const name: unknown = JSON.parse(before);
      if (names.has(name)) return true;
      names.add(name);
    }
    before = part;
  }
  return false;
}
