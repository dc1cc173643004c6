/**
 * A throwaway workspace for the sample question. It has its own user folder, and so its own key ring, anchor and
 * snapshots: the user's folders, key ring and state are neither read nor written.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { openWorkspaceIn } from '../kit/folders.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';

export interface SampleWorkspace extends Closable {
  readonly folder: OpenFolder;
}

const samples = new WeakSet<Workspace>();

export function isSample(workspace: Workspace): boolean {
  return samples.has(workspace);
}

/** Another window may be using a sample; one this old is a leftover. Milliseconds. */
const leftBehindMs = 24 * 60 * 60_000;

/**
 * Closing it deletes its files.
 * @param parent folder that contains only samples
 */
export function openSampleWorkspace(extensionPath: string, parent: string): SampleWorkspace {
  removeOlder(parent);
  const place = path.join(parent, randomUUID());
  const root = path.join(place, 'sample');
  const home = path.join(place, 'home');
  fs.mkdirSync(home, { recursive: true });
  // Makes the folder a repository root; otherwise the store would go to a surrounding repository.
  fs.mkdirSync(path.join(root, '.git'), { recursive: true });
  const workspace = openWorkspaceIn(root, extensionPath, {
    home,
    env: {},
    managedFolder: path.join(home, 'managed'),
    saveBeside: undefined,
  });
  const remove = () => {
    workspace.close();
    fs.rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  };
  if (workspace.location.root !== fs.realpathSync.native(root) || !isInside(home, workspace.userFolder)) {
    remove();
    throw new Error(l10n.t('The sample does not have its own workspace.'));
  }
  samples.add(workspace);
  const folder = { workspace, name: l10n.t('Sample'), uri: vscode.Uri.file(root) };
  return { folder, dispose: remove };
}

function isInside(folder: string, file: string): boolean {
  return file.startsWith(folder + path.sep);
}

function removeOlder(parent: string): void {
  if (!fs.existsSync(parent)) return;
  for (const name of fs.readdirSync(parent)) {
    const place = path.join(parent, name);
    const made = fs.statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - made > leftBehindMs) fs.rmSync(place, { recursive: true, force: true });
  }
}
