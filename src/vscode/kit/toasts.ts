/** Which notifications are shown: none that the screen already says, and one for a burst. */

export type NoticeKind = 'question' | 'rfc' | 'request' | 'warning';

/** Something that a human is to notice. */
export interface Noticed {
  readonly kind: NoticeKind;
  /** What it is about. */
  readonly key: string;
  /** It stops everything: a list in a corner of the screen is not enough. */
  readonly critical: boolean;
}

/** What the human can see in this window. */
export interface Seen {
  /** By its key: its form or its review is on the screen. */
  readonly isShown: (key: string) => boolean;
  /** Keys of what visible views list. */
  readonly listed: ReadonlySet<string>;
}

/** Those that the screen does not say yet. */
export function unseen<T extends Noticed>(all: readonly T[], { isShown, listed }: Seen): T[] {
  return all.filter(({ key, critical }) => !isShown(key) && (critical || !listed.has(key)));
}

/** More than this at once are a burst. */
const singlyAtMost = 2;

export interface Toasts<T> {
  readonly singly: readonly T[];
  /** One notification for all of these. */
  readonly together: readonly T[];
}

/** Of a burst, only a single critical one is shown by itself. */
export function toastsOf<T extends Noticed>(all: readonly T[]): Toasts<T> {
  if (all.length <= singlyAtMost) return { singly: all, together: [] };
  const critical = all.filter((one) => one.critical);
  const singly = critical.length === 1 ? critical : [];
  return { singly, together: all.filter((one) => !singly.includes(one)) };
}

export interface GatheringOptions<T> {
  readonly after: (ms: number, run: () => void) => void;
  readonly flush: (all: readonly T[]) => void;
}

const quietMs = 600;
/** A stream of news that does not pause is given in parts. */
const roundsAtMost = 6;

/** Gathers what comes shortly after each other. */
export function gathering<T>({ after, flush }: GatheringOptions<T>): (all: readonly T[]) => void {
  let gathered: T[] = [];

  function wait(rounds: number): void {
    const before = gathered.length;
    after(quietMs, () => {
      if (gathered.length > before && rounds < roundsAtMost) {
        wait(rounds + 1);
        return;
      }
      const all = gathered;
      gathered = [];
      flush(all);
    });
  }

  return (all) => {
    if (all.length === 0) return;
    const isFirst = gathered.length === 0;
    gathered.push(...all);
    if (isFirst) wait(1);
  };
}
