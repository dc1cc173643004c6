/**
 * What was sent, and what was not: one line for each attempt, in a file that survives restarts. An attempt is claimed by
 * creating a file before it is made, so no two programs make the same one, and none is made twice.
 */
import path from 'node:path';
import * as z from 'zod';
import { instant } from '../../core/kit/text.ts';
import {
  closeQuietly,
  errorCode,
  makeFolderOf,
  namesIn,
  putFile,
  readOrNull,
  readRange,
  statOrNull,
} from '../../store/journal/files.ts';
import { sha256 } from '../../trust/canonical.ts';
import { remindersFolder } from './reminderFiles.ts';
import type { ReminderPlace } from './reminderFiles.ts';

const entry = z.object({
  at: instant,
  channel: z.string(),
  /** Ids of the workspace and of the item, and the name of the occasion. */
  workspace: z.string(),
  id: z.string(),
  name: z.string(),
  /** `sending` without a later line: the program ended meanwhile, and it is not known whether it arrived. */
  status: z.enum(['sending', 'delivered', 'retrying', 'failed', 'replaced']),
  attempt: z.int().min(0),
  why: z.string().nullable(),
  /** For `retrying`. */
  next: instant.nullable(),
});
export type Delivery = z.infer<typeof entry>;

export interface ReminderLog {
  /** The latest line of each occasion and channel, oldest first. */
  latest(): Delivery[];
  find(of: Pick<Delivery, 'channel' | 'workspace' | 'name'>): Delivery | undefined;
  /** @throws Error when the disk refuses: then nothing may be sent */
  add(line: Delivery): void;
  /** Whether this program is the first to make this attempt. */
  claim(of: Pick<Delivery, 'channel' | 'workspace' | 'name' | 'attempt'>): boolean;
  /** Whether it has become so long that it should be shortened. */
  readonly isLong: boolean;
  /**
   * Keeps the latest line of each occasion, unless it can no longer be due, and removes claims of no line that is left.
   * Only one program at a time may call this; others can add lines meanwhile.
   */
  shorten(isOver: (line: Delivery) => boolean): void;
}

/** Bytes. */
const longest = 2 * 1024 * 1024;
/** The last lines stay for the overview, whatever became of their items. */
const shownEntries = 500;
/** Another program may have made a younger claim, and not added its line yet. Milliseconds. */
const claimKeptMs = 24 * 60 * 60 * 1_000;

export function openReminderLog(place: ReminderPlace): ReminderLog {
  const { fs } = place;
  const folder = remindersFolder(place.userFolder);
  const file = path.join(folder, 'deliveries.jsonl');
  /** Of the file that was read. */
  let mark = '';
  /** Occasions that still wait can fill more than the usual length. */
  let limit = longest;
  let known = new Map<string, Delivery>();

  function read(): ReadonlyMap<string, Delivery> {
    const found = statOrNull(fs, file);
    const now = `${String(found?.ino)} ${String(found?.size)}`;
    if (now === mark) return known;
    mark = now;
    known = latestIn(readOrNull(fs, file));
    return known;
  }

  /** Whether the file was still the log afterwards. */
  function append(bytes: Uint8Array): boolean {
    const descriptor = fs.openSync(file, 'a', 0o600);
    try {
      fs.writeSync(descriptor, bytes);
      fs.fdatasyncSync(descriptor);
      return fs.fstatSync(descriptor).ino === statOrNull(fs, file)?.ino;
    } finally {
      closeQuietly(fs, descriptor);
    }
  }

  /** What comes into the old file while the new one is written is copied; what comes later is added again by its writer. */
  function replace(isOver: (line: Delivery) => boolean): Delivery[] {
    const old = fs.openSync(file, 'r');
    try {
      const read = readRange(fs, old, 0, fs.fstatSync(old).size);
      const whole = read.subarray(0, read.lastIndexOf('\n') + 1);
      const all = [...latestIn(whole).values()];
      const kept = all.filter((line, index) => index >= all.length - shownEntries || !isOver(line));
      putFile(place, file, kept.map((line) => `${JSON.stringify(line)}\n`).join(''));
      const added = readRange(fs, old, whole.length, fs.fstatSync(old).size);
      if (added.length > 0) append(added);
      return [...kept, ...latestIn(added).values()];
    } finally {
      closeQuietly(fs, old);
    }
  }

  function removeClaims(kept: readonly Delivery[]): void {
    const claims = new Set(kept.map((line) => claimName(line)));
    const now = fs.statSync(file).mtimeMs;
    for (const name of namesIn(fs, path.join(folder, 'claims'))) {
      const claim = path.join(folder, 'claims', name);
      const made = fs.statSync(claim, { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (!claims.has(name) && now - made > claimKeptMs) fs.rmSync(claim, { force: true });
    }
  }

  const sizeNow = () => statOrNull(fs, file)?.size ?? 0;

  return {
    latest: () => [...read().values()],
    find: (of) => read().get(keyOf(of)),
    add(line) {
      makeFolderOf(fs, file);
      const bytes = Buffer.from(`${JSON.stringify(entry.parse(line))}\n`);
      while (!append(bytes)) continue;
    },
    get isLong() {
      return sizeNow() > limit;
    },
    shorten(isOver) {
      removeClaims(replace(isOver));
      limit = Math.max(longest, 2 * sizeNow());
    },
    claim(of) {
      const claim = path.join(folder, 'claims', claimName(of));
      makeFolderOf(fs, claim);
      try {
        fs.closeSync(fs.openSync(claim, 'wx', 0o600));
        return true;
      } catch (error) {
        if (errorCode(error) === 'EEXIST') return false;
        throw error;
      }
    },
  };
}

function keyOf({ channel, workspace, name }: Pick<Delivery, 'channel' | 'workspace' | 'name'>): string {
  return `${channel} ${workspace} ${name}`;
}

function claimName({ attempt, ...of }: Pick<Delivery, 'channel' | 'workspace' | 'name' | 'attempt'>): string {
  return `${sha256(keyOf(of)).slice(0, 32)}.${String(attempt)}`;
}

/** The latest line of each occasion and channel, in the order of these lines. */
function latestIn(bytes: Buffer | null): Map<string, Delivery> {
  const latest = new Map<string, Delivery>();
  for (const line of linesOf(bytes?.toString('utf8') ?? '')) {
    latest.delete(keyOf(line));
    latest.set(keyOf(line), line);
  }
  return latest;
}

/** Lines that cannot be read are left out: a crash can tear the last one. */
function linesOf(text: string): Delivery[] {
  return text.split('\n').flatMap((line) => {
    try {
      const found = entry.safeParse(JSON.parse(line));
      return found.success ? [found.data] : [];
    } catch {
      return [];
    }
  });
}
