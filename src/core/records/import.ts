/**
 * Imports from another program or workspace. A batch begins, its rows follow in parts, and none is valid until it ends:
 * all or nothing, at any size. A row never decides anything. Closed items become history; open items ask and hold here
 * again; events keep their dates.
 */
import * as z from 'zod';
import {
  holdGlob,
  workspacePath,
  agentId,
  eventId,
  instant,
  otherText,
  questionId,
  sha256Hex,
  textField,
} from '../kit/fields.ts';
import { historyKinds, importSources, limits } from '../kit/limits.ts';
import { list, record } from './parts.ts';
import { eventPriority, eventType } from '../kit/words.ts';

export const importSource = z.enum(importSources);
export type ImportSource = z.infer<typeof importSource>;

export const historyKind = z.enum(historyKinds);
export type HistoryKind = z.infer<typeof historyKind>;

const name = textField(limits.id);
const ref = textField(limits.path);
/** An event of the same batch by its position, from 1; or one that already exists here. */
const eventPlace = z.union([z.int().positive(), eventId]);

/** `key`: hash of the immutable parts of the source row, to recognise it again. `ref`: its id in the source. */
const common = { key: sha256Hex, ref, at: instant };
/** The depth first: how deep a recursive schema can look depends on the stack, so programs would disagree. */
const json = z
  .unknown()
  .refine((value) => isShallow(value, limits.importDepth), {
    error: `must have at most ${String(limits.importDepth)} levels`,
    abort: true,
  })
  .pipe(z.json());
const loose = z.record(z.string().max(limits.id), json);

const closing = { reason: otherText.optional(), at: instant, by: name };

const importedEvent = z.object({
  row: z.literal('event'),
  ...common,
  type: eventType,
  text: otherText,
  priority: eventPriority,
  scopes: list(workspacePath),
  related: list(eventPlace),
  author: name,
  closed: z
    .discriminatedUnion('how', [
      z.object({ how: z.literal('resolved'), ...closing, reason: otherText }),
      z.object({ how: z.literal('superseded'), ...closing, successor: eventPlace }),
    ])
    .nullable(),
});
export type ImportedEvent = z.infer<typeof importedEvent>;

/** An item closed in the source, or one that cannot be continued here. `data` is the original row, without effect. */
const history = z.object({
  row: z.literal('history'),
  ...common,
  of: historyKind,
  title: textField(limits.title),
  status: name,
  agent: name.nullable(),
  work: name.nullable(),
  data: loose,
  /** Its original source, if it was already history in the source. */
  origin: z.object({ from: importSource, source: ref }).optional(),
});
export type ImportedHistory = z.infer<typeof history>;

/** A work item: the record without kind and version, and what happened to it since. */
const work = z.object({
  row: z.literal('work'),
  ...common,
  by: name,
  registered: loose,
  step: textField(limits.title).nullable(),
  updatedAt: instant,
});
/** An open question or RFC: the record without kind, version and id; it gets the next free id when the batch ends. */
const open = { ...common, by: agentId, /** Globs that were added later. */ added: list(holdGlob) };
const question = z.object({ row: z.literal('question'), ...open, raised: loose });
const rfc = z.object({ row: z.literal('rfc'), ...open, proposed: loose, submit: z.boolean() });
/** A question already open here, but with more holds in the source: adds those holds. */
const again = z.object({
  row: z.literal('again'),
  ...open,
  question: questionId,
  critical: z.boolean(),
  title: textField(limits.title),
  data: loose,
});

export const importedRow = z.discriminatedUnion('row', [importedEvent, history, work, question, again, rfc]);
export type ImportedRow = z.infer<typeof importedRow>;
/** Rows that continue in this workspace, as acts of their original agents, without any decisions. */
export type LiveRow = Extract<ImportedRow, { row: 'work' | 'question' | 'again' | 'rfc' }>;

const batch = { batch: z.uuid() };
export const importRecords = [
  record('import.begun', () => ({
    ...batch,
    from: importSource,
    /** File or folder, as the user named it. */
    source: ref,
    digest: sha256Hex,
  })),
  record('import.rows', () => ({
    ...batch,
    /** From 1. */
    part: z.int().positive(),
    rows: z.array(importedRow).min(1).max(1_000),
  })),
  record('import.ended', () => ({
    ...batch,
    rows: z.int().nonnegative(),
    firstEvent: eventId,
  })),
  record('import.abandoned', () => batch),
] as const;
export type ImportRecord = z.infer<(typeof importRecords)[number]['schema']>;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1));
}
