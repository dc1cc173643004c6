/** This editor's signing key: created on first use, kept in SecretStorage, never exposed. */
import { execFile } from 'node:child_process';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import os from 'node:os';
import * as l10n from '@vscode/l10n';
import type { KeySigner } from '../../app/decision/decisions.ts';
import { enrolKey } from '../../app/keys/enrolment.ts';
import { enrolEditor, replaceLost, rotate } from '../../app/keys/acts.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { keyId } from '../../trust/envelope.ts';
import type { PinnedKey } from '../../trust/keyring.ts';
import type { Keys, PublicKey } from '../../ui/surface/standing.ts';
import * as z from 'zod';
import type * as vscode from 'vscode';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import { sha256Hex } from '../../core/kit/fields.ts';
import { firstLine } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/limits.ts';

const secretName = 'holdpoint.signingKey';

/** The private key in SecretStorage. */
function openSecret(secrets: Secrets) {
  async function load(): Promise<KeyObject | null> {
    const stored = await secrets.get(secretName);
    return stored === undefined
      ? null
      : createPrivateKey({ key: Buffer.from(stored, 'base64'), format: 'der', type: 'pkcs8' });
  }

  async function save(privateKey: KeyObject): Promise<KeyObject> {
    await secrets.store(secretName, privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'));
    // Another window may have stored one at the same moment; the stored one is used.
    return (await load()) ?? privateKey;
  }

  return {
    load,
    save,
    loadOrMake: async (): Promise<KeyObject> => (await load()) ?? save(generateKeyPairSync('ed25519').privateKey),
  };
}

let userName: Promise<string> | undefined;

/** As git knows this user, not this repository, whose settings agents can write; else the system's name. */
function nameOfUser(): Promise<string> {
  const system = os.userInfo().username;
  userName ??= new Promise((resolve) => {
    const options = { cwd: os.homedir(), timeout: 2_000 };
    execFile('git', ['config', '--global', 'user.name'], options, (error, stdout) => {
      resolve((error ? '' : firstLine(stdout.trim(), limits.id)) || system);
    });
  });
  return userName;
}

function openPinned({ load, save, loadOrMake }: ReturnType<typeof openSecret>) {
  /** A retired key never comes back; this editor then gets a new one. */
  async function usableKey(workspace: Workspace): Promise<KeyObject> {
    const key = await loadOrMake();
    const keyid = keyId(publicDer(key));
    const isOut = workspace.pins().some((pin) => pin.keyid === keyid && pin.retired);
    return isOut ? save(generateKeyPairSync('ed25519').privateKey) : key;
  }

  async function pinOf(workspace: Workspace): Promise<PinnedKey | null> {
    const key = await load();
    if (!key) return null;
    const keyid = keyId(publicDer(key));
    return workspace.pins().find((pin) => pin.keyid === keyid && !pin.retired) ?? null;
  }

  return {
    usableKey,
    pinOf,
    /** @throws Error when this editor's key is not pinned */
    async held(workspace: Workspace): Promise<{ key: KeyObject; pin: PinnedKey }> {
      const [key, pin] = [await load(), await pinOf(workspace)];
      if (!key || !pin) throw new Error(l10n.t('This machine does not know this editor’s key.'));
      return { key, pin };
    },
  };
}

export function openKeys(secrets: Secrets): Keys {
  const known = openKnownKeys(secrets);
  const { load, save, loadOrMake } = openSecret(secrets);
  const { usableKey, pinOf, held } = openPinned({ load, save, loadOrMake });

  async function enrol(workspace: Workspace, name: string, others: readonly string[] = []): Promise<PinnedKey> {
    const pin = enrolKey(workspace, publicDer(await usableKey(workspace)), name);
    await known.begin([pin.keyid, ...others]);
    return pin;
  }

  return {
    async standing(workspace) {
      const pin = await pinOf(workspace);
      const managed = workspace.managedPins();
      const team = workspace.team();
      if (pin) return { kind: 'enrolled', name: pin.name, keyid: pin.keyid, managed, team };
      const pinned = workspace.pins();
      const suggestedName = await nameOfUser();
      if (pinned.length === 0 && managed === null && team === null) return { kind: 'first', suggestedName };
      return { kind: 'stranger', suggestedName, pinned, managed, team };
    },
    async own() {
      const key = await load();
      return key && publicKey(key);
    },
    make: async () => publicKey(await loadOrMake()),
    async enrol(workspace, name) {
      await enrol(workspace, name);
    },
    async enrolBeside(scope, name, { pinned, lost }) {
      const [workspace] = scope.workspaces;
      const pin = await enrol(workspace, name, idsOfCounting(pinned));
      const signer = signerWith((await held(workspace)).key, pin);
      if (lost.length === 0) await enrolEditor(scope, signer, pin);
      else await replaceLost(scope, signer, pin, lost);
    },
    async rotate(scope) {
      const [workspace] = scope.workspaces;
      const { key, pin } = await held(workspace);
      const { privateKey } = generateKeyPairSync('ed25519');
      // If interrupted here, both keys are pinned, and the form shows them.
      const next = enrolKey(workspace, publicDer(privateKey), pin.name);
      await save(privateKey);
      await known.learn(workspace, [next.keyid]);
      await rotate(scope, signerWith(key, pin), next);
    },
    async signer(workspace) {
      const { key, pin } = await held(workspace);
      return signerWith(key, pin);
    },
    strangers: (workspace) => known.strangers(workspace),
    know: (workspace, keyid) => known.learn(workspace, [keyid]),
  };
}

function signerWith(key: KeyObject, { keyid, name }: PinnedKey): KeySigner {
  return { keyid, name, sign: (bytes) => sign(null, bytes, key) };
}

function publicKey(key: KeyObject): PublicKey {
  const der = publicDer(key);
  return { keyid: keyId(der), publicKey: der.toString('base64') };
}

function publicDer(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' });
}

// The keys trusted through this editor's forms, in SecretStorage. The key ring is a file that any program of the user
// can write; keys in it beyond these came from elsewhere. This is detected, not prevented (docs/security.md).

const knownKeysName = 'holdpoint.knownKeys';
/** Created on use, so that the editor's start does not wait for a schema. */
const knownKeys = () => z.array(sha256Hex);

/** The part of SecretStorage in use. */
export type Secrets = Pick<vscode.SecretStorage, 'get' | 'store'>;

function openKnownKeys(secrets: Secrets) {
  async function load(): Promise<readonly string[] | null> {
    const parsed = knownKeys().safeParse(jsonOrNull((await secrets.get(knownKeysName)) ?? ''));
    return parsed.success ? parsed.data : null;
  }

  /** Marks keys as known: trusted through a form, or shown to a signing human. */
  async function learn(workspace: Workspace, keyids: readonly string[]): Promise<void> {
    const known = (await load()) ?? counting(workspace);
    await save([...known, ...keyids]);
  }

  async function save(keyids: readonly string[]): Promise<void> {
    await secrets.store(knownKeysName, JSON.stringify([...new Set(keyids)]));
  }

  return {
    /** Ids of keys that are trusted but are not known. */
    async strangers(workspace: Workspace): Promise<ReadonlySet<string>> {
      // An administrator's ring is not a user file, and a team's is signed; and without its own key, this editor trusts no one yet.
      if (workspace.managedPins() !== null || workspace.team() !== null) return new Set();
      const known = await load();
      return new Set(known === null ? [] : counting(workspace).filter((keyid) => !known.includes(keyid)));
    },
    learn,
    /** Begins when this editor enrols its key: other keys that are in the ring by then do not become known. */
    begin: async (keyids: readonly string[]) => save([...((await load()) ?? []), ...keyids]),
  };
}

function counting(workspace: Workspace): string[] {
  return idsOfCounting(workspace.pins());
}

/** Ids of the keys that are not retired. */
export function idsOfCounting(pins: readonly PinnedKey[]): string[] {
  return pins.filter(({ retired }) => !retired).map(({ keyid }) => keyid);
}
