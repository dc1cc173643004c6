/**
 * Decisions that a human can still undo. They exist only in this process's memory: no agent can see or trigger one,
 * and an unsent one leaves the item waiting.
 */

export interface Held<Decision> {
  /** The idempotency key of the act. */
  readonly act: string;
  readonly key: string;
  /** When it is sent; milliseconds since the epoch. */
  readonly until: number;
  readonly decision: Decision;
}

export interface HeldBackOptions<Decision> {
  /** Signs and records it. Never throws. Called once for each decision at most. */
  readonly send: (held: Held<Decision>) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Runs a function later; the result cancels it. */
  readonly later: (ms: number, run: () => void) => () => void;
}

export interface HeldBack<Decision> {
  /** Oldest first. */
  readonly all: readonly Held<Decision>[];
  /** False if another decision about the same item is already delayed. */
  hold(held: Omit<Held<Decision>, 'until'>, ms: number): boolean;
  /** Undefined if it is being sent or was sent. */
  takeBack(act: string): Held<Decision> | undefined;
  /** Sends all decisions immediately. */
  sendAll(): Promise<void>;
  /** Drops all unsent decisions: their items keep waiting. */
  drop(): void;
}

export function createHeldBack<Decision>({ send, now, later }: HeldBackOptions<Decision>): HeldBack<Decision> {
  const waiting = new Map<string, { readonly held: Held<Decision>; readonly cancel: () => void }>();

  /** Only the caller that removes an act may send or return it. */
  function remove(act: string): Held<Decision> | undefined {
    const found = waiting.get(act);
    if (!found) return undefined;
    waiting.delete(act);
    found.cancel();
    return found.held;
  }

  async function sendOne(act: string): Promise<void> {
    const held = remove(act);
    if (held) await send(held);
  }

  return {
    get all() {
      return [...waiting.values()].map(({ held }) => held);
    },
    hold({ act, key, decision }, ms) {
      if (waiting.has(act) || [...waiting.values()].some(({ held }) => held.key === key)) return false;
      const cancel = later(ms, () => void sendOne(act));
      waiting.set(act, { held: { act, key, decision, until: now() + ms }, cancel });
      return true;
    },
    takeBack: remove,
    async sendAll() {
      // In their original order.
      for (const act of [...waiting.keys()]) await sendOne(act);
    },
    drop() {
      for (const act of [...waiting.keys()]) remove(act);
    },
  };
}
