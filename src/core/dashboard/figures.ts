/** Arithmetic for the dashboards. Times are ISO 8601 UTC, durations are milliseconds. */

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
export function perDay(times: readonly (string | null)[], calendar: Calendar): ReadonlyMap<string, number> {
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
