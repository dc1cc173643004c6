/** What the routes for programs share. */
import type { Workspace } from '../../app/workspace/workspace.ts';

export interface ApiOptions {
  readonly workspace: Workspace;
  /** What browsers call the server. */
  readonly origin: () => string;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}
