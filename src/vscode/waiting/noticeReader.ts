/** The notices of each question, computed again only when the question, the policy or the time changes them. */
import { nextTimes, noticesOf, policyRules } from '../../core/waiting/reminders.ts';
import type { QuestionNotice, ReminderRules } from '../../core/waiting/reminders.ts';
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
  const rulesByPolicy = new WeakMap<Policy, ReminderRules>();
  const rulesOf = (policy: Policy) => {
    const rules = rulesByPolicy.get(policy) ?? policyRules(policy);
    rulesByPolicy.set(policy, rules);
    return rules;
  };
  return (state, question, now) => {
    const { policy } = state;
    const known = readings.get(question);
    if (known?.policy === policy && known.from <= now && (known.until === null || now < known.until)) return known;
    const rules = rulesOf(policy);
    const { due, changed } = nextTimes(state, question, now, rules);
    const notices = noticesOf(state, question, now, rules);
    const read = { policy, from: now, until: changed, notices, next: due };
    readings.set(question, read);
    return read;
  };
}
