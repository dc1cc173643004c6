/** Which notices go out now, and which wait for the next digest. Pure: every caller keeps the time of its last digest. */
import type { Interruption } from '../kit/words.ts';

/** A notice that is due and was not given yet. */
export interface DueNotice {
  readonly how: Interruption;
  /** When it became due (ISO 8601). */
  readonly at: string;
}

export interface DigestTimes {
  readonly minutes: number;
  readonly now: string;
  /** When the last digest came; null before the first. */
  readonly last: string | null;
}

export interface Deliveries<Notice> {
  readonly now: readonly Notice[];
  /** One notification for all of these, now. */
  readonly digest: readonly Notice[];
  readonly later: readonly Notice[];
  readonly silent: readonly Notice[];
  /** When the next digest comes; null if nothing waits for one. */
  readonly next: string | null;
}

/** Each notice is in exactly one of the lists. */
export function deliveriesOf<Notice extends DueNotice>(due: readonly Notice[], times: DigestTimes): Deliveries<Notice> {
  const of = (how: Interruption) => due.filter((one) => one.how === how);
  const gathered = of('digest');
  const next = digestTime(gathered, times);
  const isTime = next !== null && next <= times.now;
  return {
    now: of('now'),
    digest: isTime ? gathered : [],
    later: isTime ? [] : gathered,
    silent: of('silent'),
    next: isTime ? null : next,
  };
}

/** So many minutes after the first notice that waits for it, and never sooner after the last digest. */
function digestTime(gathered: readonly DueNotice[], { minutes, last }: DigestTimes): string | null {
  const [first] = gathered.map(({ at }) => at).sort();
  if (first === undefined) return null;
  const from = last !== null && last > first ? last : first;
  return new Date(Date.parse(from) + minutes * 60_000).toISOString();
}
