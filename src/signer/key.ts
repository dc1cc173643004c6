/** The person's key: Ed25519, created on first use, kept in the SecretStorage of the person's side. */
import type * as vscode from 'vscode';
import type { SignerKey } from '../protocol/kit/signing.ts';
import { bytesOf, sha256 } from './check.ts';

type Secrets = Pick<vscode.SecretStorage, 'get' | 'store'>;

const secretName = 'holdpointSigner.key';
const ed25519 = { name: 'Ed25519' } as const;

export interface Key extends SignerKey {
  sign(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
}

/** Both halves, base64. */
interface Stored {
  readonly privateKey: string;
  readonly publicKey: string;
}

export async function openKey(secrets: Secrets): Promise<Key> {
  const { privateKey, publicKey } = (await load(secrets)) ?? (await make(secrets));
  const key = await crypto.subtle.importKey('pkcs8', bytesOf(privateKey), ed25519, false, ['sign']);
  return {
    publicKey,
    keyid: await sha256(bytesOf(publicKey)),
    sign: async (bytes) => base64(await crypto.subtle.sign(ed25519, key, bytes)),
  };
}

/** Overwrites the private key. What the old one signed stands. */
export async function replaceKey(secrets: Secrets): Promise<Key> {
  await make(secrets);
  return openKey(secrets);
}

async function load(secrets: Secrets): Promise<Stored | null> {
  const stored = await secrets.get(secretName);
  return stored === undefined ? null : (JSON.parse(stored) as Stored);
}

async function make(secrets: Secrets): Promise<Stored> {
  const pair = await crypto.subtle.generateKey(ed25519, true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error('Ed25519 makes pairs of keys');
  const made: Stored = {
    privateKey: base64(await crypto.subtle.exportKey('pkcs8', pair.privateKey)),
    publicKey: base64(await crypto.subtle.exportKey('spki', pair.publicKey)),
  };
  await secrets.store(secretName, JSON.stringify(made));
  // Another window may have stored one at the same moment; the stored one counts.
  return (await load(secrets)) ?? made;
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
