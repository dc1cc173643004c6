/** Selects notifications: none for items that are visible already, and one for a burst. */

export type NoticeKind = 'question' | 'rfc' | 'request' | 'warning';

/** An item that a human should notice. */
export interface Noticed {
  readonly kind: NoticeKind;
  readonly key: string;
  /** It stops all agents, so a row in a list is not enough. */
  readonly critical: boolean;
  /** It is about the changed files of an item, which is pressing whatever the item's urgency. */
  readonly isChange?: boolean;
}

/** The number of items by kind, and how many of them are critical: changed files are neither new nor critical items. */
export function countsOf(all: readonly Noticed[]): Readonly<Record<NoticeKind | 'change' | 'critical', number>> {
  const counts = { question: 0, rfc: 0, request: 0, warning: 0, change: 0, critical: 0 };
  for (const { kind, critical, isChange = false } of all) {
    counts[isChange ? 'change' : kind]++;
    if (critical && !isChange) counts.critical++;
  }
  return counts;
}

/** The items that the human can see in this window. */
export interface Seen {
  /** Whether the item's form or review is visible. */
  readonly isShown: (key: string) => boolean;
  /** Keys of the items in visible views. */
  readonly listed: ReadonlySet<string>;
}

/** The items that are not visible yet. */
export function unseenItems<T extends Noticed>(all: readonly T[], { isShown, listed }: Seen): T[] {
  return all.filter(({ key, critical }) => !isShown(key) && (critical || !listed.has(key)));
}

/** More than this many together are a burst. */
const singlyAtMost = 2;

export interface Toasts<T> {
  readonly singly: readonly T[];
  /** One notification for all of these. */
  readonly together: readonly T[];
}

/** In a burst, only a single critical item has its own notification. */
export function toastsOf<T extends Noticed>(all: readonly T[]): Toasts<T> {
  if (all.length <= singlyAtMost) return { singly: all, together: [] };
  const critical = all.filter((one) => one.critical);
  const singly = critical.length === 1 ? critical : [];
  return { singly, together: all.filter((one) => !singly.includes(one)) };
}

export interface GatheringOptions<T> {
  readonly after: (ms: number, run: () => void) => void;
  readonly flush: (all: readonly T[]) => void;
  /** How long nothing more arrives. Milliseconds. */
  readonly quietMs?: number | undefined;
}

const usualQuietMs = 600;
/** A stream without pauses is delivered in parts. */
const roundsAtMost = 6;

/** Collects items that arrive in quick succession. */
export function gathering<T>({
  after,
  flush,
  quietMs = usualQuietMs,
}: GatheringOptions<T>): (all: readonly T[]) => void {
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

// Visible notifications: few per agent, and one per item, so that a reminder replaces the previous one. One stands for
// all others of an agent: five hundred questions get no more attention than four.

const singlyOfAgent = 3;

export interface Shown {
  readonly agent: string;
  readonly item: string;
  /** Resolves when the notification has closed. */
  readonly show: () => Thenable<string | undefined>;
  /** Shows one notification for all further items. */
  readonly showMore: () => Promise<void>;
}

/** @returns a function that shows a notification if there is room, and resolves to the button that was pressed */
export function onScreen(): (shown: Shown) => Promise<string | undefined> {
  const open = new Map<string, string[]>();
  const more = new Set<string>();
  return async ({ agent, item, show, showMore }) => {
    const items = open.get(agent) ?? [];
    open.set(agent, items);
    if (!items.includes(item) && (more.has(agent) || new Set(items).size >= singlyOfAgent)) {
      if (more.has(agent)) return undefined;
      more.add(agent);
      await showMore().finally(() => more.delete(agent));
      return undefined;
    }
    items.push(item);
    return Promise.resolve(show()).finally(() => {
      items.splice(items.indexOf(item), 1);
      if (items.length === 0) open.delete(agent);
    });
  };
}
