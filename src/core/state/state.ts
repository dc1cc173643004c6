/** The domain's state: what the fold over records yields. Values are immutable; maps change only through a `Change`. */
import type { LiveRow } from '../records/import.ts';
import type { InadmissibleReason } from './inadmissible.ts';
import type { Actor, Answer, JournalRecord, QuestionRaised } from '../records/records.ts';
import { noRequests } from './request.ts';
import type { RequestsState } from './request.ts';
import type { OnOverdue } from '../records/requestWords.ts';
import type { Rfc } from './rfc.ts';
import type { Widening } from '../records/widening.ts';
import type {
  BaseStatus,
  EventPriority,
  EventStatus,
  EventType,
  OnExpiry,
  QuestionMode,
  QuestionStatus,
  Urgency,
  WorkKind,
} from '../kit/words.ts';

export interface WorkItem {
  readonly id: string;
  readonly kind: WorkKind;
  readonly title: string;
  readonly status: BaseStatus;
  readonly step: string | null;
  readonly workflow: string | null;
  readonly dependsOn: readonly string[];
  readonly holds: readonly string[];
  readonly assignee: string | null;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Grows with each start, so that the latest started item of an agent is its current one. 0: never started. */
  readonly startOrder: number;
}

export interface Resolution {
  readonly how: 'answered' | 'cancelled' | 'released';
  readonly answer: Answer | null;
  /** The reason of a cancellation, the note of a release. */
  readonly note: string | null;
  readonly by: string;
  readonly keyid: string;
  readonly at: string;
}

export interface Question {
  readonly raised: QuestionRaised;
  readonly id: string;
  /** The item, the globs and the end as raised, once more: a gate that has these needs no texts. */
  readonly work: string | null;
  /** Further items that it holds. */
  readonly alsoWork: readonly string[];
  readonly holds: readonly string[];
  readonly expiresAt: string;
  readonly asker: Actor;
  readonly raisedAt: string;
  readonly mode: QuestionMode;
  readonly urgency: Urgency;
  readonly status: QuestionStatus;
  /** Globs added after it was raised. */
  readonly addedHolds: readonly string[];
  /** Set while a human has it hold every file. */
  readonly widened: Widening | null;
  /** Null until a human decided. An expired question keeps its hold while this is null. */
  readonly resolution: Resolution | null;
  /** Set once a human wants the answer not to be given again. */
  readonly revoked: Revocation | null;
  /** Set once a human lifted what the answer refused. */
  readonly lifted: Revocation | null;
}

/** What tells whether and what a question holds. */
export type QuestionBrief = Pick<
  Question,
  'work' | 'alsoWork' | 'holds' | 'asker' | 'mode' | 'urgency' | 'addedHolds' | 'widened' | 'resolution' | 'lifted'
>;

/** Questions of a saved state that nobody has wanted whole yet. */
export interface UnreadQuestions {
  /** Null for an id of something else. The same object for all: what it says is of the one that was asked for last. */
  brief(id: string): QuestionBrief | null;
  question(id: string): Question;
}

export interface Revocation {
  readonly reason: string;
  readonly by: string;
  readonly at: string;
}

/** What the fold keeps of an event: without its content, for there may be a hundred thousand. */
export interface EventHeader {
  readonly type: EventType;
  readonly priority: EventPriority;
  readonly status: EventStatus;
  readonly author: 'agent' | 'human';
  /** The event that superseded it. */
  readonly successor: string | null;
}

/** An agent wants a human's event closed. It stays active until a human does so. */
export interface Proposal {
  readonly how: 'resolved' | 'superseded';
  readonly reason: string | null;
  readonly by: string | null;
  readonly agent: string;
  readonly at: string;
}

export interface Agent {
  readonly id: string;
  readonly type: string;
  readonly host: string;
  readonly label: string;
  /** Where it registered: an agent's number belongs to its worktree. */
  readonly worktree: string | null;
}

/** An import that is not ended: nothing of it is there yet. */
export interface Batch {
  readonly by: string;
  /** Hash of what was read. */
  readonly digest: string;
  readonly parts: number;
  readonly rows: number;
  readonly events: PendingEvent[];
  readonly live: LiveRow[];
}

/** `successor` and `related`: places in the batch, from 1, or ids of events that are there. */
export interface PendingEvent extends Omit<EventHeader, 'author' | 'successor'> {
  readonly successor: number | string | null;
  readonly related: readonly (number | string)[];
}

/** A record that was read but given no effect, and why. */
export interface Refusal {
  readonly at: number;
  readonly time: string;
  readonly kind: string;
  readonly subject: string;
  readonly actor: string;
  readonly why: string;
  readonly reason: InadmissibleReason;
}

export interface Workspace {
  readonly id: string;
  readonly minReader: number;
  readonly minWriter: number;
}

export interface Policy {
  /** How long a question lives, hours. */
  readonly questionLifeHours: number;
  readonly onExpiry: OnExpiry;
  /** What becomes of accepted requests past their agreed time; none: one alert. */
  readonly overdue?: { readonly action: OnOverdue; readonly reassignTo?: string | undefined } | undefined;
  /** Tools of servers that a human says only read: hooks let them go on. Others of servers are taken to change something. */
  readonly hooks?: { readonly readOnlyTools: readonly string[] } | undefined;
  /** Whether a language model reviews each RFC that is submitted, before the human is notified. It decides nothing. */
  readonly review?: { readonly onSubmit: boolean } | undefined;
  /** Days without a mention until what only informs leaves the briefing; 0 or none: never. */
  readonly memory?: { readonly ageDays: number } | undefined;
}

/** A question lives 24 hours unless a human says otherwise. */
export const defaultPolicy: Policy = { questionLifeHours: 24, onExpiry: 'expire' };

export interface State extends RequestsState {
  workspace: Workspace | null;
  /** When a human last put another journal in the place of one, by a signed way out of UNKNOWN. */
  recovered: string | null;
  policy: Policy;
  readonly work: Map<string, WorkItem>;
  /** Set while `questions` was not touched, so that what holds can be found without making thousands of them. */
  readonly unread?: UnreadQuestions | null;
  readonly questions: Map<string, Question>;
  readonly rfcs: Map<string, Rfc>;
  /** Work that a human stopped for good, with the RFC they rejected. */
  readonly stopped: Map<string, string>;
  /** Ids of what holds: sync questions no human has resolved, those that a human answered with a stop, open RFCs. */
  readonly holders: Set<string>;
  /** Ids of questions whose answers refuse what was asked, until a human lifts that. */
  readonly refused: Set<string>;
  /** Ids of pending questions by `questionKey`: the same one is not asked twice. */
  readonly pendingKeys: Map<string, string>;
  /** Id of the latest question by `reuseKey`: whether it was answered before. */
  readonly latestByText: Map<string, string>;
  /** By id, in the order of their numbers. */
  readonly events: Map<string, EventHeader>;
  /** Ids of active events that are critical warnings. */
  readonly criticalWarnings: Set<string>;
  /** Open proposals by the id of the event to be closed. */
  readonly proposals: Map<string, Proposal>;
  /** The mutations of the last half hour by `mutationKey`. */
  readonly recentMutations: Map<string, { readonly id: string; readonly at: string }>;
  readonly agents: Map<string, Agent>;
  /** Unfinished imports by their batch. */
  readonly imports: Map<string, Batch>;
  readonly nonces: Set<string>;
  /** Keys that a human's signed act ended, with when: they sign nothing from there on. */
  readonly retiredKeys: Map<string, string>;
  readonly refusals: Refusal[];
  /** Where the journal's segments end, in their order: each with its seal. What comes behind lies in the next file. */
  readonly seals: number[];
  starts: number;
}

export function emptyState(): State {
  return {
    workspace: null,
    recovered: null,
    policy: defaultPolicy,
    work: new Map(),
    questions: new Map(),
    rfcs: new Map(),
    stopped: new Map(),
    holders: new Set(),
    refused: new Set(),
    pendingKeys: new Map(),
    latestByText: new Map(),
    events: new Map(),
    criticalWarnings: new Set(),
    proposals: new Map(),
    recentMutations: new Map(),
    agents: new Map(),
    imports: new Map(),
    nonces: new Set(),
    retiredKeys: new Map(),
    refusals: [],
    seals: [],
    starts: 0,
    ...noRequests(),
  };
}

/** Whether this question stops work now: it waits for a human, or a human stopped the work with it. */
export function isHolding(question: Pick<Question, 'mode' | 'resolution' | 'lifted'>): boolean {
  return isOpenHold(question) || isStop(question);
}

/** Whether it stops work until a human decides. */
export function isOpenHold({ mode, resolution }: Pick<Question, 'mode' | 'resolution'>): boolean {
  return mode === 'sync' && resolution === null;
}

/** Whether a human stopped the work with the answer, and has not lifted that. */
export function isStop({ resolution, lifted }: Pick<Question, 'resolution' | 'lifted'>): boolean {
  return lifted === null && resolution?.answer?.effect === 'stop';
}

/** Whether a human is still wanted: a pending question, or an expired one that nobody released. */
export function isWaiting(question: Question): boolean {
  return question.resolution === null && (question.status === 'pending' || isOpenHold(question));
}

/** A record that had its effect, with the line it came in and, if signed, who signed. */
export interface Admitted {
  readonly record: JournalRecord;
  readonly at: number;
  readonly time: string;
  readonly actor: Actor;
  readonly signed: { readonly by: string; readonly keyid: string; readonly nonce: string } | null;
}
