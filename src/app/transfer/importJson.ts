/**
 * Imports an export of another workspace. Its work, open questions and open RFCs become active here. Signatures are
 * valid only in that workspace, so its decisions become history, and so do requests, which bind its own parties.
 */
import path from 'node:path';
import {
  recordPayload,
  recordNotes,
  workspacePath,
  eventId,
  instant,
  workId,
  exportedNoteFields,
} from '../../core/kit/fields.ts';
import { never } from '../../core/question/question.ts';
import { type HistoryKind, type ImportedRow, historyKind, importSource } from '../../core/records/import.ts';
import { readForeignFile } from '../../store/rows/sqlite.ts';
import { sha256 } from '../../trust/canonical.ts';
import { AppError } from '../workspace/errors.ts';
import {
  agentNamed,
  collect,
  historyRow,
  plainValue,
  printableText,
  reading,
  rowKey,
  shortName,
  type Collector,
  type Reader,
  type Reading,
  type ReadOptions,
} from './importReading.ts';
import { workspaceOf } from '../request/views.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { limits } from '../../core/kit/limits.ts';
import * as z from 'zod';
import { rfcContext, rfcDocument } from '../../core/records/rfc.ts';
import { baseStatus, eventPriority, eventStatus, eventType, workKind } from '../../core/kit/words.ts';
import { exportVersion } from './exporting.ts';

// The schema of the file written by `holdpoint export --format json`, for reading it back.

/** Several members of one type. */
function members<N extends string, S extends z.ZodType>(schema: S, ...names: readonly N[]): Record<N, S> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>;
}

const text = z.string();
const textOrNull = text.nullable();
const texts = z.array(text);
const instantOrNull = instant.nullable();
const namedWork = z.looseObject({ id: workId });

const workItem = z.looseObject({
  id: workId,
  kind: workKind,
  base_status: baseStatus,
  ...members(text, 'title', 'created_by'),
  ...members(textOrNull, 'step', 'assigned_agent'),
  workflow: workId.nullable(),
  depends_on: z.array(workId),
  holds: texts,
  ...members(instant, 'created_at', 'updated_at'),
});
const question = z.looseObject({
  ...members(text, 'id', 'agent_id', 'text', 'type', 'urgency', 'mode', 'status'),
  ...members(z.boolean(), 'holding', 'multiple', 'free_text'),
  work: namedWork.nullable(),
  /** Missing in exports from before a question could hold several items. */
  also_work: z.array(workId).default([]),
  ...members(texts, 'own_holds', 'added_holds', 'alternatives'),
  all_files: z.looseObject({}).nullish(),
  ...exportedNoteFields(),
  /** Missing in exports from before questions were for someone; the same for RFCs. */
  for: textOrNull.default(null),
  /** Missing in exports from before questions had it. */
  payload_json: z.unknown().default(null),
  ...members(z.array(z.json()), 'choices', 'files'),
  raised_at: instant,
  /** Null for one that does not expire. */
  expires_at: instantOrNull,
  ...members(textOrNull, 'resolution', 'rfc', 'reopen_reason'),
  /** Missing in exports from before humans could ask back. */
  ask_backs: z
    .array(
      z.looseObject({
        ...members(text, 'text', 'asked_by'),
        asked_at: instant,
        ...members(textOrNull, 'reply', 'replied_by'),
      }),
    )
    .default([]),
});
const rfc = z.looseObject({
  ...members(text, 'id', 'title', 'status', 'agent_id'),
  proposed_at: instant,
  for: textOrNull.default(null),
  holding: z.boolean(),
  ...members(z.array(namedWork), 'affected_workflows', 'blocked_tasks'),
  ...members(texts, 'own_holds', 'added_holds'),
  all_files: z.looseObject({}).nullish(),
  contexts: z.array(rfcContext),
  ...members(z.array(z.json()), 'threads', 'reviews'),
  documents: z.array(z.looseObject({ number: z.number(), document: rfcDocument })).min(1),
});
const event = z.looseObject({
  id: eventId,
  type: eventType,
  priority: eventPriority,
  status: eventStatus,
  ...members(text, 'text', 'author'),
  scopes: z.array(workspacePath),
  posted_at: instant,
  ...members(textOrNull, 'resolved_reason', 'closed_by'),
  superseded_by_event_id: eventId.nullable(),
  closed_at: instantOrNull,
  related_ids: z.array(eventId),
});
const request = z.looseObject({
  ...members(text, 'id', 'subject', 'status'),
  created_at: instant,
  author_agent_id: textOrNull,
});
const responsibility = z.looseObject({ ...members(text, 'id', 'kind', 'name'), registered_at: instant });
const decision = z.looseObject({ ...members(text, 'nonce', 'subject', 'action', 'decided_by'), decided_at: instant });
const historyItem = z.looseObject({
  kind: historyKind,
  ...members(text, 'title', 'status', 'source', 'ref', 'key'),
  ...members(textOrNull, 'agent', 'work', 'became'),
  happened_at: instant,
  from: importSource,
  data: z.record(text, z.json()).nullable(),
});

const exported = z.looseObject({
  holdpoint_export: z.number(),
  workspace_id: text,
  work: z.array(workItem),
  questions: z.array(question),
  rfcs: z.array(rfc),
  events: z.array(event),
  responsibilities: z.array(responsibility),
  requests: z.array(request),
  decisions: z.array(decision),
  history: z.array(historyItem),
});
type Exported = z.infer<typeof exported>;

/** @throws AppError `bad_input` for a file that is not an export, or comes from a newer program */
function parsedExport(bytes: Buffer, source: string): Exported {
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

/** @throws AppError `bad_input` for a file that is not an export, `conflict` for an export of this very workspace */
export function readJson({ workspace }: Reader, { path: file, source }: ReadOptions): Reading {
  const bytes = reading(source, () => readForeignFile(workspace.options.fs, file));
  const data = parsedExport(bytes, source);
  const { state } = workspace.standing();
  if (state && data.workspace_id === workspaceOf({ state }))
    throw new AppError(
      'conflict',
      `${source} was exported from this very workspace: everything is already here. Nothing was imported.`,
    );
  const into = collect('json');
  into.skip('policy: a human sets it here, in its form');
  into.skip('agents: they register themselves when they first act');
  const from = reader(into, data.workspace_id, workspace);
  for (const item of inOrder(data.work)) from.work(item);
  for (const one of data.rfcs) from.rfc(one);
  for (const one of data.questions) from.question(one);
  from.events(data.events);
  from.rest(data);
  const found = Object.fromEntries(
    (['work', 'questions', 'rfcs', 'events', 'requests', 'responsibilities', 'decisions', 'history'] as const)
      .map((name): [string, number] => [name, data[name].length])
      .filter(([, count]) => count > 0),
  );
  return into.done({
    source: path.basename(source),
    digest: sha256(bytes),
    format: `Holdpoint, export version ${String(data.holdpoint_export)}`,
    found,
  });
}

/** Sorts dependencies first. Dependencies on missing items are dropped. */
function inOrder(items: Exported['work']): Exported['work'] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const placed = new Set<string>();
  const visit = (start: string) => {
    // Walks deep chains without recursion; a second visit of an item means its dependencies are placed.
    const path = [start];
    const entered = new Set<string>();
    while (path.length > 0) {
      const id = path.at(-1) ?? '';
      const item = byId.get(id);
      const before = item ? [item.workflow, ...item.depends_on] : [];
      const next = before.find(
        (other) => other !== null && byId.has(other) && !placed.has(other) && !entered.has(other),
      );
      if (next !== undefined && next !== null) {
        entered.add(next);
        path.push(next);
        continue;
      }
      placed.add(id);
      path.pop();
    }
  };
  for (const { id } of items) if (!placed.has(id)) visit(id);
  return [...placed].flatMap((id) => byId.get(id) ?? []);
}

/** Widening needs a human's signature, and none is valid here. */
const notWidened = 'was widened to every file by a human: here it holds only the named ones';

function reader(into: Collector, workspaceId: string, workspace: Workspace) {
  const key = (kind: string, ...parts: unknown[]) => rowKey('json', workspaceId, kind, ...parts);
  const there = new Set<string>(workspace.standing().state?.work.keys() ?? []);

  function toHistory(
    of: HistoryKind,
    ref: string,
    row: { at: string; title: string; status: string; agent: string | null; work?: string | null; data: object },
  ): void {
    into.rows.push(
      historyRow(key('history', of, ref, row.at), {
        ...row,
        of,
        ref,
        title: printableText(row.title),
        work: row.work ?? null,
      }),
    );
  }

  return {
    work(item: Exported['work'][number]): void {
      const { id, title, created_at: at } = item;
      const known = (other: string) => there.has(other) && other !== id;
      for (const other of [item.workflow, ...item.depends_on])
        if (other !== null && !known(other)) into.change(id, `refers to ${other}, which is not imported`);
      there.add(id);
      into.rows.push({
        row: 'work',
        key: key('work', id),
        ref: id,
        at,
        by: shortName(printableText(item.created_by)),
        registered: {
          id,
          workKind: item.kind,
          title,
          status: item.base_status,
          workflow: item.workflow !== null && known(item.workflow) ? item.workflow : null,
          dependsOn: item.depends_on.filter(known),
          holds: item.holds,
          assignee: item.assigned_agent === null ? null : agentNamed(item.assigned_agent),
        },
        step: item.step,
        updatedAt: item.updated_at,
      });
    },

    question(one: Exported['questions'][number]): void {
      const work = one.work?.id ?? null;
      const isOpen = one.resolution === null && (one.status === 'pending' || one.holding);
      const at = one.raised_at;
      const isWhole = [...(work === null ? [] : [work]), ...one.also_work].every((id) => there.has(id));
      if (!isOpen || one.rfc !== null || !isWhole) {
        if (isOpen)
          into.change(
            one.id,
            one.rfc === null
              ? 'is open, but its work is not imported: it is history here'
              : `is asked for ${one.rfc}: it is history here, and the review asks it again`,
          );
        const status = one.resolution ?? one.status;
        toHistory('question', one.id, { at, title: one.text, status, agent: one.agent_id, work, data: one });
        return;
      }
      if (one.all_files) into.change(one.id, notWidened);
      const known = key('question', one.id, one.text, at);
      into.originals.set(known, { status: one.status, data: one });
      into.rows.push({
        row: 'question',
        key: known,
        ref: one.id,
        at,
        by: agentNamed(one.agent_id),
        added: one.added_holds,
        raised: {
          text: one.text,
          type: one.type,
          urgency: one.urgency,
          mode: one.mode,
          work,
          ...(one.also_work.length === 0 ? {} : { alsoWork: one.also_work }),
          choices: one.choices,
          multiple: one.multiple,
          freeText: one.free_text,
          alternatives: one.alternatives,
          files: one.files,
          holds: one.own_holds,
          expiresAt: one.expires_at ?? never,
          ...recordNotes(one),
          ...withThread(one, (what) => {
            into.change(one.id, what);
          }),
          ...recordPayload(one.payload_json),
          ...(one.reopen_reason === null ? {} : { reopenReason: one.reopen_reason }),
        },
      });
    },

    rfc(one: Exported['rfcs'][number]): void {
      const at = one.proposed_at;
      const workflows = one.affected_workflows.map(({ id }) => id);
      const tasks = one.blocked_tasks.map(({ id }) => id);
      const latest = one.documents.at(-1)?.document;
      const isOpen = one.holding && (one.status === 'draft' || one.status === 'under_review');
      const isWhole = [...workflows, ...tasks].every((id) => there.has(id));
      const live = isOpen && isWhole && latest !== undefined;
      const more = one.documents.length > 1 || one.threads.length > 0 || one.reviews.length > 0;
      if (isOpen && !isWhole) into.change(one.id, 'is open, but its work is not imported: it is history here');
      if (live)
        into.rows.push({
          row: 'rfc',
          key: key('rfc', one.id, at),
          ref: one.id,
          at,
          by: agentNamed(one.agent_id),
          proposed: plainValue({
            ...{ document: latest, workflows, tasks, holds: one.own_holds, contexts: one.contexts },
            ...(one.for === null ? {} : { for: one.for }),
          }),
          added: one.added_holds,
          submit: one.status === 'under_review',
        });
      if (live && one.all_files) into.change(one.id, notWidened);
      if (live && more)
        into.change(
          one.id,
          'is imported with its latest revision: earlier ones, comments and reviews are in its history',
        );
      if (!live || more)
        toHistory('rfc', one.id, {
          at,
          title: one.title,
          status: live ? 'former' : one.status,
          agent: one.agent_id,
          work: [...workflows, ...tasks][0] ?? null,
          data: one,
        });
    },

    events(events: Exported['events']): void {
      const places = new Map(events.map(({ id }, index) => [id, index + 1]));
      for (const one of events) {
        const related = one.related_ids.flatMap((id) => places.get(id) ?? []);
        if (related.length < one.related_ids.length) into.change(one.id, 'is related to events that are not imported');
        into.rows.push({
          row: 'event',
          key: key('event', one.id, one.text, one.posted_at),
          ref: one.id,
          at: one.posted_at,
          type: one.type,
          text: one.text,
          priority: one.priority,
          scopes: one.scopes,
          related,
          author: shortName(printableText(one.author)),
          closed: closedOf(into, one, places),
        });
      }
    },

    rest(data: Exported): void {
      for (const one of data.responsibilities) {
        const { id, name: title, kind: status, registered_at: at } = one;
        toHistory('responsibility', id, { at, title, status, agent: null, data: one });
      }
      for (const one of data.requests) {
        const { id, subject: title, status, created_at: at, author_agent_id: agent } = one;
        toHistory('request', id, { at, title, status, agent, data: one });
      }
      for (const one of data.decisions) {
        const { subject, nonce, action, decided_by: agent, decided_at: at } = one;
        const title = `${action} ${subject}`;
        toHistory('decision', `${subject} ${nonce}`, { at, title, status: 'signed there', agent, data: one });
      }
      for (const one of data.history) {
        // Items active in the source are elsewhere in the export.
        if (one.became !== null || one.data === null) continue;
        const { happened_at: at, kind: of, ref, title, status, agent, work, from, source, data: kept } = one;
        const row = historyRow(one.key, { ref: ref.slice(0, 1_000), at, of, title, status, agent, work, data: kept });
        into.rows.push({ ...row, origin: { from, source: path.basename(source) || source } });
      }
    },
  };
}

function closedOf(
  into: Collector,
  one: Exported['events'][number],
  places: ReadonlyMap<string, number>,
): Extract<ImportedRow, { row: 'event' }>['closed'] {
  if (one.status === 'active' || one.closed_at === null) return null;
  const base = { at: one.closed_at, by: shortName(printableText(one.closed_by ?? 'unknown')) };
  const reason = one.resolved_reason;
  if (one.status === 'resolved') return { how: 'resolved', ...base, reason: reason ?? 'Without a reason.' };
  const successor = places.get(one.superseded_by_event_id ?? '');
  if (successor !== undefined) return { how: 'superseded', ...base, successor, ...(reason === null ? {} : { reason }) };
  const other = one.superseded_by_event_id ?? 'another event';
  into.change(one.id, `was superseded by ${other}, which is not imported: it counts as resolved`);
  return { how: 'resolved', ...base, reason: reason ?? `Superseded by ${other}.` };
}

// What humans asked back about an open question, on import. Signatures do not travel, so it becomes part of the
// background: the importer's words, which the form marks as imported.

type Question = Exported['questions'][number];

/** @param report says what became of it; not called without any */
function withThread(
  { ask_backs, background }: Pick<Question, 'ask_backs' | 'background'>,
  report: (what: string) => void,
): { background?: string } {
  if (ask_backs.length === 0) return {};
  const said = ask_backs.flatMap(({ text, asked_by, reply, replied_by }) => [
    `${asked_by} asked: ${text}`,
    ...(reply === null ? [] : [`${replied_by ?? 'The agent'} replied: ${reply}`]),
  ]);
  const whole = [...(background === null ? [] : [background]), ...said].join('\n\n');
  if (whole.length > limits.otherText) {
    report('is imported without what humans asked back: its background has no room for it');
    return {};
  }
  report('has what humans asked back in its background: signatures are not imported');
  return { background: whole };
}
