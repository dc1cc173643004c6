/**
 * The index of an open store. An act is acknowledged without waiting for it: lines are kept until rows are read, and
 * those of many lines take one transaction.
 */
import type { State } from '../../core/state/state.ts';
import { ignoreErrors } from '../journal/problem.ts';
import { noteEvents } from './events.ts';
import { changedItems } from './items.ts';
import { project } from './project.ts';
import type { Database, Rows } from './sqlite.ts';
import type { Folded } from '../../core/fold/fold.ts';
import type { Admitted, Actor, CountedLine, JournalRecord, RecordInput } from '../../core/records/records.ts';
import type { Ledger } from '../journal/ledger.ts';

// The index in SQLite: items as they are now, the records that made them so, and full text. Everything in it can be read
// again from the journal. The views have the columns that other programs know.

const tables = [
  // `text` and `note` are what is searched; `awaits` is the agent that has not confirmed a question's outcome.
  `CREATE TABLE items (
    row INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, number INTEGER, type TEXT, status TEXT NOT NULL,
    agent TEXT, urgency TEXT, work TEXT, created_at TEXT NOT NULL, resolved_at TEXT, awaits TEXT,
    text TEXT NOT NULL, note TEXT, json TEXT NOT NULL, UNIQUE (kind, id))`,
  `CREATE INDEX items_by_status ON items (kind, status, type)`,
  `CREATE INDEX items_by_agent ON items (agent, kind)`,
  `CREATE INDEX items_by_work ON items (work) WHERE work IS NOT NULL`,
  `CREATE INDEX items_awaiting ON items (awaits, resolved_at) WHERE awaits IS NOT NULL`,
  // `kept`: a decision that too few people have signed, without effect so far. `json`: without its signature; null
  // where the item has all of it.
  `CREATE TABLE records (
    position INTEGER NOT NULL, place INTEGER NOT NULL, time TEXT NOT NULL, actor TEXT NOT NULL, actor_kind TEXT NOT NULL,
    kind TEXT NOT NULL, subject TEXT, keyid TEXT, nonce TEXT, passkey INTEGER NOT NULL, kept INTEGER NOT NULL,
    json TEXT, PRIMARY KEY (position, place)) WITHOUT ROWID`,
  `CREATE INDEX records_by_subject ON records (subject, kind)`,
  `CREATE INDEX records_by_kind ON records (kind, time)`,
  `CREATE INDEX records_signed ON records (keyid, time) WHERE keyid IS NOT NULL`,
  `CREATE TABLE links (
    from_kind TEXT NOT NULL, from_id TEXT NOT NULL, type TEXT NOT NULL, to_kind TEXT NOT NULL, to_id TEXT NOT NULL,
    PRIMARY KEY (from_id, from_kind, type, to_id, to_kind)) WITHOUT ROWID`,
  `CREATE INDEX links_back ON links (to_id, to_kind)`,
  // What agents were offered, and confirmed by going on. `session`: that of the last offer.
  `CREATE TABLE deliveries (
    what TEXT NOT NULL, subject TEXT NOT NULL, number INTEGER NOT NULL, agent TEXT NOT NULL, session TEXT NOT NULL,
    offered_at TEXT NOT NULL, acknowledged_at TEXT, PRIMARY KEY (subject, what, number, agent))`,
  `CREATE INDEX deliveries_open ON deliveries (agent, session) WHERE acknowledged_at IS NULL`,
  `CREATE TABLE request_notices (
    request_id TEXT NOT NULL, number INTEGER NOT NULL, responsibility_id TEXT NOT NULL, type TEXT NOT NULL,
    created_at TEXT NOT NULL, created_agent_id TEXT, PRIMARY KEY (request_id, number)) WITHOUT ROWID`,
  `CREATE INDEX request_notices_by_party ON request_notices (responsibility_id, request_id, number)`,
  `CREATE TABLE request_events (
    id INTEGER PRIMARY KEY, request_id TEXT NOT NULL, event_type TEXT NOT NULL, old_status TEXT, new_status TEXT,
    note TEXT, created_at TEXT NOT NULL, created_by TEXT NOT NULL, created_agent_id TEXT, workspace_id TEXT NOT NULL)`,
  `CREATE INDEX request_events_by_request ON request_events (request_id, id)`,
];

/** External content: the texts are stored once, in `items`. */
const fullText = `CREATE VIRTUAL TABLE words USING fts4(content="items", text, note, tokenize=unicode61)`;

type Columns = readonly (string | readonly [name: string, path: string])[];

const inItem = (path: string) => `json_extract(items.json, '$.${path}')`;

function columns(of: Columns): string {
  return of
    .map((one) => (typeof one === 'string' ? [one, one] : one))
    .map(([name, path]) => `${inItem(path)} AS ${name}`)
    .join(', ');
}

const rfc: Columns = [
  ...['title', 'amendment', 'keeper', 'holds'],
  ['review_status', 'status'],
  ['agent_id', 'asker.id'],
  ['addressed_to', 'for'],
  ['session', 'asker.session'],
  ['worktree', 'asker.worktree'],
  ['proposed_at', 'proposedAt'],
  ['updated_at', 'updatedAt'],
  ['affected_workflows', 'workflows'],
  ['blocked_tasks', 'tasks'],
  ['approved_revision', 'approval.revision'],
  ['approved_hash', 'approval.hash'],
  ['approved_by', 'approval.by'],
  ['approved_at', 'approval.at'],
  ['approval_conditions', 'approval.conditions'],
  ['implementation_constraints', 'approval.constraints'],
  ['rejection_reason', 'ended.reason'],
  ['ended_by', 'ended.by'],
  ['ended_at', 'ended.at'],
  ['review_stage', 'review.stage'],
  ['review_count', 'review.count'],
  ['question_loop_count', 'review.loops'],
  ['decision', 'decisions'],
];

const request: Columns = [
  ...['type', 'origin_responsibility_id', 'target_responsibility_id', 'origin_mandate_id', 'subject', 'summary'],
  ...['body_md_path', 'payload_json', 'workspace_id', 'status', 'priority', 'sla_response_seconds'],
  ...['sla_completion_seconds', 'acknowledged_at', 'created_at', 'available_at', 'due_at', 'processed_at', 'closed_at'],
  ...['idempotency_key', 'attempts', 'last_error', 'authored_by', 'author_agent_id', 'source_context'],
  ...['free_payload_json', 'accepted_at', 'accepted_by', 'responded_at', 'response', 'note', 'escalated_at'],
];

const event: Columns = [
  ...['type', 'priority', 'status', 'text', 'scopes', 'author', 'author_kind', 'posted_at', 'resolved_reason'],
  ...['superseded_by_event_id', 'closed_at', 'closed_by', 'imported', 'mentioned_at'],
  ['related_ids', 'related'],
];

const work: Columns = [
  ...['kind', 'title', 'status', 'step'],
  ['workflow_id', 'workflow'],
  ['depends_on', 'dependsOn'],
  'holds',
  ['assigned_agent', 'assignee'],
  ['created_by', 'createdBy'],
  ['created_at', 'createdAt'],
  ['updated_at', 'updatedAt'],
];

const view = (name: string, kind: string, of: Columns) =>
  `CREATE VIEW ${name} AS SELECT items.id, items.number, ${columns(of)} FROM items WHERE items.kind = '${kind}'`;

const kindOf = (kind: string, id: string) =>
  `iif(${kind} = 'work', (SELECT type FROM items WHERE kind = 'work' AND items.id = ${id}), ${kind})`;

const inFeedback = (name: string) => `json_extract(given.json, '$.${name}')`;
const resolved = (column: string) => `(SELECT ${column} FROM records AS done
    WHERE done.subject = given.subject AND done.kind = 'rfc.threadResolved' AND done.kept = 0
      AND json_extract(done.json, '$.thread') = ${inFeedback('thread')})`;

const views = [
  `CREATE VIEW blockers AS SELECT items.id, agent AS agent_id,
    (SELECT json_extract(json, '$.workspace') FROM records WHERE kind = 'workspace.created' LIMIT 1) AS project_id,
    work AS task_id, upper(${inItem('mode')}) AS blocker_type, text AS question,
    coalesce(${inItem('resolution.answer.text')},
      (SELECT group_concat(value, ', ') FROM json_each(items.json, '$.resolution.answer.choices'))) AS answer,
    CASE WHEN resolved_at IS NOT NULL THEN 'RESOLVED' WHEN status = 'expired' THEN 'EXPIRED' ELSE 'PENDING' END AS status,
    created_at, resolved_at FROM items WHERE kind = 'question'`,
  view('rfcs', 'rfc', rfc),
  `CREATE VIEW rfc_feedback AS SELECT given.subject AS rfc_id, ${inFeedback('thread')} AS thread,
    ${inFeedback('revision')} AS revision, given.actor AS reviewer, given.actor_kind AS reviewer_kind,
    given.keyid IS NOT NULL AS signed, ${inFeedback('type')} AS feedback_type,
    ${inFeedback('section.key')} AS section_key, ${inFeedback('section.heading')} AS section_heading,
    ${inFeedback('quote')} AS quote, ${inFeedback('text')} AS content, ${inFeedback('blocking')} AS blocking,
    given.time AS given_at, ${resolved('done.actor')} AS resolved_by, ${resolved('done.time')} AS resolved_at
    FROM records AS given WHERE given.kind IN ('rfc.feedbackGiven', 'rfc.commented') AND given.kept = 0`,
  view('requests', 'request', request),
  view('events', 'event', event),
  view('work_items', 'work', work),
  `CREATE VIEW decisions AS SELECT nonce, coalesce(subject, '') AS subject, kind AS action, actor AS decided_by, keyid,
    time AS decided_at, position FROM records WHERE nonce IS NOT NULL`,
  `CREATE VIEW relationships AS SELECT from_id, ${kindOf('from_kind', 'from_id')} AS from_type,
    type AS relationship_type, to_id, ${kindOf('to_kind', 'to_id')} AS to_type FROM links WHERE type <> 'became'`,
];

export const schema: readonly string[] = [...tables, ...views, fullText];

export interface Index {
  /** Writes what is kept, first. */
  readonly rows: Rows;
  /** Keeps the changes of a valid line. @param state the fold's, which changes with later lines */
  follow(state: State, admitted: readonly Admitted[]): void;
  export(): Uint8Array;
  close(): void;
}

/** Lines that are written together. */
const many = 64;

/** @param isNew whether the database is empty */
export function openIndex(db: Database, isNew: boolean): Index {
  let kept: (readonly Admitted[])[] = [];
  let current: State | null = null;
  if (isNew) for (const statement of schema) db.run(statement);

  function settle(): void {
    const state = current;
    if (kept.length === 0 || !state) return;
    const items = changedItems(db);
    try {
      db.run('BEGIN');
      for (const admitted of kept) project(db, items, state, admitted);
      const events = items.save(state);
      db.run('COMMIT');
      kept = [];
      noteEvents(rows, events);
    } catch (error) {
      db.rollback();
      throw error;
    }
  }

  const rows: Rows = {
    all(sql, ...parameters) {
      settle();
      return db.rows.all(sql, ...parameters);
    },
  };
  return {
    rows,
    follow(state, admitted) {
      current = state;
      kept.push(admitted);
      // The line is valid, whatever becomes of its rows: who reads them next is told.
      if (kept.length >= many) ignoreErrors(settle);
    },
    export() {
      settle();
      return db.export();
    },
    close() {
      db.close();
    },
  };
}

function noDatabase(): never {
  throw new Error('this store was opened without rows');
}

/** The index of a store that has none: for acts which only read the state. The next program projects their lines. */
export const withoutRows: Index = {
  rows: { all: noDatabase },
  follow: () => undefined,
  export: noDatabase,
  close: () => undefined,
};

// What a journal needs of an open store, and what a store needs of its journal.

/** What a use case may read. `state` must not be changed. */
export interface View {
  readonly state: State;
  readonly rows: Rows;
  readonly now: string;
  /** The person whose agents run on this machine, in a journal that a team shares. */
  readonly own: string | null;
}

export interface Act<T> {
  readonly records: readonly RecordInput[];
  readonly result: T;
}

/** Where acts are put in order. A machine reads them from its files, wherever the order is decided. */
export interface Journal {
  /**
   * Commits one act, or nothing when `decide` returns no records; returns or resolves once it is durable.
   * @throws StoreError when the act is not committed (or, for `unknown-outcome`, may be)
   */
  commit<T>(actor: Actor, decide: (view: View) => Act<T>): T | Promise<T>;
  /** Brings this machine's files up to date; where they are the journal, there is nothing to do. @throws StoreError */
  pull?(): Promise<void>;
}

/** An act as a line, already applied to the state. */
export interface Prepared {
  readonly line: CountedLine;
  readonly bytes: Buffer;
  /** As readers will parse them. */
  readonly records: readonly JournalRecord[];
  readonly folded: Folded;
}

export interface Opened {
  readonly ledger: Ledger;
  readonly index: Index;
  readonly anchored: number;
  /** Name of the snapshot that existed at opening but could not be used; it is not treated as saved. */
  unusable: string | null;
  /** @throws StoreError `unknown-state` */
  view(): View;
  /** Recognises the line of this act if it is valid although its outcome is unknown. Null ends it. */
  expect(op: string | null): void;
  hasCounted(): boolean;
  /**
   * Encodes an act and applies it to the state. The caller keeps or undoes it.
   * @param at default: the current end of the journal
   * @throws StoreError when the act is not allowed, or no reader would accept it
   */
  prepare(op: string, actor: Actor, records: readonly RecordInput[], at?: number): Prepared;
  /** @throws StoreError `read-only` */
  requireWritable(): void;
  /** Opens the ledger and the projection again, from the files. */
  reopen(): void;
  close(): void;
}
