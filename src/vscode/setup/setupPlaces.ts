/** The editor's inputs for setup: the folder, the launcher, and a store for the canary. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { holdCanary } from '../../app/hosts/canary.ts';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import { openWorkspace } from '../../app/workspace/workspace.ts';
import type { Hold } from '../../hosts/setup/canary.ts';
import { launcherPath } from '../../hosts/setup/launcher.ts';
import type { Place } from '../../hosts/setup/place.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';

/** With git's answer, which the checks and plans of all hosts then share. */
export async function placeOf({ workspace, uri }: OpenFolder): Promise<Place> {
  const { askGit } = await import('../../hosts/setup/git.ts');
  const place = {
    workspace: uri.fsPath,
    home: os.homedir(),
    userFolder: workspace.userFolder,
    launcher: launcherPath(workspace.userFolder),
    platform: process.platform,
    env: process.env,
  };
  return { ...place, git: await askGit(place) };
}

export function canaryHold(extensionPath: string): Hold {
  return async ({ folder, home, env, secret }) => {
    const workspace = openWorkspace({
      ...thisMachine({ env, platform: process.platform }, home),
      folder,
      home,
      wasm: () => fs.readFileSync(path.join(extensionPath, 'dist', 'sql-wasm.wasm.br')),
    });
    try {
      await holdCanary(workspace, 'held.txt', secret);
    } finally {
      workspace.close();
    }
  };
}
