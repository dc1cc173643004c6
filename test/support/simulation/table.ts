/** The table of a simulated day: before and after, as Markdown. */
import { interruption } from '../../../src/core/kit/words.ts';
import { defaultParking } from '../../../src/core/state/parking.ts';
import { defaultInterruptions } from '../../../src/core/state/interruptions.ts';
import type { Interruptions } from '../../../src/core/records/interruptions.ts';
import { simulate } from './day.ts';
import type { Day, DayOptions } from './day.ts';

const { now, digest, silent } = interruption.enum;

/** Critical and high at once, medium in a digest, low only in the list, at most four an hour of each agent. */
export const policy = (digestMinutes: number): Interruptions => ({
  urgencies: { critical: now, high: now, medium: digest, low: silent },
  ...{ agents: [], digestMinutes, perHour: 4 },
});

const never = { critical: 0, high: 0, medium: 0, low: 0 };
/** As `waitMs` of src/mcp/calls.ts. */
const callSeconds = 45;

type Setting = Pick<DayOptions, 'interruptions' | 'parking' | 'callSeconds' | 'together' | 'precedents'>;

const without = { parking: never, together: false, precedents: false };
const withBoth = { parking: defaultParking, callSeconds, together: true };

export const settings: Readonly<Record<string, Setting>> = {
  'before, one call': { ...without, interruptions: null, callSeconds: null },
  'before, calls of 45 s': { ...without, interruptions: null, callSeconds },
  'parking, bursts, same shape': { ...withBoth, interruptions: defaultInterruptions, precedents: false },
  'and precedents': { ...withBoth, interruptions: defaultInterruptions, precedents: true },
  'digest every 10 min': { ...withBoth, interruptions: policy(10), precedents: false },
  'digest every 30 min': { ...withBoth, interruptions: policy(30), precedents: false },
  'digest every 10 min, precedents': { ...withBoth, interruptions: policy(10), precedents: true },
  'digest every 30 min, precedents': { ...withBoth, interruptions: policy(30), precedents: true },
};

const minutes = (ms: number | null) => (ms === null ? '–' : `${(ms / 60_000).toFixed(1)} min`);
const thousands = (tokens: number) => `${String(Math.round(tokens / 1_000)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}k`;

const rows: Readonly<Record<string, (day: Day) => string>> = {
  'questions asked': ({ asked }) => String(asked),
  'questions answered': ({ answered }) => String(answered),
  'of these by precedents': ({ byPrecedents }) => String(byPrecedents),
  interruptions: (day) => String(day.interruptions),
  '25 minutes or more without one': ({ quietStretches }) => String(quietStretches),
  'median wait, all questions': ({ medianWaitMs }) => minutes(medianWaitMs),
  'median wait, stopped agents': ({ medianStopMs }) => minutes(medianStopMs),
  'parked / resumed': ({ parked, resumed }) => `${String(parked)} / ${String(resumed)}`,
  'expired caches': ({ expired }) => String(expired),
  'tokens lost (paid for again)': ({ tokensLost }) => thousands(tokensLost),
  'tokens read from the cache to go on waiting': ({ tokensReread }) => thousands(tokensReread),
  'both as input tokens': ({ tokensLost, tokensReread }) => thousands(tokensLost * 1.15 + tokensReread * 0.1),
};

export function simulationTable(day: Pick<DayOptions, 'seed' | 'agents' | 'hours'>): string {
  const days = Object.values(settings).map((setting) => simulate({ ...day, ...setting }));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(['', ...Object.keys(settings)]),
    line(['---', ...days.map(() => '---:')]),
    ...Object.entries(rows).map(([name, cell]) => line([name, ...days.map(cell)])),
  ].join('\n');
}
