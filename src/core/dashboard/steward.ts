/** Health of the request queue. */
import { between, endOf, lastDays, perDay, spans } from './figures.ts';
import type { Calendar, Spans } from './figures.ts';

/** The facts about one request that the figures need. Times are null until they happened. */
export interface RequestFacts {
  readonly target: string;
  readonly status: string;
  readonly created_at: string;
  readonly available_at: string;
  /** When the target moved it out of `pending`. */
  readonly responded_at: string | null;
  readonly accepted_at: string | null;
  /** When it was completed. */
  readonly processed_at: string | null;
  /** When it reached any final status. */
  readonly closed_at: string | null;
  readonly response_breached_at: string | null;
  readonly completion_breached_at: string | null;
}

export interface StewardDay {
  readonly day: string;
  readonly created: number;
  readonly closed: number;
  /** Number of open requests at the end of the day, deferred ones and those not yet available among them. */
  readonly depth: number;
  readonly breaches: number;
}

/** How one responsibility keeps up with its requests. */
export interface TargetQueue {
  readonly target: string;
  /** Open requests in its queue: pending, or accepted and not done. Excludes deferred and not yet available ones. */
  readonly depth: number;
  readonly breaches: number;
  /** From availability to being accepted, deferred or rejected. */
  readonly response: Spans;
  /** From accepted to completed. */
  readonly completion: Spans;
}

export interface Steward {
  /** Requests waiting for their target: pending, or accepted and not done. */
  readonly depth: number;
  readonly by_status: Readonly<Record<string, number>>;
  /** Longest queue first. */
  readonly by_target: readonly TargetQueue[];
  readonly response: Spans;
  readonly completion: Spans;
  readonly response_breaches: number;
  readonly completion_breaches: number;
  readonly days: readonly StewardDay[];
}

/** Longest queue first. */
export function queuesOf(requests: readonly RequestFacts[]): TargetQueue[] {
  const targets = new Map<string, RequestFacts[]>();
  for (const request of requests) {
    const asked = targets.get(request.target);
    if (asked) asked.push(request);
    else targets.set(request.target, [request]);
  }
  return [...targets]
    .map(([target, asked]) => ({
      target,
      depth: asked.filter(isQueued).length,
      breaches: asked.flatMap(breachesOf).length,
      ...timesOf(asked),
    }))
    .sort((a, b) => b.depth - a.depth || b.breaches - a.breaches || (a.target < b.target ? -1 : 1));
}

function breachesOf({ response_breached_at, completion_breached_at }: RequestFacts): string[] {
  return [response_breached_at, completion_breached_at].filter((at) => at !== null);
}

function timesOf(requests: readonly RequestFacts[]): Pick<TargetQueue, 'response' | 'completion'> {
  return {
    response: spans(
      requests.flatMap(({ available_at, responded_at }) =>
        responded_at === null ? [] : [between(available_at, responded_at)],
      ),
    ),
    completion: spans(
      requests.flatMap(({ accepted_at, processed_at }) =>
        accepted_at === null || processed_at === null ? [] : [between(accepted_at, processed_at)],
      ),
    ),
  };
}

export function stewardOf(requests: readonly RequestFacts[], now: string, calendar: Calendar): Steward {
  const by_status: Record<string, number> = {};
  for (const { status } of requests) by_status[status] = (by_status[status] ?? 0) + 1;
  return {
    depth: requests.filter(isQueued).length,
    by_status,
    by_target: queuesOf(requests),
    ...timesOf(requests),
    response_breaches: requests.filter(({ response_breached_at }) => response_breached_at !== null).length,
    completion_breaches: requests.filter(({ completion_breached_at }) => completion_breached_at !== null).length,
    days: daysOf(requests, now, calendar),
  };
}

function daysOf(requests: readonly RequestFacts[], now: string, calendar: Calendar): StewardDay[] {
  const created = perDay(
    requests.map(({ created_at }) => created_at),
    calendar,
  );
  const closed = perDay(
    requests.map(({ closed_at }) => closed_at),
    calendar,
  );
  const breaches = perDay(requests.flatMap(breachesOf), calendar);
  return lastDays(now, calendar).map((day) => {
    const end = endOf(day, calendar);
    return {
      day,
      created: created.get(day) ?? 0,
      closed: closed.get(day) ?? 0,
      depth: requests.filter((request) => isOpenAt(request, end)).length,
      breaches: breaches.get(day) ?? 0,
    };
  });
}

function isQueued({ status }: RequestFacts): boolean {
  return status === 'pending' || status === 'accepted';
}

function isOpenAt({ created_at, closed_at }: RequestFacts, time: string): boolean {
  return created_at < time && (closed_at === null || closed_at >= time);
}
