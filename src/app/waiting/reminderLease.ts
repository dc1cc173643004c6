/**
 * Which program of this machine sends reminders: one at a time. The lease is a file that names a process by its id and its
 * start time, so that one that crashed or was killed is recognised.
 */
import path from 'node:path';
import * as z from 'zod';
import { errorCode, putFile, readOrNull, type FileSystem } from '../../store/journal/files.ts';
import type { Programs } from '../../store/journal/programs.ts';
import { remindersFolder, type ReminderPlace } from './reminderFiles.ts';

const senderRole = z.enum(['editor', 'serve', 'remind']);
export type SenderRole = z.infer<typeof senderRole>;

const holder = z.object({
  /** Tells several senders of one program apart. */
  id: z.string(),
  role: senderRole,
  pid: z.int(),
  started: z.string().nullable(),
  noted: z.number(),
});

export interface ReminderLease {
  /** Takes the lease if it is free. Returns whether this program holds it. */
  hold(): boolean;
  release(): void;
}

export interface LeaseOptions extends ReminderPlace {
  readonly role: SenderRole;
  readonly programs: Programs;
}

type Holder = z.infer<typeof holder>;
type FilePlace = Pick<ReminderPlace, 'fs' | 'userFolder'>;

const fileOf = ({ userFolder }: FilePlace) => path.join(remindersFolder(userFolder), 'lease.json');

/** The running program that sends reminders; null if none does. */
export function reminderSender(place: FilePlace, programs: Programs): Holder | null {
  const found = holderIn(place.fs, fileOf(place));
  return found && programs.isRunning(found) ? found : null;
}

function holderIn(fs: FileSystem, file: string): Holder | null {
  try {
    const bytes = readOrNull(fs, file);
    return bytes ? (holder.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null) : null;
  } catch {
    return null;
  }
}

export function openReminderLease(place: LeaseOptions): ReminderLease {
  const { fs, newId, role, programs } = place;
  const file = fileOf(place);
  const id = newId();

  /** By a link, so that others see it whole or not at all. */
  function create(from: string): void {
    try {
      fs.linkSync(from, file);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    } finally {
      fs.rmSync(from, { force: true });
    }
  }

  /** What another program put there meanwhile is put back. */
  function removeEnded(): void {
    const ended = holderIn(fs, file);
    const aside = `${file}.${newId()}.ended`;
    try {
      fs.renameSync(file, aside);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return;
      throw error;
    }
    if (holderIn(fs, aside)?.id === ended?.id) fs.rmSync(aside, { force: true });
    else create(aside);
  }

  return {
    hold() {
      const now = reminderSender(place, programs);
      if (now) return now.id === id;
      removeEnded();
      const made = `${file}.${newId()}.new`;
      putFile(place, made, JSON.stringify({ id, role, ...programs.self } satisfies Holder));
      create(made);
      return holderIn(fs, file)?.id === id;
    },
    release() {
      if (holderIn(fs, file)?.id === id) fs.rmSync(file, { force: true });
    },
  };
}
