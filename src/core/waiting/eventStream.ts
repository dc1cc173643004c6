/**
 * The stream of notifications: what the lines of a journal say, each with its position, from which a reader goes on
 * after a restart. Pure: the command line, server-sent events and WebSockets use the same.
 */
import { notificationOf } from './notification.ts';
import type { Notification } from './notification.ts';
import { otherNotificationOf } from './otherNotification.ts';
import type { OtherNotification } from './otherNotification.ts';
import type { Actor, CountedLine } from '../records/records.ts';
import { isForPerson } from '../state/people.ts';
import type { Admitted, Refusal, State } from '../state/state.ts';

/** One person's signature on a decision that needs more people. It has no effect yet. */
interface ApprovalRecorded {
  readonly type: 'approval_recorded';
  /** Of the question, RFC or other subject. */
  readonly item_id: string | null;
}

/** A record without effect: it violates a rule, or claims a human's decision without a valid signature. */
interface RecordRefused {
  readonly type: 'record_refused';
  readonly item_id: string;
  readonly record: string;
  /** Whether it claims a human's decision. */
  readonly forged: boolean;
  readonly why: string;
}

type JournalNotification = Notification | OtherNotification | ApprovalRecorded | RecordRefused;

/** Members of every event. */
export interface EventPlace {
  /** Pass it on to continue after this event. Opaque: compare it for equality only. */
  readonly position: string;
  /** By the writer's clock. */
  readonly time: string;
  readonly actor: {
    readonly kind: Actor['kind'];
    /** Of a human: the name that the key ring gives to the key. */
    readonly id: string;
  };
}

export type StreamEvent = EventPlace & JournalNotification;

const everyType = {
  blocker_created: true,
  blocker_resolved: true,
  blocker_cancelled: true,
  blocker_released: true,
  blocker_withdrawn: true,
  blocker_asked_back: true,
  blocker_replied: true,
  blocker_parked: true,
  blocker_expired: true,
  blocker_widened: true,
  blocker_escalated: true,
  agent_resumed: true,
  refusal_lifted: true,
  answer_reused: true,
  answer_revoked: true,
  approval_recorded: true,
  hold_widened: true,
  hold_narrowed: true,
  held_files_changed: true,
  held_files_restored: true,
  held_changes_accepted: true,
  rfc_proposed: true,
  rfc_revised: true,
  rfc_submitted: true,
  rfc_approved: true,
  rfc_changes_requested: true,
  rfc_rejected: true,
  rfc_withdrawn: true,
  rfc_implemented: true,
  rfc_widened: true,
  rfc_handed_over: true,
  rfc_addressed: true,
  rfc_commented: true,
  rfc_comment_replied: true,
  rfc_comment_resolved: true,
  rfc_reviewed: true,
  rfc_answer_overruled: true,
  work_registered: true,
  work_updated: true,
  event_posted: true,
  event_closed: true,
  event_close_proposed: true,
  event_close_declined: true,
  responsibility_changed: true,
  request_created: true,
  request_changed: true,
  request_seen: true,
  request_escalated: true,
  request_failed: true,
  request_step: true,
  request_work_created: true,
  request_overdue: true,
  request_reassigned: true,
  request_refused: true,
  agent_registered: true,
  policy_changed: true,
  key_changed: true,
  import_completed: true,
  store_shared: true,
  store_unshared: true,
  journal_recovered: true,
  record_refused: true,
} satisfies Record<StreamEvent['type'], true>;
export const streamEventTypes = Object.keys(everyType);

/** The place of an event: its line, and how many events of that line came until it, itself included. */
export interface Position {
  readonly at: number;
  readonly count: number;
  /** Beginning of the line's hash, so that a position of another journal is recognised. */
  readonly hash: string;
}

/** Before the first event. */
export const beginning = '0';

const hashLength = 16;
const positionForm = new RegExp(`^(\\d{1,15})\\.(\\d{1,6})\\.([0-9a-f]{${String(hashLength)}})$`);

/** Null for a text that is not a position; `at: -1` for the beginning. */
export function positionOf(text: string): Position | null {
  if (text === beginning) return { at: -1, count: 0, hash: '' };
  const [, at, count, hash] = positionForm.exec(text) ?? [];
  return at === undefined || count === undefined || hash === undefined
    ? null
    : { at: Number(at), count: Number(count), hash };
}

export function positionText(line: Pick<CountedLine, 'at' | 'hash'>, count: number): string {
  return `${String(line.at)}.${String(count)}.${line.hash.slice(0, hashLength)}`;
}

/** Whether the first of two positions of one journal is later. */
export function isLater(one: string, other: string): boolean {
  const [a, b] = [positionOf(one), positionOf(other)];
  return a !== null && b !== null && (a.at - b.at || a.count - b.count) > 0;
}

/** Whether a position names this line. */
export function isOfLine({ at, hash }: Position, line: Pick<CountedLine, 'at' | 'hash'>): boolean {
  return line.at === at && line.hash.startsWith(hash);
}

interface Effects {
  readonly admitted: readonly Admitted[];
  readonly refused: readonly Refusal[];
}

/** All events of a line, in order. @param state after the line was applied */
export function eventsOf(state: State, line: CountedLine, { admitted, refused }: Effects): StreamEvent[] {
  const noticed = [
    ...admitted.flatMap((one) => {
      const notification = notificationFor(state, one);
      const id = one.signed?.by ?? one.actor.id;
      return notification ? [{ notification, time: one.time, actor: { kind: one.actor.kind, id } }] : [];
    }),
    ...refused.map((refusal) => ({
      notification: refusedOf(refusal),
      time: refusal.time,
      actor: { kind: line.actor.kind, id: line.actor.id },
    })),
  ];
  return noticed.map(({ notification, time, actor }, index) => ({
    position: positionText(line, index + 1),
    time,
    actor,
    ...notification,
  }));
}

function notificationFor(state: State, admitted: Admitted): JournalNotification | null {
  const { record } = admitted;
  if (admitted.kept) return { type: 'approval_recorded', item_id: 'id' in record ? record.id : null };
  return notificationOf(state, admitted) ?? otherNotificationOf(record);
}

function refusedOf({ subject, kind, reason, why }: Refusal): RecordRefused {
  return { type: 'record_refused', item_id: subject, record: kind, forged: reason === 'forgery', why };
}

/** Whether an event is about an item for this person, for a responsibility of theirs, or for everybody. */
export function isEventFor(state: State, event: JournalNotification, person: string): boolean {
  return isForPerson(state, addresseeOf(state, event), person);
}

function addresseeOf(state: State, event: JournalNotification): string | null {
  if (event.type === 'request_created') return event.target;
  const id = itemOf(event);
  if (id === null) return null;
  return state.requests.get(id)?.target ?? state.questions.get(id)?.facts.for ?? state.rfcs.get(id)?.for ?? null;
}

/** The id of the item that an event is about; null for the workspace and its keys. */
export function itemOf(event: JournalNotification): string | null {
  if ('blocker_id' in event) return event.blocker_id;
  if ('rfc_id' in event) return event.rfc_id;
  if ('request_id' in event) return event.request_id;
  if ('event_id' in event) return event.event_id;
  if ('item_id' in event) return event.item_id;
  if ('responsibility_id' in event) return event.responsibility_id;
  return 'task_id' in event ? event.task_id : null;
}
