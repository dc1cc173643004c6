/**
 * Typed notifications about everything besides decisions: what changed about work, memory, requests, keys and the
 * workspace, and what was refused. A record kind that is missing in the table does not compile.
 */
import type { BaseStatus, EventPriority, EventType, QuestionMode, WorkKind } from '../kit/words.ts';
import type { RecordKind, RecordOf } from '../records/records.ts';
import type { RequestMoved, StepRecorded } from '../records/request.ts';
import type { Breach, RequestType, ResponsibilityKind } from '../records/requestWords.ts';
import type { FeedbackType, ReviewNote, ReviewVerdict } from '../records/rfcWords.ts';

interface OfRequest {
  readonly request_id: string;
}

interface OfThread {
  readonly rfc_id: string;
  readonly thread: number;
  readonly text: string;
}

export type OtherNotification =
  /** It became sync, or holds more files. */
  | {
      readonly type: 'blocker_widened';
      readonly blocker_id: string;
      readonly blocker_type: 'SYNC' | null;
      readonly added_holds: readonly string[];
    }
  /** It was not answered in time and is critical now. */
  | { readonly type: 'blocker_escalated'; readonly blocker_id: string }
  /** An agent that asked the same received the earlier answer. */
  | { readonly type: 'answer_reused'; readonly blocker_id: string; readonly agent_id: string }
  /** A human excluded the answer from reuse. */
  | { readonly type: 'answer_revoked'; readonly blocker_id: string; readonly reason: string }
  /** A question or RFC holds every file, or the named ones again. */
  | { readonly type: 'hold_widened' | 'hold_narrowed'; readonly item_id: string }
  /** Files that a question or RFC holds were changed; `lost`: it is not known which. */
  | {
      readonly type: 'held_files_changed';
      readonly item_id: string;
      readonly paths: readonly string[];
      readonly lost: boolean;
      /** What ran meanwhile; null if no call that a hook saw. */
      readonly call: string | null;
    }
  | { readonly type: 'held_files_restored'; readonly item_id: string; readonly paths: readonly string[] }
  /** A human accepted changes; `lost`: also those that are not known. */
  | {
      readonly type: 'held_changes_accepted';
      readonly item_id: string;
      readonly paths: readonly string[];
      readonly lost: boolean;
    }
  | {
      readonly type: 'rfc_widened';
      readonly rfc_id: string;
      readonly added_work: readonly string[];
      readonly added_holds: readonly string[];
    }
  | { readonly type: 'rfc_handed_over'; readonly rfc_id: string; readonly agent_id: string }
  /** Null: for everybody. */
  | { readonly type: 'rfc_addressed'; readonly rfc_id: string; readonly for: string | null }
  | (OfThread & { readonly type: 'rfc_commented'; readonly comment_type: FeedbackType; readonly blocking: boolean })
  | (OfThread & { readonly type: 'rfc_comment_replied'; readonly reply: number })
  | { readonly type: 'rfc_comment_resolved'; readonly rfc_id: string; readonly thread: number }
  /** By the AI reviewer, which decides nothing. */
  | {
      readonly type: 'rfc_reviewed';
      readonly rfc_id: string;
      readonly revision: number;
      readonly verdict: ReviewVerdict | null;
      readonly note: ReviewNote | null;
    }
  | { readonly type: 'rfc_answer_overruled'; readonly rfc_id: string; readonly question: number }
  | {
      readonly type: 'work_registered';
      readonly task_id: string;
      readonly kind: WorkKind;
      readonly title: string;
      readonly status: BaseStatus;
    }
  /** Null: not changed. */
  | {
      readonly type: 'work_updated';
      readonly task_id: string;
      readonly title: string | null;
      readonly status: BaseStatus | null;
      readonly step: string | null;
    }
  | {
      readonly type: 'event_posted';
      readonly event_id: string;
      readonly event_type: EventType;
      readonly priority: EventPriority;
      readonly text: string;
      readonly scopes: readonly string[];
    }
  | {
      readonly type: 'event_closed' | 'event_close_proposed';
      readonly event_id: string;
      readonly how: 'resolved' | 'superseded';
      readonly reason: string | null;
      readonly successor: string | null;
    }
  | { readonly type: 'event_close_declined'; readonly event_id: string; readonly reason: string | null }
  | {
      readonly type: 'responsibility_changed';
      readonly responsibility_id: string;
      /** Null where only agents were added. */
      readonly kind: ResponsibilityKind | null;
      readonly agents: readonly string[];
    }
  | (OfRequest & {
      readonly type: 'request_created';
      readonly request_type: RequestType;
      readonly subject: string;
      readonly origin: string;
      readonly target: string;
      readonly priority: number;
    })
  | (OfRequest & {
      readonly type: 'request_changed';
      readonly act: RequestMoved['act'];
      readonly note: string | null;
    })
  | (OfRequest & { readonly type: 'request_seen' | 'request_escalated' })
  | (OfRequest & { readonly type: 'request_failed'; readonly error: string })
  | (OfRequest & { readonly type: 'request_step'; readonly step: StepRecorded['step']; readonly note: string })
  | (OfRequest & { readonly type: 'request_work_created'; readonly task_ids: readonly string[] })
  | (OfRequest & { readonly type: 'request_overdue'; readonly breach: Breach })
  | (OfRequest & { readonly type: 'request_reassigned'; readonly target: string })
  | (OfRequest & { readonly type: 'request_refused'; readonly act: string; readonly why: string })
  | { readonly type: 'agent_registered'; readonly agent_id: string; readonly label: string }
  | { readonly type: 'policy_changed' }
  | {
      readonly type: 'key_changed';
      readonly change: 'enrolled' | 'lost' | 'rotated' | 'trusted' | 'retired' | 'passkey_added' | 'passkey_renamed';
      readonly keyid: string;
      readonly name: string;
    }
  | { readonly type: 'import_completed'; readonly rows: number }
  | { readonly type: 'store_shared'; readonly name: string }
  | { readonly type: 'store_unshared' }
  | { readonly type: 'journal_recovered'; readonly how: 'damage_set_aside' | 'restored' | 'started_over' };

/** Kinds that `notificationOf` covers. */
type Decided =
  | 'question.raised'
  | 'question.answered'
  | 'question.cancelled'
  | 'question.released'
  | 'question.withdrawn'
  | 'question.askedBack'
  | 'question.replied'
  | 'question.parked'
  | 'question.expired'
  | 'refusal.lifted'
  | 'outcome.acknowledged'
  | 'rfc.proposed'
  | 'rfc.revised'
  | 'rfc.submitted'
  | 'rfc.approved'
  | 'rfc.changesRequested'
  | 'rfc.rejected'
  | 'rfc.withdrawn'
  | 'rfc.implemented'
  | 'rfc.decisionAcknowledged';
type OtherKind = Exclude<RecordKind, Decided>;

type Table = { readonly [K in OtherKind]: ((record: RecordOf<K>) => OtherNotification) | null };

/** Null: bookkeeping, such as that an outcome was delivered. */
const table: Table = {
  'workspace.created': null,
  'format.changed': null,
  'segment.sealed': null,
  'gate.decidedOffline': null,
  'hold.baselineTaken': null,
  'outcome.offered': null,
  'wait.noted': null,
  'precedent.set': null,
  'precedent.ended': null,
  'precedent.used': null,
  'precedent.takenBack': null,
  'question.askBackOffered': null,
  'question.askBackAcknowledged': null,
  'rfc.reviewOffered': null,
  'rfc.reviewAcknowledged': null,
  'rfc.decisionOffered': null,
  'request.noticeOffered': null,
  'request.noticeAcknowledged': null,
  'import.begun': null,
  'import.rows': null,
  'import.abandoned': null,
  'agent.registered': ({ id, label }) => ({ type: 'agent_registered', agent_id: id, label }),
  'work.registered': ({ id, workKind, title, status }) => ({
    ...{ type: 'work_registered', task_id: id, kind: workKind, title, status },
  }),
  'work.updated': ({ id, title = null, status = null, step = null }) => ({
    ...{ type: 'work_updated', task_id: id, title, status, step },
  }),
  'work.deleted': ({ id }) => ({ type: 'work_updated', task_id: id, title: null, status: 'deleted', step: null }),
  'question.widened': ({ id, mode, addHolds }) => ({
    type: 'blocker_widened',
    blocker_id: id,
    blocker_type: mode === undefined ? null : asked[mode],
    added_holds: addHolds,
  }),
  'question.escalated': ({ id }) => ({ type: 'blocker_escalated', blocker_id: id }),
  'answer.reused': ({ id, agent }) => ({ type: 'answer_reused', blocker_id: id, agent_id: agent }),
  'answer.revoked': ({ id, reason }) => ({ type: 'answer_revoked', blocker_id: id, reason }),
  'hold.widened': ({ id }) => ({ type: 'hold_widened', item_id: id }),
  'hold.narrowed': ({ id }) => ({ type: 'hold_narrowed', item_id: id }),
  'hold.violated': ({ id, files, lost = false, call = null }) => ({
    ...{ type: 'held_files_changed', item_id: id, paths: pathsOf(files), lost, call },
  }),
  'hold.fileRestored': ({ id, paths }) => ({ type: 'held_files_restored', item_id: id, paths }),
  'hold.changeAccepted': ({ id, files, lost = false }) => ({
    ...{ type: 'held_changes_accepted', item_id: id, paths: pathsOf(files), lost },
  }),
  'rfc.widened': ({ id, addWorkflows, addTasks, addHolds }) => ({
    type: 'rfc_widened',
    rfc_id: id,
    added_work: [...addWorkflows, ...addTasks],
    added_holds: addHolds,
  }),
  'rfc.handedOver': ({ id, to }) => ({ type: 'rfc_handed_over', rfc_id: id, agent_id: to }),
  'rfc.addressed': ({ id, to }) => ({ type: 'rfc_addressed', rfc_id: id, for: to }),
  'rfc.feedbackGiven': commented,
  'rfc.commented': commented,
  'rfc.feedbackReplied': replied,
  'rfc.threadReplied': replied,
  'rfc.threadResolved': ({ id, thread }) => ({ type: 'rfc_comment_resolved', rfc_id: id, thread }),
  'rfc.reviewed': ({ id, revision, verdict, note }) => ({ type: 'rfc_reviewed', rfc_id: id, revision, verdict, note }),
  'rfc.answerOverruled': ({ id, question }) => ({ type: 'rfc_answer_overruled', rfc_id: id, question }),
  'event.posted': posted,
  'event.postedByHuman': posted,
  'event.closed': closing('event_closed'),
  'event.closedByHuman': closing('event_closed'),
  'event.closeProposed': closing('event_close_proposed'),
  'event.proposalDeclined': ({ id, reason = null }) => ({ type: 'event_close_declined', event_id: id, reason }),
  'responsibility.registered': responsible,
  'responsibility.appointed': responsible,
  'responsibility.joined': ({ id, agents }) => ({
    ...{ type: 'responsibility_changed', responsibility_id: id, kind: null, agents },
  }),
  'request.created': requested,
  'request.createdByHuman': requested,
  'request.moved': moved,
  'request.movedByHuman': moved,
  'request.acknowledged': ({ id }) => ({ type: 'request_seen', request_id: id }),
  'request.attemptFailed': ({ id, error }) => ({ type: 'request_failed', request_id: id, error }),
  'request.stepRecorded': stepped,
  'request.stepRecordedByHuman': stepped,
  'request.workMade': ({ id, work }) => ({ type: 'request_work_created', request_id: id, task_ids: work }),
  'request.alerted': ({ id, breach }) => ({ type: 'request_overdue', request_id: id, breach }),
  'request.escalated': ({ id }) => ({ type: 'request_escalated', request_id: id }),
  'request.reassigned': ({ id, target }) => ({ type: 'request_reassigned', request_id: id, target }),
  'request.refused': ({ id, act, why }) => ({ type: 'request_refused', request_id: id, act, why }),
  'policy.changed': () => ({ type: 'policy_changed' }),
  'key.enrolled': keyChange('enrolled'),
  'key.lost': keyChange('lost'),
  'key.rotated': keyChange('rotated'),
  'key.trusted': keyChange('trusted'),
  'key.retired': keyChange('retired'),
  'key.passkeyAdded': keyChange('passkey_added'),
  'key.passkeyRenamed': keyChange('passkey_renamed'),
  'import.ended': ({ rows }) => ({ type: 'import_completed', rows }),
  'store.shared': ({ name }) => ({ type: 'store_shared', name }),
  'store.unshared': () => ({ type: 'store_unshared' }),
  'journal.lineSetAside': () => ({ type: 'journal_recovered', how: 'damage_set_aside' }),
  'journal.restored': () => ({ type: 'journal_recovered', how: 'restored' }),
  'journal.startedAnew': () => ({ type: 'journal_recovered', how: 'started_over' }),
};

/** Null for kinds that `notificationOf` covers, and for bookkeeping. */
export function otherNotificationOf(record: RecordOf<RecordKind>): OtherNotification | null {
  if (!Object.hasOwn(table, record.kind)) return null;
  // The table relates each kind to its function; indexing by a union loses that.
  const make = table[record.kind as OtherKind] as ((record: RecordOf<RecordKind>) => OtherNotification) | null;
  return make?.(record) ?? null;
}

function pathsOf(files: readonly { readonly path: string }[]): string[] {
  return files.map(({ path }) => path);
}

const asked: Readonly<Record<QuestionMode, 'SYNC' | null>> = { sync: 'SYNC', async: null };

function commented(record: RecordOf<'rfc.feedbackGiven' | 'rfc.commented'>): OtherNotification {
  const { id, thread, text, type, blocking } = record;
  return { type: 'rfc_commented', rfc_id: id, thread, text, comment_type: type, blocking };
}

function replied({
  id,
  thread,
  text,
  reply,
}: RecordOf<'rfc.feedbackReplied' | 'rfc.threadReplied'>): OtherNotification {
  return { type: 'rfc_comment_replied', rfc_id: id, thread, text, reply };
}

function posted(record: RecordOf<'event.posted' | 'event.postedByHuman'>): OtherNotification {
  const { id, type, priority, text, scopes } = record;
  return { type: 'event_posted', event_id: id, event_type: type, priority, text, scopes };
}

function closing(type: 'event_closed' | 'event_close_proposed') {
  return (record: RecordOf<'event.closed' | 'event.closedByHuman' | 'event.closeProposed'>): OtherNotification => {
    const { id, how, reason, by } = record;
    return { type, event_id: id, how, reason: reason ?? null, successor: by ?? null };
  };
}

function responsible(record: RecordOf<'responsibility.registered' | 'responsibility.appointed'>): OtherNotification {
  const { id, responsibilityKind: kind, agents } = record;
  return { type: 'responsibility_changed', responsibility_id: id, kind, agents };
}

function requested(record: RecordOf<'request.created' | 'request.createdByHuman'>): OtherNotification {
  const { id, ask, subject, origin, target, priority } = record;
  return { type: 'request_created', request_id: id, request_type: ask.type, subject, origin, target, priority };
}

function moved({ id, act, note }: RecordOf<'request.moved' | 'request.movedByHuman'>): OtherNotification {
  return { type: 'request_changed', request_id: id, act, note: note ?? null };
}

function stepped(record: RecordOf<'request.stepRecorded' | 'request.stepRecordedByHuman'>): OtherNotification {
  const { id, step, note } = record;
  return { type: 'request_step', request_id: id, step, note };
}

type KeyChange = Extract<OtherNotification, { type: 'key_changed' }>['change'];

function keyChange(change: KeyChange) {
  return ({ keyid, name }: { readonly keyid: string; readonly name: string }): OtherNotification => ({
    ...{ type: 'key_changed', change, keyid, name },
  });
}
