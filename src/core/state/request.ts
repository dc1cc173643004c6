/** What the fold stores about requests and responsibilities; texts are rows of the projection. */
import type {
  Breach,
  RequestStatus,
  RequestType,
  ResponsibilityKind,
  StewardStep,
  openRequestStatus,
} from '../records/requestWords.ts';
import type * as z from 'zod';

export interface Responsibility {
  readonly id: string;
  readonly kind: ResponsibilityKind;
  readonly name: string;
  /** Ids of agents that act for it. Empty for humans, and for human stewards. */
  readonly agents: readonly string[];
  readonly registeredBy: string;
  readonly registeredAt: string;
}

/** A request whose status is not final. */
export interface OpenRequest {
  readonly id: string;
  readonly type: RequestType;
  readonly origin: string;
  readonly target: string;
  readonly status: z.infer<typeof openRequestStatus>;
  readonly priority: number;
  /** Hash of the asked content (`askedContent`). */
  readonly content: string;
  readonly availableAt: string;
  readonly dueAt: string | null;
  readonly responseSeconds: number | null;
  readonly completionSeconds: number | null;
  /** When the current target accepted it; start of the agreed time for completion. */
  readonly acceptedAt: string | null;
  readonly attempts: number;
  /** Bundles that `ingest_new_context` proposes; empty for other types. */
  readonly bundles: readonly string[];
  readonly steps: readonly StewardStep[];
  readonly alerted: readonly Breach[];
  readonly escalated: boolean;
}

export interface RequestsState {
  readonly responsibilities: Map<string, Responsibility>;
  /** Unsettled requests by id. */
  readonly requests: Map<string, OpenRequest>;
  /** Final statuses of settled requests. */
  readonly settledRequests: Map<string, RequestStatus>;
  /** Request ids by `idempotencyOf`. */
  readonly requestKeys: Map<string, string>;
  /** Bundles proposed for ingestion, and whether a steward has reviewed them. */
  readonly bundles: Map<string, boolean>;
}

export function noRequests(): RequestsState {
  return {
    responsibilities: new Map(),
    requests: new Map(),
    settledRequests: new Map(),
    requestKeys: new Map(),
    bundles: new Map(),
  };
}
