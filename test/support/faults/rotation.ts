/** The same faults on a journal that continually rotates to a new file. */
import { setSegments } from '../store/sandbox.ts';
import { calls } from './calls.ts';
import { cuts } from './cuts.ts';
import { flips } from './flips.ts';
import { kills } from './kills.ts';
import { powerLoss } from './power.ts';
import { races } from './races.ts';
import { count, newRow, type Budget, type Row } from './row.ts';
import { stops } from './stops.ts';

interface Kind {
  /** The name of the fault. */
  readonly fault: string;
  /** Maximum length of a file, in bytes (1: a seal follows each act). */
  readonly segmentBytes: number;
  /** Share of the usual counts and of the time. */
  readonly share: number;
  readonly time: number;
  run(bundle: string, budget: Budget): Promise<Row[]>;
}

const kinds: readonly Kind[] = [
  { fault: 'programs killed', segmentBytes: 2_000, share: 0.1, time: 0.3, run: kills },
  { fault: 'each call failing', segmentBytes: 1, share: 0.15, time: 0.3, run: (_, budget) => calls(budget) },
  { fault: 'programs stopped', segmentBytes: 1_000, share: 0.1, time: 0.06, run: stops },
  { fault: 'flipped bits', segmentBytes: 1_000, share: 0.1, time: 0.08, run: (_, budget) => flips(budget) },
  { fault: 'cut off', segmentBytes: 4_000, share: 0.05, time: 0.1, run: (_, budget) => cuts(budget) },
  { fault: 'eight programs race', segmentBytes: 2_000, share: 0.05, time: 0.1, run: races },
  { fault: 'power loss', segmentBytes: 1, share: 0.25, time: 0.06, run: (_, budget) => powerLoss(budget) },
];

export async function rotation(bundle: string, budget: Budget): Promise<Row[]> {
  const rows: Row[] = [];
  let until = performance.now();
  const whole = Number.isFinite(budget.until) ? budget.until - until : Infinity;
  for (const { fault, segmentBytes, share, time, run } of kinds) {
    // Includes the time that earlier faults did not use.
    until += whole * time;
    const before = setSegments(segmentBytes);
    try {
      const done = await run(bundle, { scale: budget.scale * share, until });
      rows.push(together(`in files of ${String(segmentBytes)} bytes: ${fault}`, done));
    } finally {
      setSegments(before);
    }
  }
  return rows;
}

/** Combines several rows into one. */
function together(fault: string, rows: readonly Row[]): Row {
  const all = newRow(fault, 0, 'as above for a single file');
  for (const row of rows) {
    all.times += row.times;
    all.wanted += row.wanted;
    all.wrong.push(...row.wrong.map((wrong) => `${row.fault}, ${wrong}`));
    for (const [what, times] of Object.entries(row.counts)) count(all, what, times);
  }
  return all;
}
