/** Visible notifications: few per agent, and one per item, so that a reminder replaces the previous one. */
import { crowding } from './crowding.ts';

export interface Shown {
  readonly agent: string;
  /** The item's key. */
  readonly item: string;
  /** Resolves when the notification has closed. */
  readonly show: () => Thenable<string | undefined>;
  /** Shows one notification for all further items. */
  readonly showMore: () => Promise<void>;
}

/** @returns a function that shows a notification if there is room, and resolves to the button that was pressed */
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
