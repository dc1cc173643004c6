/**
 * Notifications of one agent at a time: the first few by themselves, and one for all that comes while those are still
 * there. Whoever asks five hundred questions has the human's attention no more than whoever asks four.
 */
const singlyAtMost = 3;

export interface Crowding {
  /** What to do with one more of this agent: tell it, tell that there are more, or nothing. */
  next(agent: string): 'single' | 'more' | 'silent';
  /** One of those is gone from the screen. */
  closed(agent: string, kind: 'single' | 'more'): void;
}

export function crowding(): Crowding {
  const shown = new Map<string, { single: number; more: boolean }>();
  return {
    next(agent) {
      const of = shown.get(agent) ?? { single: 0, more: false };
      shown.set(agent, of);
      if (of.more) return 'silent';
      if (of.single < singlyAtMost) {
        of.single += 1;
        return 'single';
      }
      of.more = true;
      return 'more';
    },
    closed(agent, kind) {
      const of = shown.get(agent);
      if (!of) return;
      if (kind === 'more') of.more = false;
      else of.single -= 1;
      if (of.single === 0 && !of.more) shown.delete(agent);
    },
  };
}
