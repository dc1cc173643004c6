/** The keys that are currently trusted on this machine; read again whenever their file changes. */
import { besideStateFile } from '../../store/journal/stateFile.ts';
import path from 'node:path';
import { errorCode, type FileSystem } from '../../store/journal/files.ts';
import { messageOf, ProblemError } from '../../store/journal/problem.ts';
import { keyringFile, type PinnedKey, parseKeyring } from '../../trust/keyring.ts';
import { readPins, isManaged } from './thisMachine.ts';
import { readSharedFile, readSharedRing } from './sharedFile.ts';
import type { Trust } from '../../core/records/decision.ts';
import { isVouchedFor } from '../../trust/envelope.ts';

export interface SeenRing {
  /** Changes whenever a key file changes. */
  readonly mark: string;
  /** Null for an unreadable ring. */
  readonly pins: readonly PinnedKey[] | null;
}

export interface RingPlaces {
  readonly folder: string;
  /** Path of the store's state file. In a shared workspace, the team's ring next to it counts instead of the user's. */
  readonly stateFile: string;
  /** The administrator's folder; its ring takes precedence over both. */
  readonly managed: string;
}

export function openRing(
  { fs, platform }: { readonly fs: FileSystem; readonly platform: NodeJS.Platform },
  { folder, stateFile, managed }: RingPlaces,
) {
  const own = path.join(folder, keyringFile);
  const shared = besideStateFile(stateFile, 'shared');
  const sharedRing = besideStateFile(stateFile, 'ring');
  let known: { readonly mark: string; readonly pins: readonly PinnedKey[] } | null = null;

  function mark(): string {
    const joined = markOf(fs, shared, true);
    // A file that cannot be seen is not taken for one that is missing.
    const counting = joined === none ? markOf(fs, own, true) : `${joined} / ${markOf(fs, sharedRing, true)}`;
    return [counting, markOf(fs, managed, false), markOf(fs, path.join(managed, keyringFile), false)].join(' / ');
  }

  /** @throws Error when a ring cannot be read */
  function pins(): readonly PinnedKey[] {
    const now = mark();
    if (known?.mark !== now)
      known = {
        mark: now,
        pins: readManagedPins(fs, managed, platform) ?? readTeamPins(fs, stateFile) ?? readPins(fs, own),
      };
    return known.pins;
  }

  return {
    mark,
    pins,
    seen(): SeenRing {
      const now = mark();
      try {
        return { mark: now, pins: pins() };
      } catch {
        return { mark: now, pins: null };
      }
    },
  };
}

/** Whether keys were only added, so that no verified decision changes. */
export function isOnlyMore(before: SeenRing['pins'], now: SeenRing['pins']): boolean {
  if (before === null || now === null) return false;
  return before.every((pin) => {
    const same = now.find(({ keyid }) => keyid === pin.keyid);
    if (same?.publicKey !== pin.publicKey || same.name !== pin.name) return false;
    return endOf(same) === endOf(pin) && siteOf(same) === siteOf(pin);
  });
}

function endOf({ retired }: PinnedKey): string {
  return retired ? JSON.stringify(Object.entries(retired.upTo).sort()) : '';
}

function siteOf({ passkey }: PinnedKey): string {
  return passkey ? `${passkey.origin} ${passkey.rpId}` : '';
}

const none = 'none';

/** The user's own file may be a link; in the administrator's place a link is not trusted as a file. */
function markOf(fs: FileSystem, place: string, followed: boolean): string {
  try {
    const stat = (followed ? fs.statSync : fs.lstatSync)(place, { throwIfNoEntry: false });
    if (!stat) return none;
    const { ino, uid, mode, size, mtimeMs, ctimeMs } = stat;
    // The contents of a folder have marks of their own.
    return stat.isDirectory() ? [ino, uid, mode].join(' ') : [ino, uid, mode, size, mtimeMs, ctimeMs].join(' ');
  } catch (error) {
    return errorCode(error) ?? 'error';
  }
}

/**
 * Null: the workspace is not shared.
 * @throws ProblemError when it is, or may be, and the team's keys are not known
 */
function readTeamPins(fs: FileSystem, stateFile: string): readonly PinnedKey[] | null {
  try {
    const shared = readSharedFile(fs, stateFile);
    return shared && readSharedRing(fs, stateFile, shared).pins;
  } catch (cause) {
    throw new ProblemError('ring', `The team’s list of keys cannot be used: ${messageOf(cause)}.`, { cause });
  }
}

/** Null if keys are not managed. A key ring that is writable by others or unreadable trusts no key. */
export function readManagedPins(fs: FileSystem, folder: string, platform: NodeJS.Platform): PinnedKey[] | null {
  if (!isManaged(fs, folder)) return null;
  const file = path.join(folder, keyringFile);
  try {
    const isSafe = platform === 'win32' || [folder, file].every((place) => isOfRoot(fs, place));
    return isSafe ? parseKeyring(fs.readFileSync(file, 'utf8')) : [];
  } catch {
    return [];
  }
}

/** Where an administrator's keys count, a file that an agent can write must not decide what a gate starts from. */
export function acceptsSaved(fs: FileSystem, folder: string, pins: () => readonly PinnedKey[]): Trust['accepts'] {
  return (saved) => !isManaged(fs, folder) || isVouchedFor(saved, pins());
}

function isOfRoot(fs: FileSystem, place: string): boolean {
  const stat = fs.lstatSync(place);
  return stat.uid === 0 && !stat.isSymbolicLink() && (stat.mode & 0o022) === 0;
}
