/**
 * The attempts to send reminders and how they ended: one line for each, in files that survive restarts. A program claims
 * an attempt by creating a file before it is made, so no two programs make the same one, and none is made twice.
 */
import path from 'node:path';
import * as z from 'zod';
import { instant } from '../../core/kit/text.ts';
import { errorCode, makeFolderOf, namesIn } from '../../store/journal/files.ts';
import { sha256 } from '../../trust/canonical.ts';
import { remindersFolder } from './reminderFiles.ts';
import type { ReminderPlace } from './reminderFiles.ts';
import { openLogFiles } from './reminderLogFiles.ts';

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
  const files = openLogFiles(place, folder);
  /** Of the log that was read. */
  let mark = '';
  /** Occasions that still wait can fill more than the usual length. */
  let limit = longest;
  let known = new Map<string, Delivery>();

  function read(): ReadonlyMap<string, Delivery> {
    const now = files.mark();
    if (now === mark) return known;
    mark = now;
    known = latestIn(files.read());
    return known;
  }

  /** @param now of the file system's clock, in milliseconds */
  function removeClaims(now: number): void {
    const claims = new Set([...read().values()].map((line) => claimName(line)));
    for (const name of namesIn(fs, path.join(folder, 'claims'))) {
      const claim = path.join(folder, 'claims', name);
      const made = fs.statSync(claim, { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (!claims.has(name) && now - made > claimKeptMs) fs.rmSync(claim, { force: true });
    }
  }

  return {
    latest: () => [...read().values()],
    find: (of) => read().get(keyOf(of)),
    add(line) {
      files.add(Buffer.from(`${JSON.stringify(entry.parse(line))}\n`));
    },
    get isLong() {
      return files.size() > limit;
    },
    shorten(isOver) {
      const written = files.shorten((bytes) => {
        const all = [...latestIn(bytes).values()];
        const kept = all.filter((line, index) => index >= all.length - shownEntries || !isOver(line));
        return kept.map((line) => `${JSON.stringify(line)}\n`).join('');
      });
      removeClaims(fs.statSync(written).mtimeMs);
      limit = Math.max(longest, 2 * files.size());
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
function latestIn(bytes: Buffer): Map<string, Delivery> {
  const latest = new Map<string, Delivery>();
  for (const line of linesOf(bytes.toString('utf8'))) {
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
