/** The results of the fault harness: one row for each fault. */

export interface Row {
  readonly fault: string;
  /** How often the fault was injected, and how often it was planned. */
  times: number;
  wanted: number;
  /** The property that must hold. */
  readonly must: string;
  /** The cases in which it did not. */
  readonly wrong: string[];
  /** Additional counts, such as how programs ended. */
  readonly counts: Record<string, number>;
}

export interface Budget {
  /** Share of the usual counts; 1 for all. */
  readonly scale: number;
  /** When to stop, by `performance.now()`; the report shows the skipped rest. */
  readonly until: number;
}

export function newRow(fault: string, wanted: number, must: string): Row {
  return { fault, times: 0, wanted, must, wrong: [], counts: {} };
}

export function count(row: Row, what: string, by = 1): void {
  row.counts[what] = (row.counts[what] ?? 0) + by;
}

/** Runs one case; an exception is a failure. */
export async function once(row: Row, where: string, act: () => unknown): Promise<void> {
  row.times++;
  await aside(row, where, act);
}

/** Runs a check that does not count as a case. */
export async function aside(row: Row, where: string, act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    row.wrong.push(`${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

export function scaled(budget: Budget, usual: number): number {
  return Math.max(1, Math.round(usual * budget.scale));
}

export function goesOn(budget: Budget): boolean {
  return performance.now() < budget.until;
}

export function holds(row: Row): boolean {
  return row.wrong.length === 0 && row.times >= row.wanted;
}

/** The same numbers in each run, so that failures are repeatable. Source: mulberry32, public domain. */
export function newRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
