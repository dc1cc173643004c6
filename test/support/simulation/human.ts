/**
 * A person beside agents, as a model: works on something else for 50 minutes, then looks at the list for as long as it
 * has items. A notification is read 1 to 4 minutes after it came. Reading it, this person answers what it is about, and
 * all that it names, at one minute each.
 */
import { randomFrom } from './stream.ts';

const blockMinutes = 50;

export interface Notice {
  readonly ids: readonly string[];
}

export interface Person {
  notify(notice: Notice, minute: number): void;
  /** The question that is answered in this minute; null for none. */
  answers(minute: number, waiting: readonly string[]): string | null;
  /** Takes this much longer before the next answer. */
  spend(minutes: number): void;
  /** Minutes at which notifications took this person away from other work. */
  readonly interruptions: readonly number[];
}

export function person(seed: number): Person {
  const random = randomFrom(seed);
  const interruptions: number[] = [];
  const unread: { at: number; ids: readonly string[] }[] = [];
  let queue: string[] = [];
  let busyUntil = 0;
  let lookedAt = 0;

  /** Whether this person is at the list already: then a notification disturbs nothing. */
  const isAnswering = (minute: number) => queue.length > 0 || minute < busyUntil;

  return {
    interruptions,
    spend(minutes) {
      busyUntil += minutes;
    },
    notify({ ids }, minute) {
      if (!isAnswering(minute)) interruptions.push(minute);
      unread.push({ at: minute + 1 + 3 * random(), ids });
    },
    answers(minute, waiting) {
      if (minute < busyUntil) return null;
      for (const read of unread.filter(({ at }) => at <= minute)) {
        unread.splice(unread.indexOf(read), 1);
        queue.push(...read.ids);
      }
      if (minute - lookedAt >= blockMinutes) {
        lookedAt = minute;
        queue = [...waiting];
      }
      queue = queue.filter((id) => waiting.includes(id));
      const next = queue.shift();
      if (next === undefined) return null;
      busyUntil = minute + 1;
      return next;
    },
  };
}
