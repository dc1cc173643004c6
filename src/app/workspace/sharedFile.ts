/**
 * What this user knows of a workspace that a team shares, with the root keys that a human compared when joining. Kept
 * next to the anchor, outside the workspace, where no clone brings one along.
 */
import { besideStateFile } from '../../store/journal/stateFile.ts';
import { isInstant, isMap, isOneOf, isUuid, matches } from '../../core/kit/quickChecks.ts';
import { isPersonName } from '../../core/kit/persons.ts';
import { isPlainRoots, sharedNamePattern } from '../../core/records/sharing.ts';
import { putFile, readOrNull, type FileSystem } from '../../store/journal/files.ts';

export interface SharedFile {
  readonly v: 1;
  /** Its id, and its name on the server. */
  readonly workspace: string;
  readonly name: string;
  readonly roots: readonly string[];
  readonly joinedAt: string;
  /** Whose agents' login it is: their ids begin with it. Absent: the server accepts no agent from here. */
  readonly person?: string | undefined;
}

const isSharedFile = isMap(
  {
    v: isOneOf(1),
    workspace: isUuid,
    name: matches(sharedNamePattern),
    roots: isPlainRoots,
    joinedAt: isInstant,
  },
  { person: (value) => typeof value === 'string' && isPersonName(value) },
);

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
    const found: unknown = JSON.parse(bytes.toString('utf8'));
    if (isSharedFile(found)) return found as SharedFile;
    throw new Error('its content is malformed');
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
  if (!isSharedFile(JSON.parse(JSON.stringify(content)))) throw new Error('this would not be read again');
  writeUserFile(files, 'shared', content);
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
