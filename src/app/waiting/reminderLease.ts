/**
 * Which program of this machine sends reminders: one at a time, an editor before others. The lease is a file that names a
 * process by its id and its start time, so that one that crashed or was killed is recognised.
 */
import path from 'node:path';
import * as z from 'zod';
import { closeQuietly, errorCode, makeFolderOf, readOrNull } from '../../store/journal/files.ts';
import type { FileSystem } from '../../store/journal/files.ts';
import type { Programs } from '../../store/journal/programs.ts';
import { remindersFolder } from './reminderFiles.ts';
import type { ReminderPlace } from './reminderFiles.ts';

/** COPYFILE_EXCL of node:fs. */
const copyExclusively = 1;

export const senderRole = z.enum(['editor', 'serve', 'remind']);
export type SenderRole = z.infer<typeof senderRole>;

const holder = z.object({
  /** Tells several senders of one program apart. */
  id: z.string(),
  role: senderRole,
  pid: z.int(),
  started: z.string().nullable(),
  noted: z.number(),
});
type Holder = z.infer<typeof holder>;

export interface ReminderLease {
  /** Takes the lease if it is free, and gives it up if an editor asks for it. Returns whether this program holds it. */
  hold(): boolean;
  release(): void;
}

export interface LeaseOptions extends ReminderPlace {
  readonly role: SenderRole;
  readonly programs: Programs;
}

/** The running program that sends reminders; null if none does. */
export function reminderSender(
  { fs, userFolder }: Pick<ReminderPlace, 'fs' | 'userFolder'>,
  programs: Programs,
): { readonly role: SenderRole; readonly pid: number } | null {
  const found = readHolder(fs, path.join(remindersFolder(userFolder), 'lease.json'));
  return found && programs.isRunning(found) ? { role: found.role, pid: found.pid } : null;
}

function readHolder(fs: FileSystem, file: string): Holder | null {
  try {
    const bytes = readOrNull(fs, file);
    const found = bytes && holder.safeParse(JSON.parse(bytes.toString('utf8')));
    return found?.success ? found.data : null;
  } catch {
    return null;
  }
}

export function openReminderLease({ fs, userFolder, newId, role, programs }: LeaseOptions): ReminderLease {
  const file = path.join(remindersFolder(userFolder), 'lease.json');
  const wanted = path.join(remindersFolder(userFolder), 'lease.wanted.json');
  const id = newId();
  let unreadable: string | null = null;
  const self = () => ({ id, role, ...programs.self }) satisfies Holder;

  const read = (from: string) => readHolder(fs, from);

  function create(at: string): boolean {
    makeFolderOf(fs, at);
    try {
      const descriptor = fs.openSync(at, 'wx', 0o600);
      try {
        fs.writeSync(descriptor, Buffer.from(JSON.stringify(self())));
      } finally {
        closeQuietly(fs, descriptor);
      }
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
  }

  /** Another program may be writing it: only one that stays unreadable was left by a crash. */
  function isBeingWritten(): boolean {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    const mark = stat && read(file) === null ? `${String(stat.ino)} ${String(stat.mtimeMs)}` : null;
    const isNew = mark !== null && mark !== unreadable;
    unreadable = mark;
    return isNew;
  }

  /** Removes what a program left that is no longer running. What another put there meanwhile is put back. */
  function removeStale(at: string, stale: Holder | null): void {
    const aside = `${at}.${newId()}.stale`;
    try {
      fs.renameSync(at, aside);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      throw error;
    }
    const moved = read(aside);
    if (moved !== null && moved.id !== stale?.id)
      try {
        fs.copyFileSync(aside, at, copyExclusively);
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
    fs.rmSync(aside, { force: true });
  }

  function isRunning(one: Holder | null): boolean {
    return one !== null && (one.id === id || programs.isRunning(one));
  }

  /** Whether an editor waits for the lease that another kind of program holds. */
  function isWantedByEditor(): boolean {
    if (role === 'editor') return false;
    const other = read(wanted);
    if (isRunning(other)) return true;
    fs.rmSync(wanted, { force: true });
    return false;
  }

  function release(): void {
    if (read(file)?.id === id) fs.rmSync(file, { force: true });
    if (read(wanted)?.id === id) fs.rmSync(wanted, { force: true });
  }

  return {
    hold() {
      const now = read(file);
      if (isWantedByEditor()) {
        release();
        return false;
      }
      if (now?.id === id) {
        if (read(wanted)?.id === id) fs.rmSync(wanted, { force: true });
        return true;
      }
      if (isRunning(now)) {
        if (role === 'editor' && now?.role !== 'editor' && !isRunning(read(wanted))) {
          fs.rmSync(wanted, { force: true });
          create(wanted);
        }
        return false;
      }
      if (isBeingWritten()) return false;
      if (fs.lstatSync(file, { throwIfNoEntry: false })) removeStale(file, now);
      create(file);
      return read(file)?.id === id;
    },
    release,
  };
}
