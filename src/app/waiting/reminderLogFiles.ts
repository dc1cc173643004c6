/**
 * The files of the log of reminders, one log from the first to the last. All programs append to the last one. To shorten
 * the log, one of them renames that file, writes what is kept to a new one, and removes the files before it. So no file is
 * replaced while a program has it open, which Windows refuses, and a crash at any step loses no line.
 */
import path from 'node:path';
import {
  closeQuietly,
  errorCode,
  makeFolderOf,
  namesIn,
  putFile,
  readOrNull,
  statOrNull,
} from '../../store/journal/files.ts';
import type { ReminderPlace } from './reminderFiles.ts';

const lastName = 'deliveries.jsonl';
const earlierName = /^deliveries\.(\d{8})\.jsonl$/;

export interface LogFiles {
  /** Changes whenever the log does. */
  mark(): string;
  /** Bytes. */
  size(): number;
  read(): Buffer;
  /** @throws Error when the disk refuses */
  add(bytes: Uint8Array): void;
  /**
   * Replaces what the log has by a part of it. Lines that other programs add meanwhile stay.
   * @returns the file with the result
   */
  shorten(keep: (bytes: Buffer) => string): string;
}

export function openLogFiles(place: ReminderPlace, folder: string): LogFiles {
  const { fs } = place;
  const last = path.join(folder, lastName);

  function earlier(): string[] {
    return namesIn(fs, folder)
      .filter((name) => earlierName.test(name))
      .sort()
      .map((name) => path.join(folder, name));
  }

  function stats() {
    return [...earlier(), last].map((file) => ({ file, stat: statOrNull(fs, file) }));
  }

  function mark(): string {
    return stats()
      .map(({ file, stat }) => `${path.basename(file)} ${String(stat?.ino)} ${String(stat?.size)}`)
      .join(' / ');
  }

  function contentOf(files: readonly string[]): Buffer {
    // A crash can tear the last line of a file.
    const lineEnd = Buffer.from('\n');
    return Buffer.concat(files.flatMap((file) => [readOrNull(fs, file) ?? Buffer.alloc(0), lineEnd]));
  }

  function read(): Buffer {
    for (;;) {
      const before = mark();
      const bytes = contentOf([...earlier(), last]);
      if (mark() === before) return bytes;
    }
  }

  /** Whether the file was still the last one afterwards. */
  function append(bytes: Uint8Array): boolean {
    const descriptor = fs.openSync(last, 'a', 0o600);
    try {
      fs.writeSync(descriptor, bytes);
      fs.fdatasyncSync(descriptor);
      return fs.fstatSync(descriptor).ino === statOrNull(fs, last)?.ino;
    } finally {
      closeQuietly(fs, descriptor);
    }
  }

  function next(): string {
    const [, number = '0'] = earlierName.exec(path.basename(earlier().at(-1) ?? '')) ?? [];
    return path.join(folder, `deliveries.${String(Number(number) + 1).padStart(8, '0')}.jsonl`);
  }

  return {
    mark,
    size: () => stats().reduce((sum, { stat }) => sum + (stat?.size ?? 0), 0),
    read,
    add(bytes) {
      makeFolderOf(fs, last);
      while (!append(bytes)) continue;
    },
    shorten(keep) {
      try {
        fs.renameSync(last, next());
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
      }
      const before = earlier();
      const kept = next();
      putFile(place, kept, keep(contentOf(before)));
      for (const file of before) fs.rmSync(file, { force: true });
      return kept;
    },
  };
}
