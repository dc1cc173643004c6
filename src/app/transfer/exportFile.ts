/** The schema of the file written by `holdpoint export --format json`, for reading it back. */
import * as z from 'zod';
import { historyKind, importSource } from '../../core/records/import.ts';
import { workspacePath, eventId, instant, workId, exportedNoteFields } from '../../core/kit/fields.ts';
import { rfcContext, rfcDocument } from '../../core/records/rfc.ts';
import { baseStatus, eventPriority, eventStatus, eventType, workKind } from '../../core/kit/words.ts';
import { AppError } from '../workspace/errors.ts';
import { exportVersion } from './exporting.ts';

const namedWork = z.looseObject({ id: workId });
const strings = z.array(z.string());

const workItem = z.looseObject({
  id: workId,
  kind: workKind,
  title: z.string(),
  base_status: baseStatus,
  step: z.string().nullable(),
  workflow: workId.nullable(),
  depends_on: z.array(workId),
  holds: strings,
  assigned_agent: z.string().nullable(),
  created_by: z.string(),
  created_at: instant,
  updated_at: instant,
});
const question = z.looseObject({
  id: z.string(),
  agent_id: z.string(),
  text: z.string(),
  type: z.string(),
  urgency: z.string(),
  mode: z.string(),
  status: z.string(),
  holding: z.boolean(),
  work: namedWork.nullable(),
  /** Missing in exports from before a question could hold several items. */
  also_work: z.array(workId).default([]),
  own_holds: strings,
  added_holds: strings,
  all_files: z.looseObject({}).nullish(),
  choices: z.array(z.json()),
  multiple: z.boolean(),
  free_text: z.boolean(),
  ...exportedNoteFields(),
  /** Missing in exports from before questions were for someone; the same for RFCs. */
  for: z.string().nullable().default(null),
  /** Missing in exports from before questions had it. */
  payload_json: z.unknown().default(null),
  alternatives: strings,
  files: z.array(z.json()),
  raised_at: instant,
  /** Null for one that does not expire. */
  expires_at: instant.nullable(),
  resolution: z.string().nullable(),
  rfc: z.string().nullable(),
  reopen_reason: z.string().nullable(),
  /** Missing in exports from before humans could ask back. */
  ask_backs: z
    .array(
      z.looseObject({
        text: z.string(),
        asked_by: z.string(),
        asked_at: instant,
        reply: z.string().nullable(),
        replied_by: z.string().nullable(),
      }),
    )
    .default([]),
});
const rfc = z.looseObject({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  agent_id: z.string(),
  proposed_at: instant,
  for: z.string().nullable().default(null),
  holding: z.boolean(),
  affected_workflows: z.array(namedWork),
  blocked_tasks: z.array(namedWork),
  own_holds: strings,
  added_holds: strings,
  all_files: z.looseObject({}).nullish(),
  contexts: z.array(rfcContext),
  threads: z.array(z.json()),
  reviews: z.array(z.json()),
  documents: z.array(z.looseObject({ number: z.number(), document: rfcDocument })).min(1),
});
const event = z.looseObject({
  id: eventId,
  type: eventType,
  priority: eventPriority,
  status: eventStatus,
  text: z.string(),
  scopes: z.array(workspacePath),
  author: z.string(),
  posted_at: instant,
  resolved_reason: z.string().nullable(),
  superseded_by_event_id: eventId.nullable(),
  closed_at: instant.nullable(),
  closed_by: z.string().nullable(),
  related_ids: z.array(eventId),
});
const request = z.looseObject({
  id: z.string(),
  subject: z.string(),
  status: z.string(),
  created_at: instant,
  author_agent_id: z.string().nullable(),
});
const responsibility = z.looseObject({ id: z.string(), kind: z.string(), name: z.string(), registered_at: instant });
const decision = z.looseObject({
  nonce: z.string(),
  subject: z.string(),
  action: z.string(),
  decided_by: z.string(),
  decided_at: instant,
});
const historyItem = z.looseObject({
  kind: historyKind,
  title: z.string(),
  status: z.string(),
  agent: z.string().nullable(),
  work: z.string().nullable(),
  happened_at: instant,
  from: importSource,
  source: z.string(),
  ref: z.string(),
  became: z.string().nullable(),
  key: z.string(),
  data: z.record(z.string(), z.json()).nullable(),
});

const exported = z.looseObject({
  holdpoint_export: z.number(),
  workspace_id: z.string(),
  work: z.array(workItem),
  questions: z.array(question),
  rfcs: z.array(rfc),
  events: z.array(event),
  responsibilities: z.array(responsibility),
  requests: z.array(request),
  decisions: z.array(decision),
  history: z.array(historyItem),
});
export type Exported = z.infer<typeof exported>;

/** @throws AppError `bad_input` for a file that is not an export, or comes from a newer program */
export function parsedExport(bytes: Buffer, source: string): Exported {
  const refuse = (why: string, cause?: unknown) =>
    new AppError('bad_input', `${source} ${why}. Nothing was imported.`, { cause });
  let raw: unknown;
  try {
    raw = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw refuse('is not JSON (or is truncated)', error);
  }
  const version = typeof raw === 'object' && raw !== null && 'holdpoint_export' in raw ? raw.holdpoint_export : null;
  if (typeof version !== 'number') throw refuse('is not a Holdpoint export: it has no member "holdpoint_export"');
  if (version > exportVersion)
    throw refuse(`was exported by a newer Holdpoint (version ${String(version)}): update this one`);
  const result = exported.safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw refuse(`is damaged: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}
