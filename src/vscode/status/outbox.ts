/**
 * Notices of questions on their way out: at once, in the next digest of their workspace, or not at all. Those that wait
 * for a digest are found again after a restart, because no window has claimed them.
 */
import type { Interruption } from '../../core/kit/words.ts';
import { deliveriesOf } from '../../core/waiting/digest.ts';
import type { Deliveries } from '../../core/waiting/digest.ts';
import type { Claims } from './claims.ts';
import type { News, Telling } from './telling.ts';

export interface Outgoing extends News {
  readonly claim: string;
  /** When it became due (ISO 8601). */
  readonly at: string;
  /** By the policy as it is now. */
  readonly howNow: () => Interruption;
}

export interface Outbox {
  add(workspace: string, all: readonly Outgoing[]): void;
  /** Shows what is due. @returns when the next digest comes (ISO 8601); null if nothing waits for one */
  look(workspace: string, times: { readonly minutes: number; readonly now: string }): string | null;
}

export function openOutbox(telling: Pick<Telling, 'news' | 'digest'>, claims: Claims): Outbox {
  const waiting = new Map<string, Outgoing[]>();
  const last = new Map<string, string | null>();

  function plan(workspace: string, { minutes, now }: { readonly minutes: number; readonly now: string }) {
    const due = (waiting.get(workspace) ?? []).filter((one) => one.isCurrent());
    const known = due.map((one) => ({ one, how: one.howNow(), at: one.at }));
    const deliveries = deliveriesOf(known, { minutes, now, last: last.get(workspace) ?? null });
    waiting.set(
      workspace,
      [...deliveries.digest, ...deliveries.later].map(({ one }) => one),
    );
    return deliveries;
  }

  /** What other windows showed meanwhile is read only when a digest seems due. */
  function read(workspace: string): void {
    last.set(workspace, claims.lastDigest(workspace));
    waiting.set(
      workspace,
      (waiting.get(workspace) ?? []).filter(({ claim }) => !claims.isTaken(claim)),
    );
  }

  function send({ now, silent }: Deliveries<{ readonly one: Outgoing }>): void {
    telling.news(now.map(({ one }) => one));
    telling.news(silent.map(({ one }) => ({ ...one, isCurrent: () => false })));
  }

  return {
    add(workspace, all) {
      waiting.set(workspace, [...(waiting.get(workspace) ?? []), ...all]);
    },
    look(workspace, times) {
      const found = plan(workspace, times);
      send(found);
      if (found.digest.length === 0) return found.next;
      read(workspace);
      const { digest, next } = plan(workspace, times);
      if (digest.length === 0) return next;
      telling.digest(
        { workspace, now: times.now },
        digest.map(({ one }) => one),
      );
      // Looked at again then, in case the window that shows it ends before it does.
      return new Date(Date.parse(times.now) + times.minutes * 60_000).toISOString();
    },
  };
}
