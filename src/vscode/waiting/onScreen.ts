/** Notifications on the screen: few of one agent, and one for each item, so that a reminder takes the place of the last one. */
import { crowding } from '../kit/crowding.ts';

export interface Shown {
  readonly agent: string;
  /** What it is about. */
  readonly item: string;
  /** Resolves once it has gone. */
  readonly show: () => Thenable<string | undefined>;
  /** One notification for all that there is no room for. */
  readonly showMore: () => Promise<void>;
}

/** @returns shows a notification if there is room; what the human picked */
export function onScreen(): (shown: Shown) => Promise<string | undefined> {
  const crowd = crowding();
  const places = new Map<string, number>();

  function leave(agent: string, item: string): void {
    const left = (places.get(item) ?? 1) - 1;
    if (left > 0) places.set(item, left);
    else {
      places.delete(item);
      crowd.closed(agent, 'single');
    }
  }

  return async ({ agent, item, show, showMore }) => {
    const there = places.get(item) ?? 0;
    const kind = there > 0 ? 'single' : crowd.next(agent);
    if (kind === 'silent') return undefined;
    if (kind === 'more') {
      await showMore().finally(() => {
        crowd.closed(agent, kind);
      });
      return undefined;
    }
    places.set(item, there + 1);
    return Promise.resolve(show()).finally(() => {
      leave(agent, item);
    });
  };
}
