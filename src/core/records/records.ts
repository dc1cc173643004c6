/**
 * The record kinds of the journal. One line is one committed act; its records are immutable domain facts. No kind
 * releases a hold without an envelope: an unsigned release cannot be expressed.
 */
import * as z from 'zod';
import { answer, choice, distinctLabels, askBackRecords, parkingRecords, together } from './question.ts';
import {
  holdGlob,
  workspacePath,
  addressee,
  agentId,
  instant,
  otherText,
  questionId,
  sha256Hex,
  textField,
  workId,
  recordedPayload,
  noteFields,
  eventId,
} from '../kit/fields.ts';
import { importRecords } from './import.ts';
import { keyRecords, passkeyRecords, sharingRecords } from './key.ts';
import { policyChanged } from './policy.ts';
import { envelope, list, record, type Envelope, format } from './parts.ts';
import { requestDecisions, requestRecords } from './request.ts';
import { rfcDecisions, rfcRecords, rfcId } from './rfc.ts';
import {
  baseStatus,
  questionMode,
  questionType,
  urgency,
  workKind,
  actorKind,
  eventPriority,
  eventType,
} from '../kit/words.ts';
import { limits } from '../kit/limits.ts';

/** Who acted; set by the program's head. `worktree` is relative to the store's root, `.` for the root itself. */
const actor = z.object({
  kind: actorKind,
  id: textField(limits.id),
  session: textField(limits.title).optional(),
  worktree: textField(limits.path).optional(),
});
export type Actor = z.infer<typeof actor>;

// Records of project memory. Agents post and close their own events; a human's posting and closing are signed. An agent
// can only propose to close a human's event.

/** Content is 1..10,000 characters. Scopes are paths it applies to; none means everywhere. */
const content = {
  type: eventType,
  text: otherText,
  priority: eventPriority.default('normal'),
  scopes: list(workspacePath),
  related: list(eventId),
};

/** `resolved` needs a reason; `superseded` needs `by`, the successor. */
const closing = {
  id: eventId,
  how: z.enum(['resolved', 'superseded']),
  reason: otherText.optional(),
  by: eventId.optional(),
};

/**
 * Hash of everything posted (see `postedContent`): the state keeps no texts, so a decision names its subject by hash.
 */
const decided = { content: sha256Hex, envelope };

const posted = record('event.posted', () => ({ id: eventId, ...content }));
const closed = record('event.closed', () => closing);
const closeProposed = record('event.closeProposed', () => closing);
const postedByHuman = record('event.postedByHuman', () => ({ id: eventId, ...content, envelope }));
const closedByHuman = record('event.closedByHuman', () => ({ ...closing, ...decided }));
/** A proposal is accepted by the signed closing itself. */
const proposalDeclined = record('event.proposalDeclined', () => ({
  id: eventId,
  reason: otherText.optional(),
  ...decided,
}));

const eventRecords = [posted, closed, closeProposed, postedByHuman, closedByHuman, proposalDeclined] as const;
export type EventPosted = z.infer<(typeof posted)['schema']>;
export type EventClosed = z.infer<(typeof closed)['schema']>;
export type EventRecord = z.infer<(typeof eventRecords)[number]['schema']>;
export type SignedEventRecord = z.infer<
  (typeof postedByHuman | typeof closedByHuman | typeof proposalDeclined)['schema']
>;

// Changes of held files that were detected, because not every change can be prevented. Baselines and changes are noted
// without a signature: they only add. Only a human accepts a change.

const holderId = z.union([questionId, rfcId]);

/** Stands for a file's content; null for a file that does not exist. */
const fileContent = sha256Hex.nullable();
const change = z.strictObject({ path: workspacePath, was: fileContent, is: fileContent });
const changes = z.array(change).max(limits.listItems);
/** Whose files: each copy of a workspace that a team shares has its own. None where the journal is one machine's. */
const copy = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .optional();

const heldChangeRecords = [
  /** `hash`: of the file with the baseline. `scopes`: of the globs it is about. Each part adds the files of more globs. */
  record('hold.baselineTaken', () => ({
    id: holderId,
    part: z.int().min(1).max(limits.listItems),
    hash: sha256Hex,
    scopes: sha256Hex,
    files: z.int().nonnegative(),
    copy,
  })),
  /** `lost`: the baseline is missing or not what was recorded, or more files changed than can be listed. */
  record('hold.violated', () => ({
    id: holderId,
    files: changes,
    lost: z.literal(true).optional(),
    /** What ran in the meantime; none if no call that a hook saw. */
    call: otherText.optional(),
    copy,
  })),
  /** Files that are as in the baseline again, while they are still held. */
  record('hold.fileRestored', () => ({
    id: holderId,
    paths: z.array(workspacePath).min(1).max(limits.listItems),
    copy,
  })),
  record('hold.changeAccepted', () => ({
    id: holderId,
    files: z.array(change.extend({ copy })).max(limits.listItems),
    lost: z.literal(true).optional(),
    /** The lost baseline is taken again, of the files as they are. Optional: earlier records leave it as it is. */
    newBaseline: z.literal(true).optional(),
    envelope,
  })),
] as const;
export type HeldChangeKind = (typeof heldChangeRecords)[number]['kind'];

/** Signed records (state/heldChanges.ts). Both carry an envelope, because narrowing releases files. */
const wideningRecords = [
  record('hold.widened', () => ({ id: holderId, envelope })),
  record('hold.narrowed', () => ({ id: holderId, envelope })),
] as const;

// What development versions recorded. It is history only: nothing writes it any more, and nothing follows from it, so most
// members and all signatures are not read. What a precedent answered waits for a human again.

const precedentId = z.string().regex(/^P-[1-9]\d{0,5}$/);

const formerRecords = [
  record('wait.noted', () => ({ id: z.union([questionId, rfcId]) })),
  record('gate.decidedOffline', () => ({})),
  /** It ended a file of the journal (`joinFiles`). */
  record('segment.sealed', () => ({})),
  record('precedent.set', () => ({ id: precedentId })),
  record('precedent.ended', () => ({ id: precedentId })),
  record('precedent.used', () => ({ id: questionId, precedent: precedentId })),
  record('precedent.takenBack', () => ({ id: questionId })),
] as const;

export { answer, choice };
export type { Answer, Choice } from './question.ts';

const workspaceCreated = record('workspace.created', () => ({
  workspace: z.uuid(),
  minReader: z.int().positive(),
  minWriter: z.int().positive(),
}));
const formatChanged = record('format.changed', () => ({
  minReader: z.int().positive(),
  minWriter: z.int().positive(),
}));

const agentRegistered = record('agent.registered', () => ({
  id: agentId,
  type: textField(limits.id),
  host: textField(limits.id),
  label: textField(limits.title),
}));

const workRegistered = record('work.registered', () => ({
  id: workId,
  workKind,
  title: textField(limits.title),
  status: baseStatus.exclude(['deleted']).default('todo'),
  workflow: workId.nullable().default(null),
  dependsOn: list(workId),
  holds: list(holdGlob),
  assignee: agentId.nullable().default(null),
}));

const workUpdated = record('work.updated', () => ({
  id: workId,
  status: baseStatus.optional(),
  step: textField(limits.title).optional(),
  title: textField(limits.title).optional(),
  workflow: workId.nullable().optional(),
  assignee: agentId.nullable().optional(),
  addDependsOn: list(workId),
  removeDependsOn: list(workId),
  addHolds: list(holdGlob),
  removeHolds: list(holdGlob),
}));
/** A human deletes an item, and all in it if it is a workflow, also while it is held or needed. */
const workDeleted = record('work.deleted', () => ({ id: workId, envelope }));

const relatedFile = z.object({ path: workspacePath, line: z.int().positive().optional() });

/** A question as asked. Later changes are separate records. */
const questionRaised = record('question.raised', () => ({
  id: questionId,
  text: textField(limits.questionText),
  type: questionType,
  urgency,
  mode: questionMode,
  work: workId.nullable(),
  alsoWork: z.array(workId).min(1).max(limits.listItems).optional(),
  choices: z.array(choice).max(limits.choices).refine(distinctLabels, 'name a choice twice').default([]),
  multiple: z.boolean().default(false),
  freeText: z.boolean().default(true),
  ...noteFields(),
  for: addressee.optional(),
  payload: recordedPayload,
  alternatives: list(otherText),
  files: list(relatedFile),
  holds: list(holdGlob),
  /** The earlier question, whose answer no longer fits. */
  reopens: questionId.optional(),
  reopenReason: otherText.optional(),
  /** The RFC's open question, by number, that this asks of a human. */
  rfc: z.object({ id: rfcId, question: z.int().positive() }).optional(),
  expiresAt: instant,
}));
export type QuestionRaised = z.infer<(typeof questionRaised)['schema']>;

/** Asked again as sync, or with more files: holds only grow. */
const questionWidened = record('question.widened', () => ({
  id: questionId,
  mode: z.literal('sync').optional(),
  addHolds: list(holdGlob),
}));
const questionEscalated = record('question.escalated', () => ({ id: questionId }));
const questionExpired = record('question.expired', () => ({ id: questionId }));
/** Its asker takes back an async question, which holds nothing. */
const questionWithdrawn = record('question.withdrawn', () => ({ id: questionId, reason: otherText }));

const questionAnswered = record('question.answered', () => ({
  id: questionId,
  answer,
  /** All questions that were answered in the same act, this one among them. */
  together: together().optional(),
  envelope,
}));
const questionCancelled = record('question.cancelled', () => ({ id: questionId, reason: otherText, envelope }));
const questionReleased = record('question.released', () => ({ id: questionId, note: otherText, envelope }));

/** An outcome was delivered to an agent (many times) / the agent acted after receiving it (once). */
const outcomeOffered = record('outcome.offered', () => ({ id: questionId, agent: agentId }));
const outcomeAcknowledged = record('outcome.acknowledged', () => ({ id: questionId, agent: agentId }));

/** An agent asked again and received the earlier answer to this question. Holds and releases nothing. */
const answerReused = record('answer.reused', () => ({ id: questionId, agent: agentId }));
/** A human excludes the answer from reuse. What it released stays released. */
const answerRevoked = record('answer.revoked', () => ({ id: questionId, reason: otherText, envelope }));

/** A human lifts an answer's refusal: the refused thing is allowed now, or the stopped work may continue. */
const refusalLifted = record('refusal.lifted', () => ({ id: questionId, reason: otherText, envelope }));

/** A damaged range of the journal that a human set aside; `resumes` is the `prev` of the line after it. */
const lineSetAside = record('journal.lineSetAside', () => ({
  from: z.int().nonnegative(),
  to: z.int().positive(),
  bytesHash: sha256Hex,
  resumes: sha256Hex,
  envelope,
}));
/**
 * A human restored the editor's copy. `lost` counts the lines that the damaged journal had beyond it, -1 if unknown.
 */
const journalRestored = record('journal.restored', () => ({ lost: z.int().min(-1), envelope }));
const journalStartedAnew = record('journal.startedAnew', () => ({ formerWorkspace: z.uuid().nullable(), envelope }));

const kinds = [
  workspaceCreated,
  formatChanged,
  agentRegistered,
  workRegistered,
  workUpdated,
  workDeleted,
  questionRaised,
  questionWidened,
  questionEscalated,
  questionExpired,
  questionWithdrawn,
  questionAnswered,
  questionCancelled,
  questionReleased,
  outcomeOffered,
  outcomeAcknowledged,
  answerReused,
  answerRevoked,
  refusalLifted,
  policyChanged,
  lineSetAside,
  journalRestored,
  journalStartedAnew,
  ...eventRecords,
  ...rfcRecords,
  ...rfcDecisions,
  ...requestRecords,
  ...requestDecisions,
  ...importRecords,
  ...keyRecords,
  ...passkeyRecords,
  ...wideningRecords,
  ...sharingRecords,
  ...askBackRecords,
  ...parkingRecords,
  ...heldChangeRecords,
  ...formerRecords,
] as const;
type AnySchema = (typeof kinds)[number]['schema'];
const byKind = new Map<unknown, (typeof kinds)[number]>(kinds.map((known) => [known.kind, known]));

function knownKind(raw: unknown) {
  return byKind.get(typeof raw === 'object' && raw !== null && 'kind' in raw ? raw.kind : undefined);
}

/** Parses every record with the schema of its kind. */
export const anyRecord = {
  kinds: kinds.map(({ kind }): string => kind),
  /** What records of this kind are read as; null for a kind that is not known. */
  schema: (kind: unknown): z.ZodType | null => byKind.get(kind)?.schema ?? null,
  /** Whether records of this kind carry an envelope; false for unknown kinds. */
  isSigned: (kind: unknown): boolean => 'envelope' in (byKind.get(kind)?.schema.shape ?? {}),
  safeParse(raw: unknown): z.ZodSafeParseResult<JournalRecord> {
    const known = knownKind(raw);
    return (known?.schema ?? noKind).safeParse(raw);
  },
};
const noKind = z.never('is of a kind this program does not know');

export type JournalRecord = z.output<AnySchema>;
/** A record as passed by a writer: members with defaults are optional. */
export type RecordInput = z.input<AnySchema>;

/**
 * The first records of a journal.
 * @param workspace its random id
 */
export function beginningOf(workspace: string): RecordInput {
  const { minReader, minWriter } = format;
  return { kind: 'workspace.created', v: 1, workspace, minReader, minWriter };
}

export type RecordKind = JournalRecord['kind'];
export type RecordOf<K extends RecordKind> = Extract<JournalRecord, { kind: K }>;

/** The kinds that are valid only with a human's signature. */
export type SignedRecord = Extract<JournalRecord, { envelope: Envelope }>;

/** The frame of one line. Records stay unparsed, so that an unknown record does not hide the others. */
export const lineBody = z.object({
  at: z.int().nonnegative(),
  prev: sha256Hex,
  op: z.uuid(),
  time: instant,
  actor,
  records: z.array(z.unknown()).min(1).max(10_000),
});
export type LineBody = z.infer<typeof lineBody>;

/** A valid line, as passed to the fold. `end` is the offset after it, `hash` that of its body. */
export interface CountedLine extends LineBody {
  readonly end: number;
  readonly hash: string;
}
