/**
 * The stream of notifications: what the lines of a journal say, each with its position, from which a reader continues
 * after a restart. Pure: the command line, server-sent events and WebSockets use the same.
 */
import { anyRecord, type Actor, type CountedLine, type RecordKind } from '../records/records.ts';
import { isForPerson, interruptionOf } from '../state/interruptions.ts';
import { type Admitted, type Refusal, type State, type Question, recipientOf } from '../state/state.ts';
import { answerLine } from '../kit/text.ts';
import type { AnswerEffect, Interruption } from '../kit/words.ts';
import { isRfcDecision, isRfcRecord, type RfcDecision, type RfcRecord, type RejectionThen } from '../records/rfc.ts';
import { effectOf } from '../state/answerEffect.ts';

// Typed notifications about RFCs, named like those about questions.

interface AboutRfc {
  readonly rfc_id: string;
  readonly title: string;
  /** The revision it is about. */
  readonly revision: number;
}

type RfcNotification =
  | (AboutRfc & { readonly type: 'rfc_proposed'; readonly agent_id: string; readonly created_at: string })
  | (AboutRfc & { readonly type: 'rfc_revised'; readonly revised_at: string })
  /** It waits for a human now. */
  | (AboutRfc & { readonly type: 'rfc_submitted'; readonly submitted_at: string })
  | (AboutRfc & {
      readonly type: 'rfc_approved';
      readonly conditions: readonly string[];
      readonly constraints: readonly string[];
      /** Numbers of open questions that need no answer. */
      readonly waived: readonly number[];
      readonly resolved_at: string;
    })
  | (AboutRfc & { readonly type: 'rfc_changes_requested'; readonly reason: string; readonly resolved_at: string })
  | (AboutRfc & {
      readonly type: 'rfc_rejected';
      readonly reason: string;
      readonly then: RejectionThen;
      readonly resolved_at: string;
    })
  | (AboutRfc & { readonly type: 'rfc_withdrawn'; readonly reason: string; readonly resolved_at: string })
  | (AboutRfc & { readonly type: 'rfc_implemented'; readonly implemented_at: string });

/** An agent acted after receiving a decision on an RFC: `blocker_id` is the RFC's. */
interface RfcResumed {
  readonly type: 'agent_resumed';
  readonly blocker_id: string;
  readonly task_id: null;
  readonly agent_id: string;
  readonly resumed_at: string;
}

/** Null for records without a notification. */
function rfcNotificationOf(
  state: State,
  record: RfcRecord | RfcDecision,
  time: string,
): RfcNotification | RfcResumed | null {
  const rfc = state.rfcs.get(record.id);
  if (!rfc) return null;
  const about = { rfc_id: rfc.id, title: rfc.title, revision: rfc.revisions.length };
  switch (record.kind) {
    case 'rfc.proposed':
      return { type: 'rfc_proposed', ...about, agent_id: rfc.asker.id, created_at: time };
    case 'rfc.revised':
      return { type: 'rfc_revised', ...about, revision: record.revision, revised_at: time };
    case 'rfc.submitted':
      return { type: 'rfc_submitted', ...about, revision: record.revision, submitted_at: time };
    case 'rfc.approved': {
      const { revision, conditions, constraints } = record;
      const waived = (record.waived ?? []).map(({ question }) => question);
      return { type: 'rfc_approved', ...about, revision, conditions, constraints, waived, resolved_at: time };
    }
    case 'rfc.changesRequested':
      return {
        type: 'rfc_changes_requested',
        ...about,
        revision: record.revision,
        reason: record.reason,
        resolved_at: time,
      };
    case 'rfc.rejected': {
      const { revision, reason, then } = record;
      return { type: 'rfc_rejected', ...about, revision, reason, then, resolved_at: time };
    }
    case 'rfc.withdrawn':
      return { type: 'rfc_withdrawn', ...about, reason: record.reason, resolved_at: time };
    case 'rfc.implemented':
      return { type: 'rfc_implemented', ...about, implemented_at: time };
    case 'rfc.decisionAcknowledged':
      return { type: 'agent_resumed', blocker_id: rfc.id, task_id: null, agent_id: record.agent, resumed_at: time };
    default:
      return null;
  }
}

// Typed notifications about questions.

interface About {
  /** The question's id, for example `Q-12`; for `agent_resumed` also an RFC's. */
  readonly blocker_id: string;
  /** The work item's id; null for a question without one. */
  readonly task_id: string | null;
}

export type Notification =
  | RfcNotification
  | (About & {
      readonly type: 'blocker_created';
      readonly agent_id: string;
      readonly blocker_type: 'SYNC' | 'ASYNC';
      readonly question: string;
      /** How the policy notifies a human of it. */
      readonly interruption: Interruption;
      readonly created_at: string;
    })
  | (About & {
      readonly type: 'blocker_resolved';
      readonly answer: string;
      /** The answer's meaning for the question: `do_not` and `stop` refuse it. */
      readonly effect: AnswerEffect;
      readonly resolved_at: string;
    })
  /** A human lifted the refusal of an answer. */
  | (About & { readonly type: 'refusal_lifted'; readonly reason: string; readonly lifted_at: string })
  | (About & { readonly type: 'blocker_cancelled'; readonly reason: string; readonly resolved_at: string })
  | (About & { readonly type: 'blocker_released'; readonly note: string; readonly resolved_at: string })
  /** By the agent that asked. */
  | (About & { readonly type: 'blocker_withdrawn'; readonly reason: string; readonly withdrawn_at: string })
  /** A human asks the agent something before deciding; it holds what it held. */
  | (About & {
      readonly type: 'blocker_asked_back';
      readonly agent_id: string;
      readonly question: string;
      readonly asked_at: string;
    })
  /** The agent replied: it waits for a human again. */
  | (About & {
      readonly type: 'blocker_replied';
      readonly agent_id: string;
      readonly reply: string;
      readonly replied_at: string;
    })
  /** The agent stopped waiting and left a resume brief. */
  | (About & { readonly type: 'blocker_parked'; readonly agent_id: string; readonly parked_at: string })
  | (About & { readonly type: 'blocker_expired'; readonly expired_at: string })
  /** The agent acted after receiving the outcome: only this means that it resumed. */
  | (About & { readonly type: 'agent_resumed'; readonly agent_id: string; readonly resumed_at: string });

/** The notification for a record that took effect; null for records without one. */
export function notificationOf(state: State, { record, time, kept }: Admitted): Notification | null {
  // An approval that needs more people changed nothing yet.
  if (kept) return null;
  if (isRfcRecord(record) || isRfcDecision(record)) return rfcNotificationOf(state, record, time);
  const question = 'id' in record ? state.questions.get(record.id) : undefined;
  if (!question) return null;
  const about = { blocker_id: question.id, task_id: question.work };
  switch (record.kind) {
    case 'question.raised':
      return {
        type: 'blocker_created',
        ...about,
        agent_id: question.asker.id,
        blocker_type: question.mode === 'sync' ? 'SYNC' : 'ASYNC',
        question: record.text,
        interruption: interruptionOf(state, question),
        created_at: time,
      };
    case 'question.answered':
      return {
        type: 'blocker_resolved',
        ...about,
        answer: resolutionText(question),
        effect: effectOf(question) ?? 'proceed',
        resolved_at: time,
      };
    case 'question.cancelled':
      return { type: 'blocker_cancelled', ...about, reason: record.reason, resolved_at: time };
    case 'question.released':
      return { type: 'blocker_released', ...about, note: record.note, resolved_at: time };
    case 'refusal.lifted':
      return { type: 'refusal_lifted', ...about, reason: record.reason, lifted_at: time };
    case 'question.withdrawn':
      return { type: 'blocker_withdrawn', ...about, reason: record.reason, withdrawn_at: time };
    case 'question.askedBack': {
      const agent_id = recipientOf(state, question);
      return { type: 'blocker_asked_back', ...about, agent_id, question: record.text, asked_at: time };
    }
    case 'question.replied': {
      const agent_id = question.askBacks[record.number - 1]?.reply?.by ?? question.asker.id;
      return { type: 'blocker_replied', ...about, agent_id, reply: record.text, replied_at: time };
    }
    case 'question.parked':
      return { type: 'blocker_parked', ...about, agent_id: question.parked?.by ?? question.asker.id, parked_at: time };
    case 'question.expired':
      return { type: 'blocker_expired', ...about, expired_at: time };
    case 'outcome.acknowledged':
      return { type: 'agent_resumed', ...about, agent_id: record.agent, resumed_at: time };
    default:
      return null;
  }
}

function resolutionText({ resolution }: Question): string {
  return resolution?.answer ? answerLine(resolution.answer) : '';
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
