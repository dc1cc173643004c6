/**
 * How fresh this machine's copy of a shared journal is. Without a decision, holds only grow, so an old copy can only miss a
 * newer hold: it goes on denying what it knows to be held. The rest is allowed within the lease; beyond it, the policy's rule decides.
 */
import { holding } from '../kit/paths.ts';
import { defaultLease, type CurrentState, type Lease } from '../state/state.ts';

/** How long programs continue without the server: the signed policy, or its default. */
export function leaseOf(state: CurrentState | null): Lease {
  return state?.policy.lease ?? defaultLease;
}

/** A copy confirmed this recently is treated as current, whatever the lease. Milliseconds. */
export const currentMs = 5_000;

/** A reading of the machine's clocks. */
export interface Moment {
  /** Milliseconds since the epoch. People and programs can change this clock. */
  readonly at: number;
  /** Milliseconds since the machine started, which nothing sets back; null if not known. */
  readonly up: number | null;
}

/** When the server last confirmed this copy. */
export interface Confirmed extends Moment {
  /** The server then had other lines than this copy. */
  readonly forked?: boolean | undefined;
}

type Unconfirmed =
  | 'lease'
  /** Within the lease, but asked about files that are never edited without the server. */
  | 'strict'
  /** No confirmation is about this copy. */
  | 'never'
  /** A clock was set back, so the age of the confirmation is not known. */
  | 'clock'
  /** The server has other lines than this copy. */
  | 'forked';

export type Freshness =
  /** The journal is this machine's own. */
  | { readonly state: 'local' }
  | { readonly state: 'current' }
  /** The server has not answered since then. The lease still lasts. ISO 8601. */
  | { readonly state: 'offline'; readonly since: string }
  | { readonly state: 'unknown'; readonly since: string | null; readonly why: Unconfirmed };

interface FreshnessQuery {
  readonly shared: boolean;
  readonly confirmed: Confirmed | null;
  readonly now: Moment;
  /** Infinity where the policy allows the rest after the lease, too. */
  readonly leaseMs: number;
}

export function freshness({ shared, confirmed, now, leaseMs }: FreshnessQuery): Freshness {
  if (!shared) return { state: 'local' };
  const since = confirmed && isoOrNull(confirmed.at);
  const unknown = (why: Unconfirmed) => ({ state: 'unknown', since, why }) as const;
  if (confirmed === null || since === null) return unknown('never');
  if (confirmed.forked === true) return unknown('forked');
  const age = ageOf(confirmed, now);
  if (age === null) return unknown('clock');
  if (age <= currentMs) return { state: 'current' };
  // Written so that a malformed lease is none.
  return age <= leaseMs ? { state: 'offline', since } : unknown('lease');
}

/** Freshness for an edit of these files, which may be stricter. */
export function freshnessFor(found: Freshness, isStrict: boolean): Freshness {
  return found.state === 'offline' && isStrict ? { state: 'unknown', since: found.since, why: 'strict' } : found;
}

/** By the clock that shows more time; null when one of them shows less than none. */
function ageOf(then: Moment, now: Moment): number | null {
  const ages = [now.at - then.at, ...(then.up === null || now.up === null ? [] : [now.up - then.up])];
  return ages.every((age) => age >= 0) ? Math.max(...ages) : null;
}

function isoOrNull(at: number): string | null {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** How long what is neither held nor strict may change without the server. Milliseconds. */
export function lengthOf({ seconds, after = 'deny' }: Lease): number {
  return after === 'allow' ? Infinity : seconds * 1_000;
}

/** Whether a file, or something in a folder, is never edited without the server. */
export function isStrictIn({ strictGlobs }: Lease, path: string, ignoreCase: boolean, isFolder = false): boolean {
  return strictGlobs.some(holding(path, ignoreCase, isFolder));
}
