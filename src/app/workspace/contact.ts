/** Contacts with the server of a shared journal: each appends what was raised while it did not answer. */
import type { Outbox } from '../../store/shared/outbox.ts';
import type { Store } from '../../store/store.ts';
import { deliverPending } from './pending.ts';

/** What may have changed on the server. */
export type What = 'lines' | 'anything';

export interface ContactOptions {
  readonly outbox: Outbox;
  /** Brings the copy up to date. */
  readonly synchronise: (what?: What) => Promise<void>;
  readonly store: () => Promise<Store>;
  readonly now: () => string;
  /** False also when the workspace was closed meanwhile. */
  readonly mayWrite: () => boolean;
  readonly changed: () => void;
}

export interface Contacting {
  /** @throws StoreError when the server does not answer */
  contact(what?: What): Promise<void>;
  /** The same, for as long as the caller can wait. Never rejects. */
  contactWithin(timeoutMs: number): Promise<void>;
  /** For a store that was just opened. */
  contactFor(opened: Store): Promise<void>;
}

export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

export function openContact({ outbox, synchronise, store, now, mayWrite, changed }: ContactOptions): Contacting {
  let delivering: Promise<void> | null = null;

  async function deliver(): Promise<void> {
    const before = outbox.mark();
    try {
      await deliverPending(outbox, await store(), now);
    } finally {
      if (outbox.mark() !== before) changed();
    }
  }

  async function contact(what?: What): Promise<void> {
    await synchronise(what);
    if (outbox.isEmpty() || !mayWrite()) return;
    await (delivering ??= deliver().finally(() => {
      delivering = null;
    }));
  }

  return {
    contact,
    async contactWithin(timeoutMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs);
      });
      await Promise.race([contact().catch(() => undefined), late]);
      clearTimeout(timer);
    },
    async contactFor(opened) {
      if (outbox.isEmpty() || !mayWrite()) return;
      // What cannot be appended now holds on, and is appended later.
      await deliverPending(outbox, opened, now).catch(() => undefined);
    },
  };
}
