/**
 * Tables of requests: the columns of the request itself, then columns for sorting and counting. Times are ISO 8601 UTC.
 * Every row has its workspace, and every query filters by it.
 */
import { oneOf } from './oneOf.ts';
import { requestNotice, requestStatus, requestType, responsibilityKind } from '../../core/records/requestWords.ts';
import type {
  Relevance,
  RequestNotice,
  RequestStatus,
  RequestType,
  ResponsibilityKind,
} from '../../core/records/requestWords.ts';

export interface Requests {
  id: string;
  type: RequestType;
  origin_responsibility_id: string;
  target_responsibility_id: string;
  origin_mandate_id: string | null;
  subject: string;
  summary: string;
  body_md_path: string | null;
  payload_json: string | null;
  workspace_id: string;
  status: RequestStatus;
  /** Free data of an integration; `payload_json` has the fields of the request's type. */
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
  /** The number of the id. */
  number: number;
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

export interface RequestTables {
  responsibilities: {
    workspace_id: string;
    id: string;
    kind: ResponsibilityKind;
    name: string;
    registered_by: string;
    registered_at: string;
  };
  requests: Requests;
  request_events: RequestEvents;
  /** What project memory keeps of the answers to a request. */
  request_decisions: { request_id: string; event_id: string };
  /** Work items that the target created for a request. */
  request_work: { workspace_id: string; request_id: string; work_id: string };
  /** What the agents of a party are notified of; the last one of a request says how it stands. */
  request_notices: {
    workspace_id: string;
    request_id: string;
    /** Counts through the notices of its request. */
    number: number;
    responsibility_id: string;
    type: RequestNotice;
    created_at: string;
    /** The agent that did it, and needs no notice of it. */
    created_agent_id: string | null;
  };
  request_notice_deliveries: {
    workspace_id: string;
    request_id: string;
    notice: number;
    agent_id: string;
    session: string;
    offered_at: string;
    acknowledged_at: string | null;
  };
}

export const requestSchema: readonly string[] = [
  `CREATE TABLE responsibilities (
    workspace_id TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL CHECK (${oneOf('kind', responsibilityKind.options)}),
    name TEXT NOT NULL, registered_by TEXT NOT NULL, registered_at TEXT NOT NULL, PRIMARY KEY (workspace_id, id)) STRICT`,
  `CREATE TABLE requests (
    id TEXT PRIMARY KEY,
    type TEXT NOT NULL DEFAULT 'request_for_action' CHECK (${oneOf('type', requestType.options)}),
    origin_responsibility_id TEXT NOT NULL, target_responsibility_id TEXT NOT NULL, origin_mandate_id TEXT NULL,
    subject TEXT NOT NULL, summary TEXT NOT NULL, body_md_path TEXT NULL, payload_json TEXT NULL,
    workspace_id TEXT NOT NULL, status TEXT NOT NULL CHECK (${oneOf('status', requestStatus.options)}),
    priority INTEGER NOT NULL DEFAULT 100, sla_response_seconds INTEGER NULL, sla_completion_seconds INTEGER NULL,
    acknowledged_at TEXT NULL, created_at TEXT NOT NULL, available_at TEXT NOT NULL, due_at TEXT NULL,
    processed_at TEXT NULL, closed_at TEXT NULL, idempotency_key TEXT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT NULL, authored_by TEXT NOT NULL, author_agent_id TEXT NULL, source_context TEXT NULL,
    number INTEGER NOT NULL UNIQUE, accepted_at TEXT, accepted_by TEXT, responded_at TEXT, response TEXT, note TEXT,
    escalated_at TEXT, free_payload_json TEXT,
    FOREIGN KEY (workspace_id, origin_responsibility_id) REFERENCES responsibilities (workspace_id, id),
    FOREIGN KEY (workspace_id, target_responsibility_id) REFERENCES responsibilities (workspace_id, id),
    CHECK (origin_responsibility_id <> target_responsibility_id),
    CHECK ((closed_at IS NOT NULL) = (${oneOf('status', ['rejected', 'cancelled', 'expired', 'completed'])})),
    CHECK ((processed_at IS NOT NULL) = (status = 'completed'))) STRICT`,
  // Matches the order of the claim query.
  `CREATE INDEX requests_to_claim ON requests (workspace_id, target_responsibility_id, status, priority, created_at, number)`,
  `CREATE INDEX requests_by_origin ON requests (workspace_id, origin_responsibility_id, status)`,
  `CREATE UNIQUE INDEX requests_by_key ON requests (workspace_id, origin_responsibility_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL`,
  `CREATE TABLE request_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, request_id TEXT NOT NULL REFERENCES requests (id), event_type TEXT NOT NULL,
    old_status TEXT NULL, new_status TEXT NULL, note TEXT NULL, created_at TEXT NOT NULL, created_by TEXT NOT NULL,
    created_agent_id TEXT NULL, workspace_id TEXT NOT NULL) STRICT`,
  `CREATE INDEX request_events_by_request ON request_events (workspace_id, request_id, id)`,
  `CREATE TABLE request_decisions (
    request_id TEXT NOT NULL REFERENCES requests (id), event_id TEXT NOT NULL,
    PRIMARY KEY (request_id, event_id)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE request_work (
    workspace_id TEXT NOT NULL, request_id TEXT NOT NULL REFERENCES requests (id),
    work_id TEXT NOT NULL REFERENCES work_items (id), PRIMARY KEY (workspace_id, request_id, work_id)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE request_notices (
    workspace_id TEXT NOT NULL, request_id TEXT NOT NULL REFERENCES requests (id), number INTEGER NOT NULL,
    responsibility_id TEXT NOT NULL, type TEXT NOT NULL CHECK (${oneOf('type', requestNotice.options)}),
    created_at TEXT NOT NULL, created_agent_id TEXT,
    PRIMARY KEY (workspace_id, request_id, number)) STRICT, WITHOUT ROWID`,
  `CREATE INDEX request_notices_by_party ON request_notices (workspace_id, responsibility_id, request_id, number)`,
  `CREATE TABLE request_notice_deliveries (
    workspace_id TEXT NOT NULL, request_id TEXT NOT NULL, notice INTEGER NOT NULL, agent_id TEXT NOT NULL,
    session TEXT NOT NULL, offered_at TEXT NOT NULL, acknowledged_at TEXT,
    PRIMARY KEY (workspace_id, request_id, notice, agent_id),
    FOREIGN KEY (workspace_id, request_id, notice)
      REFERENCES request_notices (workspace_id, request_id, number)) STRICT, WITHOUT ROWID`,
];
