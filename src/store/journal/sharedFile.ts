/** What the user-level folder records about a workspace that several machines share; beside the store's state file. */
import path from 'node:path';
import * as z from 'zod';
import { readOrNull } from './files.ts';
import type { FileSystem } from './files.ts';
import { stateFileName, storesFolder } from './stateFile.ts';

/** Further fields are for programs that connect to the server. */
const sharedWorkspace = z.object({ v: z.literal(1), workspace: z.uuid(), name: z.string() });
export type SharedWorkspace = z.infer<typeof sharedWorkspace>;

/** Null for a store that is not shared, and for a file that cannot be read: its journal says that it is shared. */
export function readSharedFile(fs: FileSystem, userFolder: string, root: string): SharedWorkspace | null {
  const file = sharedFilePath(userFolder, root);
  try {
    const bytes = readOrNull(fs, file);
    return bytes && sharedWorkspace.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return null;
  }
}

export function sharedFilePath(userFolder: string, root: string): string {
  return path.join(storesFolder(userFolder), stateFileName(root).replace(/\.json$/, '.shared.json'));
}
