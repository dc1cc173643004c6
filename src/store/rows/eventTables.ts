/** Tables of project memory. Times are ISO 8601 UTC. */
import { eventPriority, eventStatus, eventType } from '../../core/kit/words.ts';
import { oneOf } from './oneOf.ts';
import type { EventPriority, EventStatus, EventType } from '../../core/kit/words.ts';

export interface Events {
  /** The number of the id: newest is greatest, and the full-text index uses it as docid. */
  number: number;
  id: string;
  type: EventType;
  priority: EventPriority;
  /** 0 critical .. 3 low, for sorting. */
  priority_rank: number;
  status: EventStatus;
  text: string;
  author: string;
  author_kind: 'agent' | 'human';
  posted_at: string;
  /** Number of scopes; unscoped events are listed separately. */
  scope_count: number;
  resolved_reason: string | null;
  superseded_by_event_id: string | null;
  closed_at: string | null;
  closed_by: string | null;
  /** 1 if it came with an import, so it was not posted here. */
  imported: number;
  /** When it was posted or imported, or last named by another event, a question or an RFC. */
  mentioned_at: string;
}

export interface EventTables {
  events: Events;
  /**
   * `path`: workspace-relative, NFC; `folded`: the same for file systems that fold case; `position`: its place in the
   * list, as written. The other columns repeat what a briefing filters events by, to save a join: `listed` is 1 where a
   * briefing lists it under its type (active, and not a critical warning), `alone` where the event has no other scope.
   */
  event_scopes: {
    number: number;
    position: number;
    path: string;
    folded: string;
    written: string;
    listed: number;
    type: EventType;
    alone: number;
    priority_rank: number;
  };
  /** Related ids, including predecessors. */
  event_relations: { event_id: string; related_id: string };
  /** Full-text index (FTS4) over contents and reasons; its rows mirror those of `events`. */
  events_fts: { docid: number; text: string; resolved_reason: string | null };
}

export function eventSchema(): string[] {
  return [
    `CREATE TABLE events (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
      type TEXT NOT NULL CHECK (${oneOf('type', eventType.options)}),
      priority TEXT NOT NULL DEFAULT 'normal' CHECK (${oneOf('priority', eventPriority.options)}),
      priority_rank INTEGER NOT NULL,
      status TEXT NOT NULL DEFAULT 'active' CHECK (${oneOf('status', eventStatus.options)}),
      text TEXT NOT NULL, author TEXT NOT NULL, author_kind TEXT NOT NULL CHECK (${oneOf('author_kind', ['agent', 'human'])}),
      posted_at TEXT NOT NULL, scope_count INTEGER NOT NULL, resolved_reason TEXT,
      superseded_by_event_id TEXT REFERENCES events(id), closed_at TEXT, closed_by TEXT, imported INTEGER NOT NULL,
      mentioned_at TEXT NOT NULL,
      CHECK ((status = 'active') = (closed_at IS NULL)),
      CHECK ((status = 'superseded') = (superseded_by_event_id IS NOT NULL)),
      CHECK (status <> 'resolved' OR resolved_reason IS NOT NULL),
      CHECK (superseded_by_event_id IS NULL OR superseded_by_event_id <> id)) STRICT`,
    `CREATE INDEX events_by_successor ON events (superseded_by_event_id) WHERE superseded_by_event_id IS NOT NULL`,
    `CREATE INDEX events_by_status ON events (status, type, priority_rank, number DESC, scope_count)`,
    `CREATE INDEX events_in_order ON events (status, priority_rank, number DESC, type, scope_count)`,
    `CREATE INDEX events_by_closing ON events (closed_at) WHERE closed_at IS NOT NULL`,
    `CREATE TABLE event_scopes (
      number INTEGER NOT NULL REFERENCES events(number), position INTEGER NOT NULL, path TEXT NOT NULL,
      folded TEXT NOT NULL, written TEXT NOT NULL, listed INTEGER NOT NULL, type TEXT NOT NULL, alone INTEGER NOT NULL,
      priority_rank INTEGER NOT NULL, PRIMARY KEY (number, position)) STRICT, WITHOUT ROWID`,
    `CREATE INDEX event_scopes_by_path ON event_scopes (listed, alone, path, type, priority_rank)`,
    `CREATE INDEX event_scopes_by_folded ON event_scopes (listed, alone, folded, type, priority_rank)`,
    `CREATE INDEX event_scopes_of_decisions ON event_scopes (path, number) WHERE listed = 1 AND type = 'decision'`,
    `CREATE INDEX event_scopes_of_folded_decisions ON event_scopes (folded, number) WHERE listed = 1 AND type = 'decision'`,
    `CREATE TABLE event_relations (
      event_id TEXT NOT NULL REFERENCES events(id), related_id TEXT NOT NULL REFERENCES events(id),
      PRIMARY KEY (event_id, related_id)) STRICT, WITHOUT ROWID`,
    `CREATE INDEX event_relations_back ON event_relations (related_id)`,
    // External content: the texts are stored once, in `events`.
    `CREATE VIRTUAL TABLE events_fts USING fts4(content="events", text, resolved_reason, tokenize=unicode61)`,
    `INSERT INTO events_fts (events_fts) VALUES ('rebuild')`,
    `CREATE TRIGGER events_posted AFTER INSERT ON events BEGIN
      INSERT INTO events_fts (docid, text, resolved_reason) VALUES (new.number, new.text, new.resolved_reason); END`,
    // Before: the index looks the old words up in the table.
    `CREATE TRIGGER events_closing BEFORE UPDATE OF resolved_reason ON events BEGIN
      DELETE FROM events_fts WHERE docid = old.number; END`,
    `CREATE TRIGGER events_closed AFTER UPDATE OF resolved_reason ON events BEGIN
      INSERT INTO events_fts (docid, text, resolved_reason) VALUES (new.number, new.text, new.resolved_reason); END`,
  ];
}
