/**
 * What this user knows of a workspace that a team shares, with the root keys that a human compared when joining. Kept
 * next to the anchor, outside the workspace, where no clone brings one along.
 */
import * as z from 'zod';
import { besideStateFile } from '../../store/journal/stateFile.ts';
import { instant } from '../../core/kit/fields.ts';
import { isPersonName } from '../../core/kit/persons.ts';
import type { DeepReadonly } from '../../core/records/parts.ts';
import { ringRoots, sharedName } from '../../core/records/key.ts';
import { putFile, readOrNull, type FileSystem } from '../../store/journal/files.ts';

const sharedFile = z.strictObject({
  v: z.literal(1),
  /** Its id, and its name on the server. */
  workspace: z.uuid(),
  name: sharedName,
  roots: ringRoots,
  joinedAt: instant,
  /** Whose agents' login it is: their ids begin with it. Absent: the server accepts no agent from here. */
  person: z.string().refine(isPersonName).optional(),
});
export type SharedFile = DeepReadonly<z.infer<typeof sharedFile>>;

/**
 * Null: this user has not joined a shared workspace here.
 * @param stateFile path of the store's state file
 * @throws Error when the file exists but cannot be read: then nothing is known about which keys are trusted
 */
export function readSharedFile(fs: FileSystem, stateFile: string): SharedFile | null {
  const file = besideStateFile(stateFile, 'shared');
  try {
    const bytes = readOrNull(fs, file);
    if (!bytes) return null;
    return sharedFile.parse(JSON.parse(bytes.toString('utf8')));
  } catch (cause) {
    throw new Error(`${file}, which says where this workspace is shared, cannot be read: join the team again`, {
      cause,
    });
  }
}

/** What it takes to write files next to a state file. */
export interface UserFiles {
  readonly fs: FileSystem;
  readonly stateFile: string;
  readonly newId: () => string;
}

/** @throws Error for malformed content: what is written can be read */
export function writeSharedFile(files: UserFiles, content: SharedFile): void {
  writeUserFile(files, 'shared', sharedFile.parse(content));
}

/** After the journal moved back to this machine. */
export function removeSharedFiles({ fs, stateFile }: UserFiles): void {
  // The ring first: a workspace that is no longer joined has none.
  for (const extension of ['ring', 'shared'] as const)
    fs.rmSync(besideStateFile(stateFile, extension), { force: true });
}

export function writeUserFile(
  { fs, stateFile, newId }: UserFiles,
  extension: 'shared' | 'ring',
  content: object,
): void {
  const file = besideStateFile(stateFile, extension);
  putFile({ fs, newId }, file, `${JSON.stringify(content)}\n`);
}
