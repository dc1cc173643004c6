/** Arithmetic for the dashboards. Times are ISO 8601 UTC, durations are milliseconds. */
import type { State } from '../state/state.ts';
import { urgency as urgencies, type Urgency } from '../kit/words.ts';

/** Statistics of durations. The 90th percentile is by nearest rank; all but the count are null without data. */
export interface Spans {
  readonly count: number;
  readonly mean_ms: number | null;
  readonly median_ms: number | null;
  readonly p90_ms: number | null;
}

export function spans(values: readonly number[]): Spans {
  if (values.length === 0) return { count: 0, mean_ms: null, median_ms: null, p90_ms: null };
  const sorted = [...values].sort((a, b) => a - b);
  const sum = sorted.reduce((total, value) => total + value, 0);
  return {
    count: sorted.length,
    mean_ms: Math.round(sum / sorted.length),
    median_ms: medianOf(sorted),
    p90_ms: atRank(sorted, 0.9),
  };
}

/** Of an even number of values, the mean of the two in the middle. */
function medianOf(sorted: readonly number[]): number {
  const [lower = 0, upper = lower] = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return Math.round((lower + upper) / 2);
}

/** Nearest rank: the smallest value that is not below that share of all. */
function atRank(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Duration between two times; never negative, because the clocks of programs differ. */
export function msBetween(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

const dayMs = 24 * 60 * 60 * 1000;

export interface Calendar {
  /** Minutes by which local time is ahead of UTC at a time: it differs between summer and winter. */
  readonly offsetMinutes: (time: string) => number;
  /** Number of days back, including today. */
  readonly days: number;
}

/** The day of a time, as YYYY-MM-DD. */
export function dayOf(time: string, { offsetMinutes }: Calendar): string {
  return new Date(Date.parse(time) + offsetMinutes(time) * 60_000).toISOString().slice(0, 10);
}

/** The last days, oldest first, up to today. */
export function lastDays(now: string, calendar: Calendar): string[] {
  const today = startOf(dayOf(now, calendar));
  return Array.from({ length: calendar.days }, (_, index) =>
    new Date(today - (calendar.days - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

/** How many of the times fall on each day. */
function perDay(times: readonly (string | null)[], calendar: Calendar): ReadonlyMap<string, number> {
  const days = new Map<string, number>();
  for (const time of times) {
    if (time === null) continue;
    const day = dayOf(time, calendar);
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  return days;
}

/** The end of a day in the reader's time zone. */
export function endOf(day: string, { offsetMinutes }: Calendar): string {
  const midnight = startOf(day) + dayMs;
  const at = (offset: number) => new Date(midnight - offset * 60_000).toISOString();
  // Midnight in UTC may be on the other side of a change between summer and winter time.
  return at(offsetMinutes(at(offsetMinutes(at(0)))));
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`);
}

// How humans keep up: response times, questions per day, expired questions, rejected AI answers, reused answers.

interface HumansDay {
  /** YYYY-MM-DD in the reader's calendar. */
  readonly day: string;
  /** Questions raised on that day. */
  readonly raised: Readonly<Record<Urgency, number>>;
  /** Questions decided by a human on that day. */
  readonly decided: number;
}

export interface Humans {
  readonly waiting: number;
  readonly answered: number;
  readonly cancelled: number;
  readonly released: number;
  /** By the agent that asked. */
  readonly withdrawn: number;
  /** Questions not decided in time, whether released since or not. */
  readonly expired: number;
  readonly time_to_answer: Spans;
  readonly time_to_answer_by_urgency: Readonly<Record<Urgency, Spans>>;
  /** Oldest first, today last. */
  readonly days: readonly HumansDay[];
  /** How often agents received an earlier answer again, and how many answers were excluded from reuse. */
  readonly reused: number;
  readonly revoked: number;
  /** Answers of the AI reviewer shown to humans, those rejected, and follow-up calls. */
  readonly ai_answers: number;
  readonly ai_overruled: number;
  readonly reviewer_loops: number;
}

/** Figures from the projection that the state does not contain. */
export interface HumansCounts {
  readonly reused: number;
  readonly ai_answers: number;
  readonly ai_overruled: number;
}

export function humansOf(state: State, counts: HumansCounts, now: string, calendar: Calendar): Humans {
  const questions = [...state.questions.values()];
  const how = (wanted: string) => questions.filter(({ resolution }) => resolution?.how === wanted);
  const answered = how('answered');
  const took = (of: Urgency | null) =>
    spans(
      answered
        .filter(({ urgency }) => of === null || urgency === of)
        .map(({ raisedAt, resolution }) => msBetween(raisedAt, resolution?.at ?? raisedAt)),
    );
  const days = new Map(lastDays(now, calendar).map((day) => [day, { day, raised: byUrgency(() => 0), decided: 0 }]));
  for (const question of questions) {
    const { raisedAt, urgency, resolution } = question;
    const raised = days.get(dayOf(raisedAt, calendar));
    if (raised) raised.raised[urgency] += 1;
    const isHumans = resolution !== null && resolution.how !== 'withdrawn';
    const decided = isHumans ? days.get(dayOf(resolution.at, calendar)) : undefined;
    if (decided) decided.decided += 1;
  }
  return {
    waiting: questions.filter(
      ({ status, mode, resolution }) => resolution === null && (status === 'pending' || mode === 'sync'),
    ).length,
    answered: answered.length,
    cancelled: how('cancelled').length,
    released: how('released').length,
    withdrawn: how('withdrawn').length,
    expired: questions.filter(({ status }) => status === 'expired').length,
    time_to_answer: took(null),
    time_to_answer_by_urgency: byUrgency(took),
    days: [...days.values()],
    reused: counts.reused,
    revoked: questions.filter(({ revoked }) => revoked !== null).length,
    ai_answers: counts.ai_answers,
    ai_overruled: counts.ai_overruled,
    reviewer_loops: [...state.rfcs.values()].reduce((sum, { review }) => sum + review.loops, 0),
  };
}

function byUrgency<T>(make: (urgency: Urgency) => T): Record<Urgency, T> {
  return Object.fromEntries(urgencies.options.map((one) => [one, make(one)])) as Record<Urgency, T>;
}

// Health of the request queue.

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

interface StewardDay {
  readonly day: string;
  readonly created: number;
  readonly closed: number;
  /** Number of open requests at the end of the day, deferred ones and those not yet available among them. */
  readonly depth: number;
  readonly breaches: number;
}

/** How one responsibility keeps up with its requests. */
interface TargetQueue {
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
  const targets = Map.groupBy(requests, ({ target }) => target);
  const breached = new Map<string, number>();
  for (const { target } of requests.flatMap(({ breaches }) => breaches))
    breached.set(target, (breached.get(target) ?? 0) + 1);
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
  const took = (from: string | null, to: string | null) => (from === null || to === null ? [] : [msBetween(from, to)]);
  return {
    response: spans(requests.flatMap(({ available_at, responded_at }) => took(available_at, responded_at))),
    completion: spans(requests.flatMap(({ accepted_at, processed_at }) => took(accepted_at, processed_at))),
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
  const count = (times: (request: RequestFacts) => readonly (string | null)[]) =>
    perDay(requests.flatMap(times), calendar);
  const created = count(({ created_at }) => [created_at]);
  const closed = count(({ closed_at }) => [closed_at]);
  const breaches = count((request) => request.breaches.map(({ at }) => at));
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
