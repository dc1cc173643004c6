/** What the routes for programs share. */
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { AddressOptions } from '../security/address.ts';
import type { EventFeed } from './eventFeed.ts';

export interface ApiOptions extends AddressOptions {
  readonly workspace: Workspace;
  /** What browsers call the server. */
  readonly origin: () => string;
  readonly feed: EventFeed;
  /** Path of the OpenAPI document. */
  readonly document: string;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** The id of the workspace; null before its first record. */
export function projectOf(workspace: Workspace): string | null {
  return workspace.standing().state?.workspace?.id ?? null;
}
