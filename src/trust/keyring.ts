/** The pinned keys of this user: a small file in the user-level folder, which the editor writes after a human's act. */
import {
  domainPattern,
  isBase64,
  isCount,
  isInstant,
  isLine,
  isListOf,
  isMap,
  isOneOf,
  isSha256,
  isUuid,
  matches,
  originPattern,
  passkeyLimits,
} from '../core/kit/quickChecks.ts';
import { limits } from '../core/kit/limits.ts';
import type { PasskeyBinding } from '../core/records/decision.ts';
import { hashOf } from './canonical.ts';

/** A public key that a human's act pinned on this machine. */
export interface PinnedKey {
  /** SHA-256 of the SPKI DER, hexadecimal. */
  readonly keyid: string;
  /** SPKI DER, base64. */
  readonly publicKey: string;
  readonly name: string;
  readonly enrolledAt: string;
  /** Set for a passkey: it signs only as WebAuthn has it, and no other key does. */
  readonly passkey?: PasskeyBinding | undefined;
  /** Set once the key was given up: only its earlier signatures are valid. */
  readonly retired?: Retirement | undefined;
}

export interface Retirement {
  readonly at: string;
  /** Its human replaced it, lost it, revoked it, or never trusted it. */
  readonly why: 'rotated' | 'lost' | 'takenOut' | 'stranger';
  /**
   * Position that each workspace's journal on this machine had reached, in bytes by workspace id. Later signatures, and
   * those in other workspaces, are not valid. Times would not help: the holder of the key can sign any.
   */
  readonly upTo: Readonly<Record<string, number>>;
}

export const keyringFile = 'keys.json';

const keysAtMost = 1_000;
const nameAtMost = 200;

const isRetirement = isMap({
  at: isInstant,
  why: isOneOf('rotated', 'lost', 'takenOut', 'stranger'),
  upTo: (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([workspace, position]) => isUuid(workspace) && isCount(position)),
});
const isPasskey = isMap({
  origin: matches(originPattern, passkeyLimits.origin),
  rpId: matches(domainPattern, passkeyLimits.rpId),
  credentialId: matches(/^[\w-]+$/, passkeyLimits.credentialId),
  label: (value) => isLine(value, limits.id),
});
const isPin = isMap(
  {
    keyid: isSha256,
    publicKey: isBase64,
    name: (value) => isLine(value, nameAtMost),
    enrolledAt: isInstant,
  },
  { passkey: isPasskey, retired: isRetirement },
);
/** 2: with passkeys. An earlier program refuses it, instead of writing it again without what makes them passkeys. */
const isKeyring = isMap({ v: isOneOf(1, 2), keys: (value) => isListOf(value, isPin) && value.length <= keysAtMost });

/** @throws Error when the text is not a key ring: silently trusting no key would hide the fault */
export function parseKeyring(text: string): PinnedKey[] {
  const found: unknown = JSON.parse(text);
  if (!isKeyring(found)) throw new Error('it is not a list of keys');
  return (found as { readonly keys: PinnedKey[] }).keys;
}

/** What is wrong with a ring that cannot be parsed, and how decisions become possible again. */
export function unreadableRing(file: string): string {
  return `the list of keys ${file} cannot be read: restore an earlier copy, or move it away and add your key again: the form in the editor asks for your name and adds it before your next decision`;
}

export function hashOfKeys(pins: readonly PinnedKey[]): string {
  return hashOf(
    pins.map(({ keyid, publicKey, name, retired, passkey }) => [
      ...[keyid, publicKey, name, retired?.upTo ?? null],
      ...(passkey ? [passkey.origin, passkey.rpId] : []),
    ]),
  );
}

export function formatKeyring(keys: readonly PinnedKey[]): string {
  const v = keys.some(({ passkey }) => passkey !== undefined) ? 2 : 1;
  return `${JSON.stringify({ v, keys }, null, 2)}\n`;
}
