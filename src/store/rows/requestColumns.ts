/** The columns of requests and of their changes. Times are ISO 8601 UTC. */
import type { Relevance, RequestStatus, RequestType } from '../../core/records/requestWords.ts';

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
