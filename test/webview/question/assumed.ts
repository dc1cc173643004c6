/** What the host might send of several assumptions that can be confirmed in one act. */
import type { Assumed, AssumptionsView } from '../../../src/ui/answer/together.ts';
import { before } from './samples.ts';

const questions: readonly Omit<Assumed, 'key' | 'shown' | 'answer' | 'ticked'>[] = [
  {
    ...{ id: 'Q-21', agent: 'copilot-001', urgency: 'medium', raisedAt: before(14) },
    text: 'For how many days do we keep entries of the audit log?',
    assumption: '30 days',
  },
  {
    ...{ id: 'Q-22', agent: 'claude-002', urgency: 'low', raisedAt: before(41) },
    text: 'The design shows dates as `3 Nov`, the API returns ISO. Do I format them in the browser, with the locale of the user?',
    assumption:
      'In the browser, with the locale of the browser:\n- lists get the short form\n- tooltips get the long form, with the time zone',
  },
  {
    ...{ id: 'Q-23', agent: 'copilot-001', urgency: 'critical', raisedAt: before(3) },
    text: 'May the nightly job delete exports that were never downloaded?',
    assumption: 'Yes, those older than 90 days',
  },
  {
    ...{ id: 'Q-24', agent: 'claude-002', urgency: 'high', raisedAt: before(6) },
    text: 'Which Node version do the new images get?',
    assumption: '24',
  },
];

export function assumptionsView(change: Partial<AssumptionsView> = {}): AssumptionsView {
  return {
    type: 'assumptions',
    key: 'w1/assumptions/',
    shown: 'sha256-assumptions',
    render: 'render-0',
    questions: questions.map((one) => ({
      ...one,
      key: `w1/${one.id}`,
      shown: `sha256-${one.id}`,
      answer: one.assumption.includes('\n') ? 'Yes, as you assumed' : `Yes: ${one.assumption}`,
      ticked: one.urgency !== 'critical',
    })),
    more: 0,
    answersAs: { name: 'Ada Lovelace', editable: false },
    ...change,
  };
}
