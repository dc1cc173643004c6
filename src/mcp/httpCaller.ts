/** Who calls over HTTP, and how much a caller may use. */
import type { Workspace } from '../app/workspace/workspace.ts';

export interface Caller {
  /** Names the token; not its secret. */
  readonly token: string;
  readonly agent: string;
  /** Whether the token is still valid. */
  counts(): boolean;
}

export interface HttpEndpoint {
  handle(request: Request, caller: Caller): Promise<Response>;
  /** Ends sessions that are not used any more, and those of tokens that are no longer valid. Call it every few seconds. */
  sweep(): Promise<void>;
  /** Ends all waits and sessions. */
  close(): Promise<void>;
}

export interface HttpOptions {
  readonly workspace: Workspace;
  readonly version: string;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export const idleMs = 2 * 60 * 60_000;
/** Bytes of a request's body. */
export const bodyAtMost = 1_000_000;
