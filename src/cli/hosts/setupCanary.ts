/** The command line's part of setup: the paths of its programs, and a store for the canary. */
import path from 'node:path';
import process from 'node:process';
import { holdCanary } from '../../app/hosts/canary.ts';
import type { Hold } from '../../hosts/setup/canary.ts';
import { writeLauncher, launcherWorks, type LauncherTarget } from '../../hosts/setup/launcher.ts';
import type { Place } from '../../hosts/setup/place.ts';
import type { Io } from '../kit/io.ts';
import { openFolder } from '../kit/openFolder.ts';

/** This program, on the current Node. */
export function launcherTarget({ env }: Io): LauncherTarget {
  const electron = env['ELECTRON_RUN_AS_NODE'] === '1' && 'electron' in process.versions;
  return {
    command: process.execPath,
    env: electron ? { ELECTRON_RUN_AS_NODE: '1' } : {},
    programs: path.resolve(import.meta.dirname),
  };
}

/** A working launcher may be the extension's, which keeps it up to date. */
export function ensureLauncher(io: Io, { userFolder }: Place): void {
  if (!launcherWorks(userFolder)) writeLauncher(userFolder, launcherTarget(io), io.platform);
}

export function canaryHold(io: Io): Hold {
  return async ({ folder, home, env, secret }) => {
    const workspace = openFolder({ ...io, home, env }, folder);
    try {
      await holdCanary(workspace, 'held.txt', secret);
    } finally {
      workspace.close();
    }
  };
}
