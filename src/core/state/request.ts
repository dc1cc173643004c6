/** What the fold keeps of requests and responsibilities: texts are rows of the projection. */
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
  /** Ids of agents that act for it. Empty for a human, and for a steward who is one. */
  readonly agents: readonly string[];
  readonly registeredBy: string;
  readonly registeredAt: string;
}

/** A request that can still become something else. */
export interface OpenRequest {
  readonly id: string;
  readonly type: RequestType;
  readonly origin: string;
  readonly target: string;
  readonly status: z.infer<typeof openRequestStatus>;
  readonly priority: number;
  /** Hash of what was asked (`askedContent`). */
  readonly content: string;
  readonly availableAt: string;
  readonly dueAt: string | null;
  readonly responseSeconds: number | null;
  readonly completionSeconds: number | null;
  /** When the present target took it over, for the agreed time of completion. */
  readonly acceptedAt: string | null;
  readonly attempts: number;
  /** Bundles that `ingest_new_context` proposes; empty for other types. */
  readonly bundles: readonly string[];
  readonly steps: readonly StewardStep[];
  /** Breaches that were told. */
  readonly alerted: readonly Breach[];
  readonly escalated: boolean;
}

export interface RequestsState {
  readonly responsibilities: Map<string, Responsibility>;
  /** By id, those that are not settled. */
  readonly requests: Map<string, OpenRequest>;
  /** How the others ended. */
  readonly settledRequests: Map<string, RequestStatus>;
  /** Id of the request by `idempotencyOf`. */
  readonly requestKeys: Map<string, string>;
  /** Bundles that were proposed for ingestion, and whether a steward has reviewed them. */
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
