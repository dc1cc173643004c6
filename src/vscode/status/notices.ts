/**
 * Remembers which notices of questions this window has handled, so that each appears once, and which a human has
 * snoozed. The files of `telling.ts` cover other windows, and this one before a reload.
 */
import type { Urgency, Interruption } from '../../core/kit/words.ts';
import { nextTimes, noticesOf, type QuestionNotice } from '../../core/waiting/reminders.ts';
import type { Question, State, Policy } from '../../core/state/state.ts';
import { deliveriesOf, type Deliveries } from '../../core/waiting/digest.ts';
import type { Claims } from './claims.ts';
import type { News, Telling } from './telling.ts';

export interface DueNotice extends QuestionNotice {
  /** The notice is unnecessary: no window shows it, now or later. */
  readonly quiet: boolean;
}

export interface NoticeBook {
  /** The notices that are due now, each once. */
  due(state: State, now: string): DueNotice[];
  /** When the next notice becomes due by time alone, after `now` (ISO 8601); null when none does. */
  next(state: State, now: string): string | null;
  /** Suppresses reminders of this question until then (ISO 8601). */
  putOff(state: State, id: string, until: string): void;
}

export interface NoticeBookOptions {
  /** Whether the settings ask for notifications of such a question. */
  readonly wants: (state: State, question: Question) => boolean;
  readonly isListInView: () => boolean;
  /** Whether reminders of this urgency wait for the end of quiet hours. */
  readonly isQuiet: (urgency: Urgency) => boolean;
}

export function openNoticeBook({ wants, isListInView, isQuiet }: NoticeBookOptions): NoticeBook {
  /** The names of all notices that are due, by workspace. */
  const seen = new Map<string, ReadonlySet<string>>();
  const putOffUntil = new Map<string, string>();
  const read = createNoticeReader();

  function due(state: State, now: string): DueNotice[] {
    const workspace = workspaceOf(state);
    const before = seen.get(workspace) ?? new Set();
    const names = new Set<string>();
    const found: DueNotice[] = [];
    for (const question of state.questions.values()) {
      const { notices } = read(state, question, now);
      for (const { name } of notices) names.add(name);
      // One at a time: an event's notice contains everything that a reminder would.
      const fresh = notices.find(({ name }) => !before.has(name));
      if (fresh && wants(state, question))
        found.push({ ...fresh, quiet: fresh.kind === 'reminder' && !isNeeded(workspace, question, now) });
    }
    seen.set(workspace, names);
    return found;
  }

  function isNeeded(workspace: string, { id, urgency }: Question, now: string): boolean {
    return !isListInView() && !isQuiet(urgency) && (putOffUntil.get(`${workspace} ${id}`) ?? '') <= now;
  }

  return {
    due,
    next(state, now) {
      let first: string | null = null;
      for (const question of state.questions.values()) {
        const { next } = read(state, question, now);
        if (next !== null && (first === null || next < first)) first = next;
      }
      return first;
    },
    putOff(state, id, until) {
      putOffUntil.set(`${workspaceOf(state)} ${id}`, until);
    },
  };
}

function workspaceOf({ workspace }: State): string {
  return workspace?.id ?? '';
}

// The notices of each question, computed again only when the question, the policy or the time changes them.

export interface Reading {
  readonly notices: readonly QuestionNotice[];
  /** When the next one becomes due by time alone (ISO 8601); null when none does. */
  readonly next: string | null;
}

interface Known extends Reading {
  readonly policy: Policy;
  /** It holds in this span of time. */
  readonly from: string;
  readonly until: string | null;
}

export function createNoticeReader(): (state: State, question: Question, now: string) => Reading {
  /** Questions are immutable: one that changes is another object. */
  const readings = new WeakMap<Question, Known>();
  return (state, question, now) => {
    const { policy } = state;
    const known = readings.get(question);
    if (known?.policy === policy && known.from <= now && (known.until === null || now < known.until)) return known;
    const { due, changed } = nextTimes(state, question, now);
    const notices = noticesOf(state, question, now);
    const read = { policy, from: now, until: changed, notices, next: due };
    readings.set(question, read);
    return read;
  };
}

// Notices of questions on their way out: immediately, in the next digest of their workspace, or not at all. Those that
// wait for a digest are found again after a restart, because no window has claimed them.

export interface Outgoing extends News {
  readonly claim: string;
  /** When it became due (ISO 8601). */
  readonly at: string;
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
