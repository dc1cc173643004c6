import { rmSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface TemporaryFolder {
  readonly folder: string;
  /** Removes it, unless HOLDPOINT_KEEP is set. */
  readonly remove: () => Promise<void>;
}

const left = new Set<string>();

// After an interruption, do not wait for VS Code's last writes.
process.on('exit', () => {
  if (!process.env['HOLDPOINT_KEEP']) for (const folder of left) rmSync(folder, removal);
});

/** How a folder is removed in which a program that is ending may still write: up to 5.5 seconds of attempts. */
export const removal = { recursive: true, force: true, maxRetries: 10 } as const;

/** A new folder by its real path, because VS Code compares folders by path. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'holdpoint-')));
  left.add(folder);
  return {
    folder,
    remove: async () => {
      left.delete(folder);
      if (process.env['HOLDPOINT_KEEP']) console.log(`Kept: ${folder}`);
      else await rm(folder, removal);
    },
  };
}
