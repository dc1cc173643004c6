/**
 * The kinds of records that need no signature, which agents, timers and the system write: none of them releases a hold.
 * What humans sign is in `decision`, each kind with its rules.
 */
import * as z from 'zod';
import { choice, distinctLabels, askBackRecords, parkingRecords } from './question.ts';
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
import { list, record } from './parts.ts';
import { requestRecords } from './request.ts';
import { rfcRecords, rfcId } from './rfc.ts';
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
export const eventContent = {
  type: eventType,
  text: otherText,
  priority: eventPriority.default('normal'),
  scopes: list(workspacePath),
  related: list(eventId),
};

/** `resolved` needs a reason; `superseded` needs `by`, the successor. */
export const eventClosing = {
  id: eventId,
  how: z.enum(['resolved', 'superseded']),
  reason: otherText.optional(),
  by: eventId.optional(),
};

const posted = record('event.posted', () => ({ id: eventId, ...eventContent }));
const closed = record('event.closed', () => eventClosing);
export type EventPosted = z.infer<(typeof posted)['schema']>;
export type EventClosed = z.infer<(typeof closed)['schema']>;

// Changes of held files that were detected, because not every change can be prevented. Baselines and changes are noted
// without a signature: they only add. Only a human accepts a change.

export const holderId = z.union([questionId, rfcId]);

/** Stands for a file's content; null for a file that does not exist. */
const fileContent = sha256Hex.nullable();
export const heldChange = z.strictObject({ path: workspacePath, was: fileContent, is: fileContent });
const changes = z.array(heldChange).max(limits.listItems);
/** Whose files: each copy of a workspace that a team shares has its own. None where the journal is one machine's. */
export const workspaceCopy = z
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
    copy: workspaceCopy,
  })),
  /** `lost`: the baseline is missing or not what was recorded, or more files changed than can be listed. */
  record('hold.violated', () => ({
    id: holderId,
    files: changes,
    lost: z.literal(true).optional(),
    /** What ran in the meantime; none if no call that a hook saw. */
    call: otherText.optional(),
    copy: workspaceCopy,
  })),
  /** Files that are as in the baseline again, while they are still held. */
  record('hold.fileRestored', () => ({
    id: holderId,
    paths: z.array(workspacePath).min(1).max(limits.listItems),
    copy: workspaceCopy,
  })),
] as const;
export type HeldChangeKind = (typeof heldChangeRecords)[number]['kind'];

// What development versions recorded. It is history only: nothing writes it any more, and nothing follows from it, so most
// members and all signatures are not read. What a precedent answered waits for a human again.

const precedentId = z.string().regex(/^P-[1-9]\d{0,5}$/);

export const formerRecords = [
  record('wait.noted', () => ({ id: z.union([questionId, rfcId]) })),
  record('gate.decidedOffline', () => ({})),
  /** It ended a file of the journal (`joinFiles`). */
  record('segment.sealed', () => ({})),
  record('precedent.set', () => ({ id: precedentId })),
  record('precedent.ended', () => ({ id: precedentId })),
  record('precedent.used', () => ({ id: questionId, precedent: precedentId })),
  record('precedent.takenBack', () => ({ id: questionId })),
] as const;

const relatedFile = z.object({ path: workspacePath, line: z.int().positive().optional() });

/** A question as asked. Later changes are separate records. */
export const questionRaised = record('question.raised', () => ({
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

export const plainRecords = [
  record('workspace.created', () => ({
    workspace: z.uuid(),
    minReader: z.int().positive(),
    minWriter: z.int().positive(),
  })),
  record('format.changed', () => ({ minReader: z.int().positive(), minWriter: z.int().positive() })),
  record('agent.registered', () => ({
    id: agentId,
    type: textField(limits.id),
    host: textField(limits.id),
    label: textField(limits.title),
  })),
  record('work.registered', () => ({
    id: workId,
    workKind,
    title: textField(limits.title),
    status: baseStatus.exclude(['deleted']).default('todo'),
    workflow: workId.nullable().default(null),
    dependsOn: list(workId),
    holds: list(holdGlob),
    assignee: agentId.nullable().default(null),
  })),
  record('work.updated', () => ({
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
  })),
  questionRaised,
  /** Asked again as sync, or with more files: holds only grow. */
  record('question.widened', () => ({ id: questionId, mode: z.literal('sync').optional(), addHolds: list(holdGlob) })),
  record('question.escalated', () => ({ id: questionId })),
  record('question.expired', () => ({ id: questionId })),
  /** Its asker takes back an async question, which holds nothing. */
  record('question.withdrawn', () => ({ id: questionId, reason: otherText })),
  /** An outcome was delivered to an agent (many times) / the agent acted after receiving it (once). */
  record('outcome.offered', () => ({ id: questionId, agent: agentId })),
  record('outcome.acknowledged', () => ({ id: questionId, agent: agentId })),
  /** An agent asked again and received the earlier answer to this question. Holds and releases nothing. */
  record('answer.reused', () => ({ id: questionId, agent: agentId })),
  posted,
  closed,
  record('event.closeProposed', () => eventClosing),
  ...rfcRecords,
  ...requestRecords,
  ...importRecords,
  ...askBackRecords,
  ...parkingRecords,
  ...heldChangeRecords,
  ...formerRecords,
] as const;

export type PlainRecord = z.output<(typeof plainRecords)[number]['schema']>;
export type PlainKind = PlainRecord['kind'];
export type PlainOf<K extends PlainKind> = Extract<PlainRecord, { kind: K }>;

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
