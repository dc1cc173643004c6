/**
 * Public keys in the forms that people exchange: a line `base64 name`, PEM, or a key ring. For checks without the
 * store.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { keyId } from './envelope.ts';
import { type PinnedKey, parseKeyring } from './keyring.ts';
import { passkeyBinding } from '../core/records/decision.ts';
import { passkeyPublicKey } from './webauthn.ts';

const pemBlock = /-----BEGIN PUBLIC KEY-----[\s\S]+?-----END PUBLIC KEY-----/g;
const unknownSince = '1970-01-01T00:00:00.000Z';

/** A key's id in groups, to compare over another channel: complete, because a partial one can be forged. */
export function fingerprintOf(keyid: string): string {
  return (keyid.match(/.{4}/g) ?? []).join(' ');
}

/**
 * One line of a key file: the key, then its owner's name. A passkey's line also says where it signs, and what its human
 * calls it.
 */
export function formatPublicKey({
  publicKey,
  name,
  passkey,
}: Pick<PinnedKey, 'publicKey' | 'name' | 'passkey'>): string {
  const owner = name.replace(/\s+/gu, ' ');
  if (!passkey) return `${publicKey} ${owner}`;
  const { origin, rpId, credentialId, label } = passkey;
  const called = label === owner ? '' : `label=${encodeURIComponent(label)} `;
  return `passkey ${publicKey} ${origin} ${rpId} ${credentialId} ${called}${owner}`;
}

/** One line of a key file: a workspace whose decisions the keys' owners make. */
export function formatWorkspace(id: string): string {
  return `workspace ${id}`;
}

const workspaceLine = /^\s*workspace\s+(\S+)\s*$/gm;

/** The workspaces that a key file lists, for checks that must not accept a decision of another repository. */
export function parseWorkspaces(text: string): string[] {
  return [...text.matchAll(workspaceLine)].map(([, id = '']) => id);
}

/**
 * The Ed25519 keys and passkeys in a text; workspaces and lines that begin with # are ignored.
 * @throws Error naming anything that is not such a key: skipping one silently would turn its decisions into forgeries
 */
export function parsePublicKeys(text: string): PinnedKey[] {
  if (text.trimStart().startsWith('{')) return parseKeyring(text);
  const blocks = text.match(pemBlock);
  const keys = blocks
    ? blocks.map((pem) => keyFrom(pem, () => createPublicKey(pem), 'key'))
    : text
        .replaceAll(workspaceLine, '')
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map(fromLine);
  if (keys.length === 0) throw new Error('there is no key in it');
  return keys;
}

const passkeyLine = /^passkey\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(?:label=(\S+)\s+)?(.+)$/;

function fromPasskeyLine(line: string): PinnedKey {
  const [, publicKey = '', origin = '', rpId = '', credentialId = '', called, name = ''] = passkeyLine.exec(line) ?? [];
  const label = called === undefined ? name : decodeText(called);
  const passkey = passkeyBinding().safeParse({ origin, rpId, credentialId, label });
  const der = Buffer.from(publicKey, 'base64');
  if (!passkey.success || !passkeyPublicKey(der) || der.toString('base64') !== publicKey)
    throw new Error(`"${line.slice(0, 40)}" is not a passkey (public key, origin, domain, credential and name)`);
  return { keyid: keyId(der), publicKey, name, enrolledAt: unknownSince, passkey: passkey.data };
}

function decodeText(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function fromLine(line: string): PinnedKey {
  if (/^passkey\s/.test(line)) return fromPasskeyLine(line);
  const [, base64 = '', name = ''] = /^(\S+)(?:\s+(.*))?$/.exec(line) ?? [];
  const der = Buffer.from(base64, 'base64');
  return keyFrom(line, () => createPublicKey({ key: der, format: 'der', type: 'spki' }), name);
}

function keyFrom(text: string, read: () => KeyObject, name: string): PinnedKey {
  let key: KeyObject | null;
  try {
    key = read();
  } catch {
    key = null;
  }
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new Error(`"${text.slice(0, 40)}" is not an Ed25519 public key (SPKI as base64 or PEM)`);
  const der = key.export({ format: 'der', type: 'spki' });
  const keyid = keyId(der);
  return {
    keyid,
    publicKey: der.toString('base64'),
    name: name === '' ? keyid.slice(0, 16) : name,
    enrolledAt: unknownSince,
  };
}
