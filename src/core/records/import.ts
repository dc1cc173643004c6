/**
 * What comes from another program or another workspace. A batch is begun, its rows follow in parts, and nothing of it is
 * there until it is ended: all or nothing, however large. A row never decides anything. What was closed there is history
 * here; what is open there asks and holds anew here; events of memory go on, with their dates.
 */
import * as z from 'zod';
import { holdGlob } from '../kit/glob.ts';
import { workspacePath } from '../kit/paths.ts';
import { list, record } from './parts.ts';
import { agentId, eventId, instant, otherText, questionId, sha256Hex, textField } from '../kit/text.ts';
import { eventPriority, eventType, limits } from '../kit/words.ts';

/** Programs and formats that are read. */
export const importSource = z.enum(['codeframe', 'engram', 'markdown', 'json']);
export type ImportSource = z.infer<typeof importSource>;

/** What a row of history was. */
export const historyKind = z.enum(['question', 'rfc', 'work', 'request', 'responsibility', 'event', 'decision']);
export type HistoryKind = z.infer<typeof historyKind>;

const name = textField(limits.id);
const ref = textField(limits.path);
/** An event of the same batch by its place among those, from 1; or one that is here already. */
const eventPlace = z.union([z.int().positive(), eventId]);

/** `key`: hash of what never changes of the source's row, by which it is known again. `ref`: its id there. */
const common = { key: sha256Hex, ref, at: instant };
const loose = z.record(z.string().max(limits.id), z.json());

const closing = { reason: otherText.optional(), at: instant, by: name };

export const importedEvent = z.object({
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

/** What is over there, or cannot be taken up here. `data` is the row as it was; nothing in it has an effect. */
const history = z.object({
  row: z.literal('history'),
  ...common,
  of: historyKind,
  title: textField(limits.title),
  status: name,
  agent: name.nullable(),
  work: name.nullable(),
  data: loose,
  /** Where it first came from, when it was history already over there. */
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
/** An open question or RFC: the record without kind, version and id, which is the next free one when the batch ends. */
const open = { ...common, by: agentId, /** Globs that were added later. */ added: list(holdGlob) };
const question = z.object({ row: z.literal('question'), ...open, raised: loose });
const rfc = z.object({ row: z.literal('rfc'), ...open, proposed: loose, submit: z.boolean() });
/** An open question that is asked here already, and holds more over there: the one here holds that too from then on. */
const again = z.object({
  row: z.literal('again'),
  ...open,
  question: questionId,
  critical: z.boolean(),
  title: textField(limits.title),
  /** As it was over there. */
  data: loose,
});

export const importedRow = z.discriminatedUnion('row', [importedEvent, history, work, question, again, rfc]);
export type ImportedRow = z.infer<typeof importedRow>;
/** What takes part in this workspace again: as acts of those who did it there, without any decision. */
export type LiveRow = Extract<ImportedRow, { row: 'work' | 'question' | 'again' | 'rfc' }>;

const batch = { batch: z.uuid() };
export const importRecords = [
  record('import.begun', () => ({
    ...batch,
    from: importSource,
    /** File or folder, as it was named. */
    source: ref,
    /** Hash of what was read. */
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
    /** How many there are in all. */
    rows: z.int().nonnegative(),
    /** The number the batch's first event gets. */
    firstEvent: eventId,
  })),
  /** It will not be ended any more. */
  record('import.abandoned', () => batch),
] as const;
export type ImportRecord = z.infer<(typeof importRecords)[number]['schema']>;

/** The first format that knows of imports: a program of an older one would not see what they hold. */
export const importFormat = 2;
