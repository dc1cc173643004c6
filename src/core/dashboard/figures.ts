/** Arithmetic for the dashboards. Times are ISO 8601 UTC, durations are milliseconds. */

/** Statistics of durations. The 90th percentile is by nearest rank; all are null without data. */
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
    median_ms: atRank(sorted, 0.5),
    p90_ms: atRank(sorted, 0.9),
  };
}

/** Nearest rank: the smallest value that is not below that share of all. */
function atRank(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Duration between two times; never negative, because the clocks of programs differ. */
export function between(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

const dayMs = 24 * 60 * 60 * 1000;

/** The reader's calendar. */
export interface Calendar {
  /** Minutes by which local time is ahead of UTC. */
  readonly utcOffsetMinutes: number;
  /** Number of days back, including today. */
  readonly days: number;
}

/** The day of a time, as YYYY-MM-DD. */
export function dayOf(time: string, { utcOffsetMinutes }: Calendar): string {
  return new Date(Date.parse(time) + utcOffsetMinutes * 60_000).toISOString().slice(0, 10);
}

/** The last days, oldest first, up to today. */
export function lastDays(now: string, calendar: Calendar): string[] {
  return Array.from({ length: calendar.days }, (_, index) =>
    dayOf(new Date(Date.parse(now) - (calendar.days - 1 - index) * dayMs).toISOString(), calendar),
  );
}

/** The end of a day in the reader's time zone. */
export function endOf(day: string, { utcOffsetMinutes }: Calendar): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + dayMs - utcOffsetMinutes * 60_000).toISOString();
}
