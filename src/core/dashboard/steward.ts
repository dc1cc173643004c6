/** Health of the request queue. */
import { msBetween, endOf, lastDays, perDay, spans, type Calendar, type Spans } from './figures.ts';

/** The facts about one request that the figures need. Times are null until they happened. */
export interface RequestFacts {
  /** Who has the request now. */
  readonly target: string;
  readonly status: string;
  readonly created_at: string;
  /** When it became available to the target, before the response. */
  readonly available_at: string;
  /** When the target moved it out of `pending`. */
  readonly responded_at: string | null;
  readonly accepted_at: string | null;
  /** When it was completed. */
  readonly processed_at: string | null;
  /** When it reached any final status. */
  readonly closed_at: string | null;
  /** A request that is reassigned or resumed can have several. */
  readonly breaches: readonly BreachFact[];
}

/** An agreed time that passed. */
export interface BreachFact {
  readonly of: 'response' | 'completion';
  readonly at: string;
  /** Who had the request then. */
  readonly target: string;
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
  /** That happened while it had the request, which another may have now. */
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
  const breached = new Map<string, number>();
  for (const request of requests) {
    const asked = targets.get(request.target);
    if (asked) asked.push(request);
    else targets.set(request.target, [request]);
    for (const { target } of request.breaches) breached.set(target, (breached.get(target) ?? 0) + 1);
  }
  for (const target of breached.keys()) if (!targets.has(target)) targets.set(target, []);
  return [...targets]
    .map(([target, asked]) => ({
      target,
      depth: asked.filter(isQueued).length,
      breaches: breached.get(target) ?? 0,
      ...timesOf(asked),
    }))
    .sort((a, b) => b.depth - a.depth || b.breaches - a.breaches || (a.target < b.target ? -1 : 1));
}

function timesOf(requests: readonly RequestFacts[]): Pick<TargetQueue, 'response' | 'completion'> {
  return {
    response: spans(
      requests.flatMap(({ available_at, responded_at }) =>
        responded_at === null ? [] : [msBetween(available_at, responded_at)],
      ),
    ),
    completion: spans(
      requests.flatMap(({ accepted_at, processed_at }) =>
        accepted_at === null || processed_at === null ? [] : [msBetween(accepted_at, processed_at)],
      ),
    ),
  };
}

export function stewardOf(requests: readonly RequestFacts[], now: string, calendar: Calendar): Steward {
  const by_status: Record<string, number> = {};
  for (const { status } of requests) by_status[status] = (by_status[status] ?? 0) + 1;
  const breaches = requests.flatMap((request) => request.breaches);
  return {
    depth: requests.filter(isQueued).length,
    by_status,
    by_target: queuesOf(requests),
    ...timesOf(requests),
    response_breaches: breaches.filter((breach) => breach.of === 'response').length,
    completion_breaches: breaches.filter((breach) => breach.of === 'completion').length,
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
  const breaches = perDay(
    requests.flatMap((request) => request.breaches.map(({ at }) => at)),
    calendar,
  );
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
