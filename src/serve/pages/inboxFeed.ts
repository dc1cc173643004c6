/** Draws the list once for all browsers, when something has changed. */
import type { InboxSnapshot } from '../../protocol/serve/browser.ts';
import type { Closable } from '../../vscode/kit/disposables.ts';
import type { Folders } from '../../vscode/kit/folders.ts';
import { inTurn } from '../../vscode/kit/inTurn.ts';
import { inboxOf } from './inbox.ts';

/** Groups bursts of records. Milliseconds. */
const burstMs = 100;
/** Relative times age. Milliseconds. */
const ageMs = 30_000;

type Listener = (snapshot: InboxSnapshot) => void;

export interface InboxFeed extends Closable {
  /** @returns stops */
  follow(listener: Listener): () => void;
}

export function inboxFeed(folders: Folders): InboxFeed {
  const listeners = new Set<Listener>();
  let timer: NodeJS.Timeout | undefined;
  let last: { readonly text: string; readonly snapshot: InboxSnapshot } | undefined;

  const draw = inTurn(async () => {
    timer = undefined;
    if (listeners.size === 0) return;
    const snapshot = await inboxOf(folders);
    const text = JSON.stringify({ ...snapshot, now: '' });
    if (text === last?.text) return;
    last = { text, snapshot };
    for (const listener of listeners) listener(snapshot);
  });
  const soon = () => {
    timer ??= setTimeout(() => void draw(), burstMs);
  };
  const changes = folders.onDidChange(soon);
  const aging = setInterval(soon, ageMs).unref();
  return {
    follow(listener) {
      listeners.add(listener);
      if (last) listener(last.snapshot);
      soon();
      return () => listeners.delete(listener);
    },
    dispose() {
      changes.dispose();
      clearInterval(aging);
      clearTimeout(timer);
      listeners.clear();
    },
  };
}
