/** What every program takes of the machine it runs on. */
import { randomUUID } from 'node:crypto';
import { plainFiles } from '../../store/journal/files.ts';
import type { WorkspaceOptions } from './workspace.ts';

/** @param process the one that runs: its environment enters here */
export function thisMachine({ env, platform }: Pick<NodeJS.Process, 'env' | 'platform'>, home: string) {
  return {
    fs: plainFiles,
    env,
    platform,
    home,
    clock: Date.now,
    // Node's crypto is loaded with the first id.
    newId: () => randomUUID(),
  } as const satisfies Partial<WorkspaceOptions>;
}
