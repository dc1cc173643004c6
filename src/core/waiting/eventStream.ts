/**
 * The stream of notifications: what the lines of a journal say, each with its position, from which a reader continues
 * after a restart. Pure: the command line, server-sent events and WebSockets use the same.
 */
import { notificationOf, type Notification } from './notification.ts';
import { anyRecord, type Actor, type CountedLine, type RecordKind } from '../records/records.ts';
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
  /** Whether it claims a human's decision. */
  readonly forged: boolean;
  readonly why: string;
}

/** Everything that is not about an answer or a decision, in the form that the journal has it. */
interface RecordAdded {
  readonly type: 'record';
  readonly item_id: string | null;
  readonly record: Readonly<Record<string, unknown>>;
}

type JournalNotification = Notification | ApprovalRecorded | RecordRefused | RecordAdded;

/** Members of every event. */
export interface EventPlace {
  /** Pass it on to continue after this event. Opaque: compare it for equality only. */
  readonly position: string;
  /** By the writer's clock. */
  readonly time: string;
  /** Of the record in the journal. */
  readonly kind: string;
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
  agent_resumed: true,
  refusal_lifted: true,
  approval_recorded: true,
  rfc_proposed: true,
  rfc_revised: true,
  rfc_submitted: true,
  rfc_approved: true,
  rfc_changes_requested: true,
  rfc_rejected: true,
  rfc_withdrawn: true,
  rfc_implemented: true,
  record: true,
  record_refused: true,
} satisfies Record<StreamEvent['type'], true>;

/** Of which nobody is notified: that something was delivered, or that the journal continues in another form. */
const bookkeeping: ReadonlySet<string> = new Set<RecordKind>([
  'workspace.created',
  'format.changed',
  'segment.sealed',
  'gate.decidedOffline',
  'hold.baselineTaken',
  'outcome.offered',
  'wait.noted',
  'precedent.set',
  'precedent.ended',
  'precedent.used',
  'precedent.takenBack',
  'question.askBackOffered',
  'question.askBackAcknowledged',
  'rfc.reviewOffered',
  'rfc.reviewAcknowledged',
  'rfc.decisionOffered',
  'request.noticeOffered',
  'request.noticeAcknowledged',
  'import.begun',
  'import.rows',
  'import.abandoned',
]);

/** Whether a reader can ask for it: a type of events, or a kind of records. */
export function isStreamType(name: string): boolean {
  return name in everyType || (anyRecord.kinds.includes(name) && !bookkeeping.has(name));
}

/** @param wanted types of events, and kinds of records */
export function isOfType(event: StreamEvent, wanted: readonly string[]): boolean {
  return wanted.includes(event.type) || wanted.includes(event.kind);
}

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
  const { kind, id } = line.actor;
  const noticed = [
    ...admitted.flatMap((one) => {
      const notification = notificationFor(state, one);
      const actor = { kind: one.actor.kind, id: one.signed?.by ?? one.actor.id };
      return notification ? [{ time: one.time, kind: one.record.kind, actor, ...notification }] : [];
    }),
    ...refused.map((refusal) => ({
      ...{ time: refusal.time, kind: refusal.kind, actor: { kind, id } },
      ...refusedOf(refusal),
    })),
  ];
  return noticed.map((event, index) => ({ position: positionText(line, index + 1), ...event }));
}

function notificationFor(state: State, admitted: Admitted): JournalNotification | null {
  const { record, kept } = admitted;
  const item_id = 'id' in record ? record.id : null;
  if (kept) return { type: 'approval_recorded', item_id };
  const notification = notificationOf(state, admitted);
  if (notification !== null || bookkeeping.has(record.kind)) return notification;
  const { kind: _, v: __, ...rest } = record;
  return { type: 'record', item_id, record: rest };
}

function refusedOf({ subject, reason, why }: Refusal): RecordRefused {
  return { type: 'record_refused', item_id: subject, forged: reason === 'forgery', why };
}

/** Whether an event is about an item for this person, for a responsibility of theirs, or for everyone. */
export function isEventFor(state: State, event: JournalNotification, person: string): boolean {
  return isForPerson(state, addresseeOf(state, event), person);
}

function addresseeOf(state: State, event: JournalNotification): string | null {
  const id = itemOf(event);
  if (id === null) return null;
  return state.requests.get(id)?.target ?? state.questions.get(id)?.facts.for ?? state.rfcs.get(id)?.for ?? null;
}

/** The id of the item that an event is about; null for the workspace and its keys. */
export function itemOf(event: JournalNotification): string | null {
  if ('blocker_id' in event) return event.blocker_id;
  if ('rfc_id' in event) return event.rfc_id;
  return event.item_id;
}
