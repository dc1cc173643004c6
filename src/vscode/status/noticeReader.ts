/** The notices of each question, computed again only when the question, the policy or the time changes them. */
import { nextTimes, noticesOf } from '../../core/waiting/reminders.ts';
import type { QuestionNotice } from '../../core/waiting/reminders.ts';
import type { Policy, Question, State } from '../../core/state/state.ts';

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
