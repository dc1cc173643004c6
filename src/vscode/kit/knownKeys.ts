/**
 * The keys trusted through this editor's forms, in SecretStorage. The key ring is a file that any program of the user
 * can write; keys in it beyond these came from elsewhere. This is detected, not prevented (docs/security.md).
 */
import * as z from 'zod';
import type * as vscode from 'vscode';
import { jsonOrNull } from '../../core/kit/json.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { sha256Hex } from '../../core/kit/text.ts';
import type { PinnedKey } from '../../trust/envelope.ts';

const secretName = 'holdpoint.knownKeys';
/** Created on use, so that the editor's start does not wait for a schema. */
const knownKeys = () => z.array(sha256Hex);

/** The part of SecretStorage in use. */
export type Secrets = Pick<vscode.SecretStorage, 'get' | 'store'>;

export interface KnownKeys {
  /** Ids of keys that count but are not known. */
  strangers(workspace: Workspace): Promise<ReadonlySet<string>>;
  /** Marks keys as known: trusted through a form, or shown to a signing human. */
  learn(workspace: Workspace, keyids: readonly string[]): Promise<void>;
  /** The same when this editor enrols its key: other keys that are in the ring by then do not become known. */
  begin(keyids: readonly string[]): Promise<void>;
}

export function openKnownKeys(secrets: Secrets): KnownKeys {
  async function load(): Promise<readonly string[] | null> {
    const parsed = knownKeys().safeParse(jsonOrNull((await secrets.get(secretName)) ?? ''));
    return parsed.success ? parsed.data : null;
  }

  async function learn(workspace: Workspace, keyids: readonly string[]): Promise<void> {
    const known = (await load()) ?? counting(workspace);
    await save([...known, ...keyids]);
  }

  async function save(keyids: readonly string[]): Promise<void> {
    await secrets.store(secretName, JSON.stringify([...new Set(keyids)]));
  }

  return {
    async strangers(workspace) {
      // An administrator's ring is not a user file, and a team's is signed; and without its own key, this editor trusts no one yet.
      if (workspace.managedPins() !== null || workspace.team() !== null) return new Set();
      const known = await load();
      return new Set(known === null ? [] : counting(workspace).filter((keyid) => !known.includes(keyid)));
    },
    learn,
    begin: async (keyids) => save([...((await load()) ?? []), ...keyids]),
  };
}

function counting(workspace: Workspace): string[] {
  return idsOfCounting(workspace.pins());
}

/** Ids of the keys that are not retired. */
export function idsOfCounting(pins: readonly PinnedKey[]): string[] {
  return pins.filter(({ retired }) => !retired).map(({ keyid }) => keyid);
}
