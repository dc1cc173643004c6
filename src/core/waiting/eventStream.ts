/**
 * The stream of notifications: what the lines of a journal say, each with its position, from which a reader continues
 * after a restart. Pure: the command line, server-sent events and WebSockets use the same.
 */
import { answerLine } from '../kit/text.ts';
import {
  type Admitted,
  anyRecord,
  type Actor,
  type CountedLine,
  type JournalRecord,
  type RecordKind,
  type RecordOf,
} from '../records/records.ts';
import { formerRecords } from '../records/plain.ts';
import { effectOf } from '../state/answerEffect.ts';
import { interruptionOf, isForPerson } from './reminders.ts';
import type { Rfc } from '../state/items.ts';
import { recipientOf, type Question, type Refusal, type State } from '../state/state.ts';

// What is said of each kind of record that somebody waits for: the type of the notification, and its members.

interface OfQuestion {
  readonly state: State;
  readonly question: Question;
  readonly time: string;
  readonly about: {
    /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
    readonly blocker_id: string;
    /** The work item's id; null for a question without one. */
    readonly task_id: string | null;
  };
}

interface OfRfc {
  readonly rfc: Rfc;
  readonly time: string;
  /** `revision`: the one it is about. */
  readonly about: { readonly rfc_id: string; readonly title: string; readonly revision: number };
}

/** What each says in addition to `about`. */
type Notices<At> = {
  readonly [K in RecordKind]?: readonly [type: string, says: (record: RecordOf<K>, at: At) => object];
};

const questionNotices = {
  'question.raised': [
    'blocker_created',
    ({ text }, { state, question, time }) => ({
      agent_id: question.asker.id,
      blocker_type: question.mode === 'sync' ? ('SYNC' as const) : ('ASYNC' as const),
      question: text,
      /** How the policy notifies a human of it. */
      interruption: interruptionOf(state, question),
      created_at: time,
    }),
  ],
  'question.answered': [
    'blocker_resolved',
    (_, { question, time }) => ({
      answer: question.resolution?.answer ? answerLine(question.resolution.answer) : '',
      /** The answer's meaning for the question: `do_not` and `stop` refuse it. */
      effect: effectOf(question) ?? ('proceed' as const),
      resolved_at: time,
    }),
  ],
  'question.cancelled': ['blocker_cancelled', ({ reason }, { time }) => ({ reason, resolved_at: time })],
  'question.released': ['blocker_released', ({ note }, { time }) => ({ note, resolved_at: time })],
  /** A human lifted the refusal of an answer. */
  'refusal.lifted': ['refusal_lifted', ({ reason }, { time }) => ({ reason, lifted_at: time })],
  /** By the agent that asked. */
  'question.withdrawn': ['blocker_withdrawn', ({ reason }, { time }) => ({ reason, withdrawn_at: time })],
  /** A human asks the agent something before deciding; it holds what it held. */
  'question.askedBack': [
    'blocker_asked_back',
    ({ text }, { state, question, time }) => ({
      agent_id: recipientOf(state, question),
      question: text,
      asked_at: time,
    }),
  ],
  /** The agent replied: it waits for a human again. */
  'question.replied': [
    'blocker_replied',
    ({ number, text }, { question, time }) => ({
      agent_id: question.askBacks[number - 1]?.reply?.by ?? question.asker.id,
      reply: text,
      replied_at: time,
    }),
  ],
  /** The agent stopped waiting and left a resume brief. */
  'question.parked': [
    'blocker_parked',
    (_, { question, time }) => ({ agent_id: question.parked?.by ?? question.asker.id, parked_at: time }),
  ],
  'question.expired': ['blocker_expired', (_, { time }) => ({ expired_at: time })],
  /** The agent acted after receiving the outcome: only this means that it resumed. */
  'outcome.acknowledged': ['agent_resumed', ({ agent }, { time }) => ({ agent_id: agent, resumed_at: time })],
} as const satisfies Notices<OfQuestion>;

const rfcNotices = {
  'rfc.proposed': ['rfc_proposed', (_, { rfc, time }) => ({ agent_id: rfc.asker.id, created_at: time })],
  'rfc.revised': ['rfc_revised', ({ revision }, { time }) => ({ revision, revised_at: time })],
  /** It waits for a human now. */
  'rfc.submitted': ['rfc_submitted', ({ revision }, { time }) => ({ revision, submitted_at: time })],
  'rfc.approved': [
    'rfc_approved',
    ({ revision, conditions, constraints, waived = [] }, { time }) => ({
      ...{ revision, conditions, constraints },
      /** Numbers of open questions that need no answer. */
      waived: waived.map(({ question }) => question),
      resolved_at: time,
    }),
  ],
  'rfc.changesRequested': [
    'rfc_changes_requested',
    ({ revision, reason }, { time }) => ({ revision, reason, resolved_at: time }),
  ],
  'rfc.rejected': [
    'rfc_rejected',
    ({ revision, reason, then }, { time }) => ({ revision, reason, then, resolved_at: time }),
  ],
  'rfc.withdrawn': ['rfc_withdrawn', ({ reason }, { time }) => ({ reason, resolved_at: time })],
  'rfc.implemented': ['rfc_implemented', (_, { time }) => ({ implemented_at: time })],
} as const satisfies Notices<OfRfc>;

type Noticed<T, About> = {
  [K in keyof T]: T[K] extends readonly [infer Type, (...given: never[]) => infer Said]
    ? { readonly type: Type } & Readonly<About & Said>
    : never;
}[keyof T];
export type Notification =
  Noticed<typeof questionNotices, OfQuestion['about']> | Noticed<typeof rfcNotices, OfRfc['about']>;

/** The notification for a record that took effect; null for records without one. */
export function notificationOf(state: State, { record, time, kept }: Admitted): Notification | null {
  // An approval that needs more people changed nothing yet.
  if (kept || !('id' in record)) return null;
  const [question, rfc] = [state.questions.get(record.id), state.rfcs.get(record.id)];
  if (question) {
    const about = { blocker_id: question.id, task_id: question.work };
    return noticeFrom(questionNotices, record, { state, question, time, about });
  }
  if (!rfc) return null;
  // As of an answer: its reader waits for what continues, whatever stopped it.
  if (record.kind === 'rfc.decisionAcknowledged')
    return { type: 'agent_resumed', blocker_id: rfc.id, task_id: null, agent_id: record.agent, resumed_at: time };
  const about = { rfc_id: rfc.id, title: rfc.title, revision: rfc.revisions.length };
  return noticeFrom(rfcNotices, record, { rfc, time, about });
}

/** The tables relate each kind to its members; indexing by a union loses that. */
function noticeFrom<At extends { readonly about: object }>(
  notices: Notices<At>,
  record: JournalRecord,
  at: At,
): Notification | null {
  const [type, says] = notices[record.kind] ?? [];
  if (!says) return null;
  return { type, ...at.about, ...(says as (record: JournalRecord, at: At) => object)(record, at) } as Notification;
}

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
interface EventPlace {
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

const types: ReadonlySet<string> = new Set<StreamEvent['type']>([
  ...[...Object.values(questionNotices), ...Object.values(rfcNotices)].map(([type]) => type),
  ...(['approval_recorded', 'record', 'record_refused'] as const),
]);

/** Of which nobody is notified: that something was delivered, or that the journal continues in another form. */
const bookkeeping: ReadonlySet<string> = new Set<RecordKind>([
  'workspace.created',
  'format.changed',
  ...formerRecords.map(({ kind }) => kind),
  'hold.baselineTaken',
  'outcome.offered',
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

export function isStreamType(name: string): boolean {
  return types.has(name) || (anyRecord.kinds.includes(name) && !bookkeeping.has(name));
}

/** @param wanted types of events, and kinds of records */
export function isOfType(event: StreamEvent, wanted: readonly string[]): boolean {
  return wanted.includes(event.type) || wanted.includes(event.kind);
}

/** The place of an event: its line, and how many events of that line came until it, itself included. */
interface Position {
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
