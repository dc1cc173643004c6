/**
 * Limits notifications per agent: the first few are shown separately, and one stands for all others while those are
 * visible. Five hundred questions get no more attention than four.
 */
const singlyAtMost = 3;

export interface Crowding {
  /** How to notify of one more item of this agent: separately, as "more", or not at all. */
  next(agent: string): 'single' | 'more' | 'silent';
  /** A notification of this agent was closed. */
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
