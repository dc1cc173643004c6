/** The signing key of this editor: made on first use, kept in SecretStorage, never shown to anything else. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import os from 'node:os';
import * as vscode from 'vscode';
import type { Signer } from '../app/decisions.ts';
import { enrolKey } from '../app/enrolment.ts';
import type { Workspace } from '../app/workspace.ts';
import { keyId } from '../trust/envelope.ts';
import type { PinnedKey } from '../trust/envelope.ts';

const secretName = 'holdpoint.signingKey';

export type Standing =
  /** This editor's key is pinned on this machine. */
  | { readonly kind: 'enrolled'; readonly name: string; readonly keyid: string }
  /** Nobody has a key here yet: the first decision enrols this editor's. */
  | { readonly kind: 'first'; readonly suggestedName: string }
  /** Others are pinned, this editor's is not: a human has to add it first. */
  | { readonly kind: 'stranger'; readonly suggestedName: string; readonly pinned: readonly PinnedKey[] };

export interface Keys {
  standing(workspace: Workspace): Promise<Standing>;
  /** Pins this editor's key under a name. A human's act. */
  enrol(workspace: Workspace, name: string): Promise<void>;
  /** @throws Error when this editor's key is not pinned */
  signer(workspace: Workspace): Promise<Signer>;
}

export function openKeys(secrets: vscode.SecretStorage): Keys {
  async function load(): Promise<KeyObject | null> {
    const stored = await secrets.get(secretName);
    return stored === undefined
      ? null
      : createPrivateKey({ key: Buffer.from(stored, 'base64'), format: 'der', type: 'pkcs8' });
  }

  async function loadOrMake(): Promise<KeyObject> {
    const known = await load();
    if (known) return known;
    const { privateKey } = generateKeyPairSync('ed25519');
    await secrets.store(secretName, privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'));
    // Another window may have stored one at the same moment: what is stored counts.
    return (await load()) ?? privateKey;
  }

  async function pinOf(workspace: Workspace): Promise<PinnedKey | null> {
    const key = await load();
    if (!key) return null;
    const keyid = keyId(publicDer(key));
    return workspace.pins().find((pin) => pin.keyid === keyid) ?? null;
  }

  return {
    async standing(workspace) {
      const pin = await pinOf(workspace);
      if (pin) return { kind: 'enrolled', name: pin.name, keyid: pin.keyid };
      const pinned = workspace.pins();
      const suggestedName = os.userInfo().username;
      return pinned.length === 0 ? { kind: 'first', suggestedName } : { kind: 'stranger', suggestedName, pinned };
    },
    async enrol(workspace, name) {
      enrolKey(workspace, publicDer(await loadOrMake()), name);
    },
    async signer(workspace) {
      const [key, pin] = [await load(), await pinOf(workspace)];
      if (!key || !pin) throw new Error(vscode.l10n.t('This editor has no key that is known on this machine.'));
      return { keyid: pin.keyid, name: pin.name, sign: (bytes) => sign(null, bytes, key) };
    },
  };
}

function publicDer(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' });
}
