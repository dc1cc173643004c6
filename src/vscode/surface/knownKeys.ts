/**
 * The keys that this editor's forms let in, in SecretStorage: the key ring is a file that any program of the user can
 * write, and what it has beyond these was let in by something else. It is noticed, not prevented (docs/security.md).
 */
import * as z from 'zod';
import type * as vscode from 'vscode';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { sha256Hex } from '../../core/kit/text.ts';

const secretName = 'holdpoint.knownKeys';
/** Made on use: the editor's start waits for no schema. */
const knownKeys = () => z.array(sha256Hex);

export interface KnownKeys {
  /** Ids of keys that count and are not known. */
  strangers(workspace: Workspace): Promise<ReadonlySet<string>>;
  /** A form let these in, or showed them to whoever signs. */
  learn(workspace: Workspace, keyids: readonly string[]): Promise<void>;
}

export function openKnownKeys(secrets: vscode.SecretStorage): KnownKeys {
  async function load(): Promise<readonly string[] | null> {
    const parsed = knownKeys().safeParse(jsonOrNull((await secrets.get(secretName)) ?? ''));
    return parsed.success ? parsed.data : null;
  }

  async function learn(workspace: Workspace, keyids: readonly string[]): Promise<void> {
    const known = (await load()) ?? counting(workspace);
    await secrets.store(secretName, JSON.stringify([...new Set([...known, ...keyids])]));
  }

  return {
    async strangers(workspace) {
      // An administrator's ring is no file of the user's; and who signs nothing here has let nobody in.
      if (workspace.managedPins() !== null) return new Set();
      const known = await load();
      return new Set(known === null ? [] : counting(workspace).filter((keyid) => !known.includes(keyid)));
    },
    learn,
  };
}

function counting(workspace: Workspace): string[] {
  return workspace
    .pins()
    .filter(({ retired }) => !retired)
    .map(({ keyid }) => keyid);
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
