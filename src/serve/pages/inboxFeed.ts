/** Draws the list once for all browsers, when something has changed, and sends it to each in a turn of its own. */
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { inTurn } from '../../ui/kit/inTurn.ts';
import { inTurns } from '../../ui/kit/inTurns.ts';
import { inboxOf } from './inbox.ts';

/** Groups bursts of records. Milliseconds. */
const burstMs = 100;
/** Relative times age. Milliseconds. */
const ageMs = 30_000;

/** @param snapshot as JSON */
type Listener = (snapshot: string) => void;

export interface InboxFeed extends Closable {
  /** @returns stops */
  follow(listener: Listener): () => void;
}

export function inboxFeed(folders: Folders): InboxFeed {
  const sending = inTurns();
  let followers = 0;
  let timer: NodeJS.Timeout | undefined;
  let last: { readonly text: string; readonly json: string } | undefined;

  const draw = inTurn(async () => {
    timer = undefined;
    if (followers === 0) return;
    const snapshot = await inboxOf(folders);
    const text = JSON.stringify({ ...snapshot, now: '' });
    if (text === last?.text) return;
    last = { text, json: JSON.stringify(snapshot) };
    sending.fire();
  });
  const soon = () => {
    timer ??= setTimeout(() => void draw(), burstMs);
  };
  const changes = folders.onDidChange(soon);
  const aging = setInterval(soon, ageMs).unref();
  return {
    follow(listener) {
      followers += 1;
      const following = sending.event(() => {
        if (last) listener(last.json);
      });
      if (last) listener(last.json);
      soon();
      return () => {
        followers -= 1;
        following.dispose();
      };
    },
    dispose() {
      changes.dispose();
      clearInterval(aging);
      clearTimeout(timer);
      sending.dispose();
    },
  };
}
