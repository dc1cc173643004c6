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

// Stopped in the middle: what VS Code still writes meanwhile is not worth waiting for.
process.on('exit', () => {
  if (!process.env['HOLDPOINT_KEEP']) for (const folder of left) rmSync(folder, removal);
});

const removal = { recursive: true, force: true, maxRetries: 5 } as const;

/** A folder of its own, by its real name: VS Code compares names of folders, not folders. */
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
