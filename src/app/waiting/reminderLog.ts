/**
 * What was sent, and what was not: one line for each attempt, in a file that survives restarts. An attempt is claimed by
 * creating a file before it is made, so no two programs make the same one, and none is made twice.
 */
import path from 'node:path';
import * as z from 'zod';
import { instant } from '../../core/kit/text.ts';
import { closeQuietly, errorCode, makeFolderOf, putFile, readOrNull } from '../../store/journal/files.ts';
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
}

/** Then only the latest lines of the last entries are kept. Bytes. */
const longest = 2 * 1024 * 1024;
const keptEntries = 5_000;

export function openReminderLog(place: ReminderPlace): ReminderLog {
  const { fs } = place;
  const folder = remindersFolder(place.userFolder);
  const file = path.join(folder, 'deliveries.jsonl');
  let size = -1;
  let known = new Map<string, Delivery>();

  function read(): ReadonlyMap<string, Delivery> {
    const now = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (now === size) return known;
    size = now;
    known = new Map();
    for (const line of linesOf(readOrNull(fs, file)?.toString('utf8') ?? '')) {
      // Moved to the end, so that the order is that of the latest lines.
      known.delete(keyOf(line));
      known.set(keyOf(line), line);
    }
    return known;
  }

  function shorten(): void {
    const kept = [...read().values()].slice(-keptEntries);
    putFile(place, file, kept.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const claims = new Set(kept.map((line) => claimName(line)));
    for (const name of fs.readdirSync(path.join(folder, 'claims')))
      if (!claims.has(name)) fs.rmSync(path.join(folder, 'claims', name), { force: true });
  }

  return {
    latest: () => [...read().values()],
    find: (of) => read().get(keyOf(of)),
    add(line) {
      makeFolderOf(fs, file);
      const descriptor = fs.openSync(file, 'a', 0o600);
      try {
        fs.writeSync(descriptor, Buffer.from(`${JSON.stringify(entry.parse(line))}\n`));
        fs.fdatasyncSync(descriptor);
      } finally {
        closeQuietly(fs, descriptor);
      }
      if ((fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) > longest) shorten();
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
