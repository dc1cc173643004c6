/** Items as rows: the columns that lists filter by, what is searched, what they refer to, and everything as JSON. */
import { answerLine } from '../../core/kit/text.ts';
import type { AnswerEffect } from '../../core/kit/words.ts';
import type { BriefedEvent } from '../../core/memory/briefing.ts';
import type { HistoryKind, ImportSource } from '../../core/records/import.ts';
import { type OpenQuestion, type State, type WorkItem, recipientOf } from '../../core/state/state.ts';
import type { Rfc } from '../../core/state/items.ts';
import type { Database } from './sqlite.ts';
import type { Relevance, RequestStatus, RequestType } from '../../core/records/request.ts';
import type { Admitted, RecordKind, RecordOf } from '../../core/records/records.ts';

// Times are ISO 8601 UTC.

export interface Requests {
  id: string;
  type: RequestType;
  origin_responsibility_id: string;
  target_responsibility_id: string;
  origin_mandate_id: string | null;
  subject: string;
  summary: string;
  body_md_path: string | null;
  /** The fields of the request's type: a JSON object. */
  payload_json: string;
  workspace_id: string;
  status: RequestStatus;
  /** Free data of an integration. */
  free_payload_json: string | null;
  /** Lower is sooner. */
  priority: number;
  sla_response_seconds: number | null;
  sla_completion_seconds: number | null;
  /** When the target first touched it. */
  acknowledged_at: string | null;
  created_at: string;
  available_at: string;
  due_at: string | null;
  /** When it was completed. */
  processed_at: string | null;
  /** When it reached any final status. */
  closed_at: string | null;
  idempotency_key: string | null;
  /** Acceptance is the first; each reported failure starts another. */
  attempts: number;
  last_error: string | null;
  authored_by: 'ai' | 'automation' | 'human';
  author_agent_id: string | null;
  source_context: string | null;
  accepted_at: string | null;
  accepted_by: string | null;
  /** When the target last moved it out of `pending`. */
  responded_at: string | null;
  response: Relevance | null;
  /** Why it was deferred, rejected or cancelled, or its result. */
  note: string | null;
  escalated_at: string | null;
}

export interface RequestEvents {
  id: number;
  request_id: string;
  event_type: string;
  old_status: RequestStatus | null;
  new_status: RequestStatus | null;
  note: string | null;
  created_at: string;
  created_by: string;
  created_agent_id: string | null;
  workspace_id: string;
}

/** A row of another program or workspace. As history it has no effect here, and it is unverified. */
export interface ImportedItem {
  /** `H-12` */
  readonly id: string;
  readonly kind: HistoryKind;
  readonly title: string;
  readonly status: string;
  readonly agent: string | null;
  readonly work: string | null;
  readonly happened_at: string;
  readonly from: ImportSource;
  readonly source: string;
  /** Its id in the source. */
  readonly ref: string;
  readonly imported_at: string;
  readonly imported_by: string;
  /** Its id here if active; null for history. */
  readonly became: string | null;
  readonly key: string;
  /** History as in the source. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** What the JSON of each kind is. */
export interface Items {
  question: OpenQuestion & { readonly effect: AnswerEffect | null };
  rfc: Rfc;
  work: WorkItem;
  event: BriefedEvent & { readonly related: readonly string[] };
  request: Requests & {
    readonly number: number;
    readonly work: readonly string[];
    readonly remembered: readonly string[];
  };
  history: ImportedItem;
}
export type ItemKind = keyof Items;

interface Columns {
  readonly number?: number | null;
  readonly type?: string | null;
  readonly status: string;
  readonly agent?: string | null;
  readonly urgency?: string | null;
  readonly work?: string | null;
  readonly created_at: string;
  readonly resolved_at?: string | null;
  readonly awaits?: string | null;
  readonly text: string;
  readonly note?: string | null;
}

type Link = readonly [type: 'blocks' | 'depends_on' | 'references' | 'became', kind: string, id: string];

const numberOf = (id: string) => Number(id.slice(id.indexOf('-') + 1));

const columnsOf: { readonly [K in ItemKind]: (item: Items[K]) => Columns } = {
  question: ({ id, raised, status, asker, urgency, work, raisedAt, resolution }) => ({
    ...{ number: numberOf(id), type: raised.type, status, agent: asker.id, urgency, work },
    ...{ created_at: raisedAt, resolved_at: resolution?.at ?? null, text: raised.text },
    note: resolution?.answer ? answerLine(resolution.answer) : (resolution?.note ?? null),
  }),
  rfc: ({ id, title, status, asker, proposedAt, approval, ended }) => ({
    ...{ number: numberOf(id), status, agent: asker.id, created_at: proposedAt },
    ...{ resolved_at: ended?.at ?? approval?.at ?? null, text: title, note: ended?.reason ?? null },
  }),
  work: ({ kind, title, status, assignee, workflow, createdAt, step }) => ({
    ...{ type: kind, status, agent: assignee, work: workflow, created_at: createdAt, text: title, note: step },
  }),
  event: ({ number, type, status, author, priority, posted_at, closed_at, text, resolved_reason }) => ({
    ...{ number, type, status, agent: author, urgency: priority, created_at: posted_at, resolved_at: closed_at },
    ...{ text, note: resolved_reason },
  }),
  request: ({ number, type, status, author_agent_id, created_at, closed_at, subject, summary, note }) => ({
    ...{ number, type, status, agent: author_agent_id, created_at, resolved_at: closed_at },
    ...{ text: `${subject}\n${summary}`, note },
  }),
  history: ({ id, kind, status, agent, work, happened_at, title }) => ({
    ...{ number: numberOf(id), type: kind, status, agent, work, created_at: happened_at, text: title },
  }),
};

const linksOf: { readonly [K in ItemKind]?: (item: Items[K]) => readonly Link[] } = {
  question: ({ work, alsoWork, raised }) => [
    ...[...(work === null ? [] : [work]), ...alsoWork].map((id): Link => ['blocks', 'work', id]),
    ...(raised.rfc ? [['references', 'rfc', raised.rfc.id] as const] : []),
    ...raised.files.map(({ path }): Link => ['references', 'file', path]),
  ],
  rfc: ({ workflows, tasks, contexts }) => [
    ...[...workflows, ...tasks].map((id): Link => ['blocks', 'work', id]),
    ...contexts.map(({ id }): Link => ['references', 'context', id]),
  ],
  work: ({ dependsOn }) => dependsOn.map((id) => ['depends_on', 'work', id]),
  history: ({ kind, became }) => (became === null ? [] : [['became', kind, became]]),
  event: ({ related }) => related.map((id) => ['references', 'event', id]),
  request: ({ work, payload_json }) => {
    const { ingest_request_id: ingestion } = JSON.parse(payload_json) as { ingest_request_id?: string };
    return [
      ...work.map((id): Link => ['references', 'work', id]),
      ...(ingestion === undefined ? [] : [['references', 'request', ingestion] as const]),
    ];
  },
};

/** The items that some lines change: each is read and written once. */
export interface ChangedItems {
  get<K extends ItemKind>(kind: K, id: string): Items[K] | null;
  put<K extends ItemKind>(kind: K, id: string, item: Items[K]): void;
  /** Computes who awaits a question's outcome, even where the question itself has not changed. */
  touch(question: string): void;
  /** Writes them. @returns the events among them */
  save(state: State): Items['event'][];
}

interface Changed {
  readonly kind: ItemKind;
  readonly id: string;
  /** The row as it was before; null for a new one. */
  readonly before: {
    readonly row: number;
    readonly text: string;
    readonly note: string | null;
    readonly links: string;
  } | null;
  item: Items[ItemKind];
  isChanged: boolean;
}

export function changedItems(db: Database): ChangedItems {
  const all = new Map<string, Changed>();

  function load(kind: ItemKind, id: string): Changed | null {
    const key = `${kind} ${id}`;
    const known = all.get(key);
    if (known) return known;
    const row = db.rows.all<{ row: number; text: string; note: string | null; json: string }>(
      'SELECT row, text, note, json FROM items WHERE kind = ? AND id = ?',
      kind,
      id,
    )[0];
    if (!row) return null;
    const item = JSON.parse(row.json) as Items[ItemKind];
    const { json: _, ...texts } = row;
    const loaded = { kind, id, before: { ...texts, links: linkText(kind, item) }, item, isChanged: false };
    all.set(key, loaded);
    return loaded;
  }

  function save(changed: Changed, state: State): void {
    const { kind, id, item, before } = changed;
    const row = (columnsOf[kind] as (item: Items[ItemKind]) => Columns)(item);
    const { number = null, type = null, status, agent = null, urgency = null, work = null, note = null, text } = row;
    const { created_at, resolved_at = null } = row;
    const awaits = kind === 'question' ? awaitingAgent(db, state, item as Items['question']) : null;
    const isReworded = before?.text !== text || before.note !== note;
    // Before: the index looks the old words up in the table.
    if (before && isReworded) db.run('DELETE FROM words WHERE docid = ?', before.row);
    db.run(
      'INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[before?.row ?? null, kind, id, number, type, status, agent, urgency, work],
      ...[created_at, resolved_at, awaits, text, note, JSON.stringify(item)],
    );
    if (isReworded)
      db.run(
        'INSERT INTO words (docid, text, note) SELECT row, text, note FROM items WHERE kind = ? AND id = ?',
        kind,
        id,
      );
    const links = linkText(kind, item);
    if (links === (before?.links ?? '[]')) return;
    if (before) db.run('DELETE FROM links WHERE from_kind = ? AND from_id = ?', kind, id);
    for (const [type, toKind, to] of JSON.parse(links) as Link[])
      db.run('INSERT OR IGNORE INTO links VALUES (?, ?, ?, ?, ?)', kind, id, type, toKind, to);
  }

  return {
    get: <K extends ItemKind>(kind: K, id: string) => (load(kind, id)?.item ?? null) as Items[K] | null,
    put(kind, id, item) {
      const known = load(kind, id);
      if (known) Object.assign(known, { item, isChanged: true });
      else all.set(`${kind} ${id}`, { kind, id, before: null, item, isChanged: true });
    },
    touch(question) {
      const known = load('question', question);
      if (known) known.isChanged = true;
    },
    save(state) {
      const changed = [...all.values()].filter(({ isChanged }) => isChanged);
      for (const one of changed) save(one, state);
      return changed.filter(({ kind }) => kind === 'event').map(({ item }) => item as Items['event']);
    },
  };
}

function linkText(kind: ItemKind, item: Items[ItemKind]): string {
  const links = linksOf[kind] as ((item: Items[ItemKind]) => readonly Link[]) | undefined;
  return JSON.stringify(links?.(item) ?? []);
}

/** The agent that has not confirmed a human's decision; null where there is none, or once it has. */
function awaitingAgent(db: Database, state: State, question: Items['question']): string | null {
  const { id, resolution } = question;
  if (resolution === null || resolution.how === 'withdrawn') return null;
  const recipient = recipientOf(state, question);
  const delivered = db.rows.all<{ at: string | null }>(
    `SELECT acknowledged_at AS at FROM deliveries WHERE subject = ? AND what = 'outcome' AND number = 0 AND agent = ?`,
    id,
    recipient,
  )[0];
  return delivered?.at == null ? recipient : null;
}

// What a projection is: the changes that one record makes in the index.

export interface Projecting {
  readonly db: Database;
  readonly items: ChangedItems;
  /** As it is now: after this line, or after later ones too. */
  readonly state: State;
  readonly effect: Admitted;
  /** Records that follow this one in the same line. */
  readonly following: () => readonly Admitted[];
}

/** What records of some kinds change besides the items that the state has. */
export type Projections<K extends RecordKind> = {
  readonly [Kind in K]?: (at: Projecting, record: RecordOf<Kind>) => void;
};
