/** The policy as entered in its form. */
import type { PolicyView } from '../../src/ui/answer/workspace.ts';
import { interruptionsShown } from './interruptions.ts';
import type { InterruptionsDraft } from './interruptions.ts';
import { leaseShown } from './lease.ts';
import type { LeaseDraft } from './lease.ts';
import { remindersShown } from './reminders.ts';
import type { RemindersDraft } from './reminders.ts';

export interface PolicyDraft {
  readonly life: RemindersDraft;
  readonly onExpiry: PolicyView['onExpiry'];
  readonly overdue: PolicyView['overdue'];
  /** Empty: not chosen yet. */
  readonly reassignTo: string;
  /** One per line. */
  readonly tools: string;
  readonly reviewOnSubmit: boolean;
  readonly tickedUpTo: PolicyView['tickedUpTo'];
  /** Rules on people, one per line. */
  readonly rules: string;
  /** Empty: never. */
  readonly days: string;
  readonly reminders: RemindersDraft;
  /** Empty: they wait on. */
  readonly parking: RemindersDraft;
  readonly interruptions: InterruptionsDraft;
  readonly resuming: PolicyView['resuming'];
  /** Empty: decisions are signed at once. */
  readonly undo: string;
  readonly name: string;
  readonly lease: LeaseDraft | null;
}

/** For a page that does not show the form. */
export const noPolicy: PolicyDraft = {
  lease: null,
  ...{ onExpiry: 'expire', overdue: 'alert' },
  life: { critical: '', high: '', medium: '', low: '' },
  ...{ reassignTo: '', tools: '', reviewOnSubmit: false, days: '', undo: '', name: '' },
  reminders: { critical: '', high: '', medium: '', low: '' },
  parking: { critical: '', high: '', medium: '', low: '' },
  interruptions: {
    urgencies: { critical: 'now', high: 'now', medium: 'now', low: 'now' },
    ...{ digest: '', perHour: '', agents: '' },
  },
  resuming: [],
  tickedUpTo: 'high',
  rules: '',
};

/** The policy as the form shows it before anything was entered. */
export function policyShown(view: PolicyView): PolicyDraft {
  const { lifeHours, onExpiry, overdue, reassignTo = '', readOnlyTools, answersAs, reviewOnSubmit } = view;
  const tools = readOnlyTools.join('\n');
  const days = view.ageDays === 0 ? '' : String(view.ageDays);
  const undo = view.undoSeconds === 0 ? '' : String(view.undoSeconds);
  return {
    ...{ life: remindersShown(lifeHours), onExpiry, overdue, reassignTo },
    ...{ tools, reviewOnSubmit, days, undo, name: answersAs.name },
    lease: leaseShown(view.lease),
    reminders: remindersShown(view.reminders),
    parking: remindersShown(view.parking),
    interruptions: interruptionsShown(view.interruptions),
    resuming: view.resuming,
    ...{ tickedUpTo: view.tickedUpTo },
    rules: view.rules.join('\n'),
  };
}
