/**
 * What was sent to whom and how it ended, so that nothing is sent twice. Only the program that holds the lease writes it;
 * others read it for lists.
 */
import path from 'node:path';
import * as z from 'zod';
import { instant } from '../../core/kit/fields.ts';
import { putFile, readOrNull } from '../../store/journal/files.ts';
import { remindersFolder, type ReminderPlace } from './reminderFiles.ts';

const entry = z.object({
  at: instant,
  channel: z.string(),
  /** Ids of the workspace and of the item, and the name of the occasion. */
  workspace: z.string(),
  id: z.string(),
  name: z.string(),
  /** `sending` in a later run: the program ended in the meantime, and it is not known whether it arrived. */
  status: z.enum(['sending', 'delivered', 'retrying', 'failed', 'replaced']),
  attempt: z.int().min(0),
  why: z.string().nullable(),
  /** For `retrying`. */
  next: instant.nullable(),
});
export type Delivery = z.infer<typeof entry>;

export interface ReminderLog {
  /** The latest of each occasion and channel, oldest first. */
  latest(): Delivery[];
  find(of: Pick<Delivery, 'channel' | 'workspace' | 'name'>): Delivery | undefined;
  /** @throws Error when the disk refuses: then nothing may be sent */
  add(...deliveries: readonly Delivery[]): void;
  /** Whether it has become so long that what is over should be removed. */
  isLong(): boolean;
  /** Removes what can no longer be due; the last ones stay for lists. */
  shorten(isOver: (delivery: Delivery) => boolean): void;
}

const longest = 2_000;
const shown = 500;

/** Reads it once. A file that cannot be read is treated as empty: at worst, something is sent again. */
export function openReminderLog(place: ReminderPlace): ReminderLog {
  const file = path.join(remindersFolder(place.userFolder), 'sent.json');
  let all = new Map(read(place, file).map((one) => [keyOf(one), one]));
  /** Occasions that still wait can fill more than the usual length. */
  let limit = longest;

  function save(): void {
    putFile(place, file, JSON.stringify([...all.values()]));
  }

  return {
    latest: () => [...all.values()],
    find: (of) => all.get(keyOf(of)),
    add(...deliveries) {
      for (const one of deliveries) {
        all.delete(keyOf(one));
        all.set(keyOf(one), entry.parse(one));
      }
      save();
    },
    isLong: () => all.size > limit,
    shorten(isOver) {
      const firstShown = all.size - shown;
      all = new Map([...all].filter(([, one], index) => index >= firstShown || !isOver(one)));
      limit = Math.max(longest, 2 * all.size);
      save();
    },
  };
}

function keyOf({ channel, workspace, name }: Pick<Delivery, 'channel' | 'workspace' | 'name'>): string {
  return `${channel} ${workspace} ${name}`;
}

function read({ fs }: ReminderPlace, file: string): readonly Delivery[] {
  try {
    const bytes = readOrNull(fs, file);
    return bytes ? (z.array(entry).safeParse(JSON.parse(bytes.toString('utf8'))).data ?? []) : [];
  } catch {
    return [];
  }
}
