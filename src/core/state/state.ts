/** The domain state: the result of folding all records. Values are immutable; maps change only through a `Change`. */
import type { Answer, AskBack } from '../records/question.ts';
import type { HeldFiles, Widening } from './heldChanges.ts';
import type { LiveRow } from '../records/import.ts';
import type { Actor, QuestionRaised } from '../records/plain.ts';
import type { OpenRequest, Responsibility, Rfc } from './items.ts';
import type { Lease, Policy, PendingDecision } from '../records/policy.ts';
import type { Shared } from '../records/decision.ts';
import type { RequestStatus } from '../records/request.ts';
import type {
  BaseStatus,
  EventPriority,
  EventStatus,
  EventType,
  QuestionMode,
  QuestionStatus,
  Urgency,
  WorkKind,
  QuestionType,
} from '../kit/words.ts';
import { isOfSamePerson } from '../kit/persons.ts';

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
  /** Increases with each start, so that an agent's current item is its latest started one. 0: never started. */
  readonly startOrder: number;
}

/** Whether it is to do or in progress. */
export function isUnfinished({ status }: Pick<WorkItem, 'status'>): boolean {
  return status === 'todo' || status === 'in_progress';
}

/** Whether nobody works on it any more: lists and figures of held work leave it out. A failed item may continue. */
export function isFinished({ status }: Pick<WorkItem, 'status'>): boolean {
  return status === 'done' || status === 'cancelled' || status === 'deleted';
}

export interface Resolution {
  /** `withdrawn`: by the agent that asked, without a signature. All others are a human's. */
  readonly how: 'answered' | 'cancelled' | 'released' | 'withdrawn';
  readonly answer: Answer | null;
  /** The reason of a cancellation or the note of a release. */
  readonly note: string | null;
  readonly by: string;
  readonly keyid: string;
  /** Signed with a passkey, verified by a PIN, a fingerprint or the like. */
  readonly passkey?: true;
  readonly at: string;
  /** A no of fewer people than the policy asks for: what the question held stays held until enough lift it. */
  readonly unmet?: true;
  /** Ids of the other questions that the same act answered. */
  readonly with?: readonly string[];
}

/** Where a record is: the offsets of its line, and the hash of the line's body. */
export interface LinePlace {
  readonly at: number;
  readonly end: number;
  readonly hash: string;
}

export interface Question {
  /** Null once it is closed: `raisedOf` reads it. */
  readonly raised: QuestionRaised | null;
  /** Where it was raised. Null for one that an import brought: that keeps what it says. */
  readonly line: LinePlace | null;
  readonly facts: QuestionFacts;
  readonly id: string;
  /** Copies of the item, globs and expiry as raised, which rules need of closed ones too. */
  readonly work: string | null;
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
  /** Set while a human's decision widens it to every file. */
  readonly widened: Widening | null;
  /** Null until a human decides. An expired question keeps its hold while this is null. */
  readonly resolution: Resolution | null;
  /** Set once a human excluded the answer from reuse. */
  readonly revoked: Revocation | null;
  /** Set once a human lifted the answer's refusal. */
  readonly lifted: Revocation | null;
  /** What its work items held when a human refused it: later changes of the items do not take it out of a rule. */
  readonly refusedHolds: readonly string[];
  /** What humans asked the agent before deciding, oldest first. */
  readonly askBacks: readonly AskBack[];
  /** Set once its agent stopped waiting and left a resume brief, which is a row. */
  readonly parked: Parked | null;
}

/** What a question has that nothing happened to since it was raised. */
export const unchanged = {
  ...{ addedHolds: [], widened: null, resolution: null, revoked: null, lifted: null },
  ...{ refusedHolds: [], askBacks: [], parked: null },
} satisfies Partial<Question>;

/** One that is not closed. */
export type OpenQuestion = Question & { readonly raised: QuestionRaised };

export function isWhole(question: Question): question is OpenQuestion {
  return question.raised !== null;
}

/** A question as it was raised. @throws Error where the journal no longer has that line */
export function raisedOf({ readRaised }: Pick<State, 'readRaised'>, question: Question): QuestionRaised {
  return question.raised ?? readRaised(question);
}

interface Parked {
  readonly by: string;
  /** The host's session, where it is known. */
  readonly session: string | null;
  readonly at: string;
}

export interface Revocation {
  readonly reason: string;
  readonly by: string;
  readonly at: string;
}

/** What the fold stores about an event: no content, because there may be a hundred thousand. */
export interface EventHeader {
  readonly type: EventType;
  readonly priority: EventPriority;
  readonly status: EventStatus;
  readonly author: 'agent' | 'human';
  readonly successor: string | null;
}

/** An agent proposes to close a human's event. It stays active until a human does so. */
export interface Proposal {
  readonly how: 'resolved' | 'superseded';
  readonly reason: string | null;
  readonly by: string | null;
  readonly agent: string;
  readonly at: string;
}

interface Agent {
  readonly id: string;
  readonly type: string;
  readonly host: string;
  readonly label: string;
  /** The worktree it registered in: agent numbers are unique per worktree. */
  readonly worktree: string | null;
}

/** An unfinished import; none of it is valid yet. */
export interface Batch {
  readonly by: string;
  readonly digest: string;
  readonly parts: number;
  readonly rows: number;
  readonly events: PendingEvent[];
  readonly live: LiveRow[];
}

/** `successor` and `related`: positions in the batch, from 1, or ids of existing events. */
export interface PendingEvent extends Omit<EventHeader, 'author' | 'successor'> {
  readonly successor: number | string | null;
  readonly related: readonly (number | string)[];
}

/** Why a record has no effect. */
export type InadmissibleReason =
  /** Inadmissible regardless of author. */
  | 'invalid'
  /** It would move or shrink an existing hold. */
  | 'held'
  /** It claims a human's decision without a valid signature for it. */
  | 'forgery';

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

interface Workspace {
  readonly id: string;
  readonly minReader: number;
  readonly minWriter: number;
}

export type { Lease, Policy } from '../records/policy.ts';
type Reminders = Readonly<Record<Urgency, number>>;
export const defaultReminders: Reminders = { critical: 5, high: 30, medium: 0, low: 0 };

export const defaultUndoSeconds = 5;

export const defaultLease: Lease = { seconds: 15 * 60, strictGlobs: [] };

/** As long as no human changes it. Signatures cover it, so it stays as it is. */
export const defaultPolicy: Policy = { questionLifeHours: 24, onExpiry: 'expire' };

const defaultLife: Readonly<Record<Urgency, number>> = { critical: 24, high: 24, medium: 72, low: 168 };

/** Hours that a question of each urgency waits. */
export function lifeHoursOf({ questionLife, questionLifeHours: every }: Policy): Readonly<Record<Urgency, number>> {
  if (questionLife) return questionLife;
  if (every === defaultPolicy.questionLifeHours) return defaultLife;
  return { critical: every, high: every, medium: every, low: every };
}

export interface State {
  /** Reads a closed question from its line of the journal, whoever keeps that. Not saved. */
  readRaised: (question: Pick<Question, 'id' | 'line'>) => QuestionRaised;
  workspace: Workspace | null;
  /** When a human last replaced the journal by a signed recovery. */
  recovered: string | null;
  /** Set while the journal is kept on a server that a team shares. */
  shared: Shared | null;
  policy: Policy;
  readonly work: Map<string, WorkItem>;
  /** Ids of the items in progress: few, where there are thousands of others. */
  readonly inProgress: Set<string>;
  readonly questions: Map<string, Question>;
  /** Ids of those that are waiting (`isWaiting`): few, where there are thousands of closed ones. */
  readonly undecided: Set<string>;
  readonly rfcs: Map<string, Rfc>;
  /** Work stopped for good, with the RFC whose rejection stopped it. */
  readonly stopped: Map<string, string>;
  /** Ids of holders: undecided sync questions, those answered with a stop, and open RFCs. */
  readonly holders: Set<string>;
  /** Ids of questions whose answers refuse something, until a human lifts that. */
  readonly refused: Set<string>;
  /** By id of the question or RFC. */
  readonly heldFiles: Map<string, HeldFiles>;
  /** Ids of pending questions by `questionKey`, for deduplication. */
  readonly pendingKeys: Map<string, string>;
  /** By id, in order of their numbers. */
  readonly events: Map<string, EventHeader>;
  readonly criticalWarnings: Set<string>;
  /** Open proposals by the id of the event to close. */
  readonly proposals: Map<string, Proposal>;
  /** Mutations of the last half hour by `mutationKey`. */
  readonly recentMutations: Map<string, { readonly id: string; readonly at: string }>;
  readonly agents: Map<string, Agent>;
  readonly imports: Map<string, Batch>;
  /** Decisions that too few people have signed so far, by subject (`subjectOf`). */
  readonly approvals: Map<string, readonly PendingDecision[]>;
  readonly nonces: Set<string>;
  /** Keys ended by a human's signed act, with the time: they sign nothing after it. */
  readonly retiredKeys: Map<string, string>;
  /** Passkeys that a record named, by id of the key. Only these meet a policy that asks for passkeys. */
  readonly passkeys: Map<string, KnownPasskey>;
  /** Earlier places of the journal that a passkey's signature may be bound to, the latest last. */
  places: readonly Place[];
  readonly refusals: Refusal[];
  readonly responsibilities: Map<string, Responsibility>;
  /** Unsettled requests by id. */
  readonly requests: Map<string, OpenRequest>;
  /** Final statuses of settled requests. */
  readonly settledRequests: Map<string, RequestStatus>;
  /** Request ids by `idempotencyOf`. */
  readonly requestKeys: Map<string, string>;
  /** Bundles proposed for ingestion, and whether a steward has reviewed them. */
  readonly bundles: Map<string, boolean>;
  /** Offset after the last line with a seal of a development version, for the server of a shared journal; 0 without one. */
  sealed: number;
  starts: number;
}

/**
 * The part of the state that gates and hooks answer from: all but what only further records need, and the questions that
 * neither wait nor hold nor refuse anything (`isCurrent`).
 */
export interface CurrentState extends Omit<State, OnlyWhole | 'questions'> {
  readonly questions: ReadonlyMap<string, Question>;
}

/** What only further records, lists and the audit read: most of it is about closed items. */
export const onlyWhole = [
  ...(['events', 'pendingKeys', 'recentMutations', 'imports'] as const),
  ...(['nonces', 'refusals', 'settledRequests', 'requestKeys', 'bundles'] as const),
] as const satisfies readonly (keyof State)[];
type OnlyWhole = (typeof onlyWhole)[number];

/** Whether it waits for a human, or what it asked or what was answered still stops something. */
export function isCurrent({ refused }: Pick<State, 'refused'>, question: Question): boolean {
  return isWaiting(question) || isHolding(question) || refused.has(question.id);
}

interface KnownPasskey {
  readonly name: string;
  readonly label: string;
  readonly origin: string;
  readonly rpId: string;
}

/** The end of a line, with the hash of its body. */
interface Place {
  readonly at: number;
  readonly hash: string;
}

export function emptyState(): State {
  const members: Omit<State, 'readRaised'> = {
    workspace: null,
    recovered: null,
    shared: null,
    policy: defaultPolicy,
    work: new Map(),
    inProgress: new Set(),
    questions: new Map(),
    undecided: new Set(),
    rfcs: new Map(),
    stopped: new Map(),
    holders: new Set(),
    refused: new Set(),
    heldFiles: new Map(),
    pendingKeys: new Map(),
    events: new Map(),
    criticalWarnings: new Set(),
    proposals: new Map(),
    recentMutations: new Map(),
    agents: new Map(),
    imports: new Map(),
    approvals: new Map(),
    nonces: new Set(),
    retiredKeys: new Map(),
    passkeys: new Map(),
    places: [],
    refusals: [],
    sealed: 0,
    starts: 0,
    responsibilities: new Map(),
    requests: new Map(),
    settledRequests: new Map(),
    requestKeys: new Map(),
    bundles: new Map(),
  };
  // Not enumerable, as it is not a part of what is saved and compared.
  return Object.defineProperty(members as State, 'readRaised', { value: noJournal, writable: true });
}

function noJournal({ id }: Pick<Question, 'id'>): never {
  throw new Error(`there is no journal to read ${id} from`);
}

/** Whether this question blocks work now: it is open, or a human stopped the work with it. */
export function isHolding(question: Pick<Question, 'mode' | 'resolution' | 'lifted'>): boolean {
  return isOpenHold(question) || isStop(question);
}

/** Whether it blocks work until a human decides. */
export function isOpenHold({ mode, resolution }: Pick<Question, 'mode' | 'resolution'>): boolean {
  return mode === 'sync' && resolution === null;
}

/** Whether its answer stopped the work, and no human has lifted that. */
export function isStop({ resolution, lifted }: Pick<Question, 'resolution' | 'lifted'>): boolean {
  return lifted === null && (resolution?.answer?.effect === 'stop' || resolution?.unmet === true);
}

/** Whether it is undecided: pending, or expired and not released. `waitsForHuman` leaves out questions waiting for a reply. */
export function isWaiting(question: Question): boolean {
  return question.resolution === null && (question.status === 'pending' || isOpenHold(question));
}

export interface SignedBy {
  readonly by: string;
  readonly keyid: string;
  /** Whose key it is, by the ring. */
  readonly keyName: string;
  readonly nonce: string;
  /** Signed with a passkey, verified by a PIN, a fingerprint or the like. */
  readonly passkey?: true;
}

/** A record that took effect, with its line and, if signed, the signer. */
export interface ActOf<R> {
  readonly record: R;
  readonly at: number;
  readonly time: string;
  readonly actor: Actor;
  readonly signed: SignedBy | null;
  /** A decision that needs more people: kept as an approval, without any other effect. */
  readonly kept?: true;
}

interface QuestionFacts {
  readonly type: QuestionType;
  /** The person or responsibility that it is for; null: everybody. */
  readonly for: string | null;
  /** As raised: the policy may have made it critical since. */
  readonly urgency: Urgency;
  /** The RFC whose open question it is. */
  readonly rfc: string | null;
  readonly files: readonly string[];
  /** Whether a plain yes to what its agent assumes would answer it. */
  readonly isConfirmable: boolean;
  /** Whether it comes with no more than a list of several questions can show. */
  readonly isGroupable: boolean;
}

/** What a question keeps of how it was raised: nothing changes it. */
export function copiesOf(raised: QuestionRaised) {
  const { id, work, alsoWork = [], holds, expiresAt } = raised;
  return { facts: factsOf(raised), id, work, alsoWork, holds, expiresAt };
}

function factsOf(raised: QuestionRaised): QuestionFacts {
  const { type, for: addressee = null, urgency, rfc, files } = raised;
  return {
    ...{ type, for: addressee, urgency, rfc: rfc?.id ?? null, files: files.map(({ path }) => path) },
    isConfirmable: isConfirmable(raised),
    isGroupable: isGroupable(raised),
  };
}

/** Never an approval, which has its own yes, nor where only the agent's choices count. */
function isConfirmable({ type, assumption = '', choices, freeText }: QuestionRaised): boolean {
  return type !== 'approval' && assumption.trim() !== '' && (choices.length === 0 || freeText);
}

/** Not with evidence, a payload, an assumption or a thread. */
function isGroupable({ choices, context, payload, assumption, alternatives, rfc, reopens }: QuestionRaised): boolean {
  const hasMore = [context, payload, assumption, rfc, reopens].some((one) => one !== undefined);
  return choices.length > 0 && alternatives.length === 0 && !hasMore;
}

/** In the order of their numbers. */
export function undecidedQuestions({
  questions,
  undecided,
}: Pick<CurrentState, 'questions' | 'undecided'>): OpenQuestion[] {
  const numbers = [...undecided].map((id) => Number(id.slice('Q-'.length)));
  // One that was reopened comes last in the set.
  return numbers
    .sort((a, b) => a - b)
    .flatMap((number) => questions.get(`Q-${String(number)}`) ?? [])
    .filter(isWhole);
}

/** What a human asked back and the agent has not replied to; null without one, and once the question is not pending. */
export function openAskBack({ status, askBacks }: Pick<Question, 'status' | 'askBacks'>): AskBack | null {
  const last = askBacks.at(-1);
  return status === 'pending' && last?.reply === null ? last : null;
}

/** Whether it is undecided, and a human's turn. */
export function waitsForHuman(question: Question): boolean {
  return isWaiting(question) && openAskBack(question) === null;
}

/**
 * The agent that receives outcomes: the current owner of the work, else the author of the RFC, else the asker. An owner whose
 * person is another one than the asker's does not: anybody can become the owner of work that has none.
 */
export function recipientOf(state: State, { work, facts, asker }: Question): string {
  const owner = work === null ? null : state.work.get(work)?.assignee;
  if (owner != null && isOfSamePerson(owner, asker.id)) return owner;
  return state.rfcs.get(facts.rfc ?? '')?.asker.id ?? asker.id;
}
