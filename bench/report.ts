/** All figures of a run as tables, each beside its goal. */
import type { ActivationFigures } from './activation.ts';
import type { AnswerFigures } from './answers.ts';
import type { CommitFigures } from './commits.ts';
import { growth } from './commits.ts';
import { table } from './document.ts';
import type { GateFigures } from './gate.ts';
import type { MemoryFigures } from './memory.ts';
import type { Opened } from './opener.ts';
import type { OpeningFigures } from './opening.ts';
import type { SavingFigures } from './saving.ts';
import { median, quantile, short, thousands, told } from './stats.ts';

export interface Figures {
  readonly machine: string;
  readonly host: string;
  readonly native: string;
  readonly seconds: number;
  readonly commits: readonly CommitFigures[];
  readonly answers: AnswerFigures;
  readonly activation: ActivationFigures;
  readonly gate: GateFigures;
  readonly openings: readonly OpeningFigures[];
  readonly memory: MemoryFigures;
  readonly savings: readonly SavingFigures[];
  readonly vsixBytes: number;
}

const goals = {
  commitRatio: 1.5,
  commitRatioAtMost: 3,
  growth: 1.5,
  answerHereMs: 100,
  answerAcrossMs: 500,
  activationMs: 50,
  gateRatio: 5,
  briefingMs: 50,
  searchMs: 100,
  vsixBytes: 1_000_000,
};

const met = (value: number, goal: number) => (value <= goal ? 'yes' : 'no');

export function reportOf(figures: Figures): string {
  return [
    `Machine: ${figures.machine}. The run took ${String(Math.round(figures.seconds))} s. In each cell: the median (and the middle half of all rounds).`,
    '### Durable commit',
    `Milliseconds for one acknowledged commit, whichever program made it. Native is ${figures.native}, WAL, \`synchronous=FULL\`, the same tables and indexes; sql.js exports the whole file for each write.`,
    commitTable(figures.commits),
    '### From the smallest store to the largest',
    growthTable(figures.commits),
    '### From an answer to the tool call that waits',
    answerTable(figures.answers),
    '### Start of the extension',
    `In the extension host of ${figures.host}: evaluation of \`dist/extension.cjs\` and the call of \`activate\`.`,
    activationTable(figures.activation),
    '### Gate with 10,000 open questions',
    'From the start of the program to its exit.',
    gateTable(figures.gate),
    '### Opening a store, and memory',
    'SQLite is loaded within that time. Memory is the whole program’s, and in brackets how much of it came with the store.',
    openingTable(figures.openings),
    `### Project memory with ${thousands(figures.memory.events)} events`,
    `In one program that has the store open. Native is ${figures.native} over the same rows: the same briefing, and FTS5 for the search (the best 20 with snippets, and how many there are).`,
    memoryTable(figures.memory),
    '### A snapshot while nothing happens',
    'Written in steps; others get their turn between them. One step is the export of the database.',
    savingTable(figures.savings),
    '### Package',
    table(
      ['what', 'size', 'goal', 'met'],
      [
        [
          'VSIX',
          `${String(Math.round(figures.vsixBytes / 1000))} KB`,
          'under 1 MB',
          met(figures.vsixBytes, goals.vsixBytes),
        ],
      ],
    ),
  ].join('\n\n');
}

function commitTable(all: readonly CommitFigures[]): string {
  const verdict = (ratio: number) => {
    if (ratio <= goals.commitRatio) return 'yes';
    return ratio <= goals.commitRatioAtMost ? `no, but within ${String(goals.commitRatioAtMost)}` : 'no';
  };
  return table(
    ['records', 'programs', 'Holdpoint', 'native', 'sql.js', 'Holdpoint / native', 'p95', 'goal', 'met'],
    all.map((each) => [
      thousands(each.records),
      String(each.writers),
      told(each.holdpoint),
      told(each.native),
      told(each.exporting),
      told(each.ratios),
      `${short(each.p95.holdpoint)} / ${short(each.p95.native)}`,
      `at most ${String(goals.commitRatio)}`,
      verdict(median(each.ratios)),
    ]),
  );
}

function growthTable(all: readonly CommitFigures[]): string {
  const rows = [...new Set(all.map(({ writers }) => writers))].flatMap((writers) => {
    const same = all.filter((each) => each.writers === writers);
    const few = same[0];
    const many = same.at(-1);
    if (!few || !many) return [];
    const [ours, theirs] = [growth(few, many), median(many.native) / median(few.native)];
    return [
      [
        String(writers),
        `${thousands(few.records)} to ${thousands(many.records)}`,
        `${short(ours)} times`,
        `${short(theirs)} times`,
        `at most ${String(goals.growth)} times`,
        met(ours, goals.growth),
      ],
    ];
  });
  return table(['programs', 'records', 'a commit takes', 'native', 'goal', 'met'], rows);
}

function answerTable({ inProcess, across }: AnswerFigures): string {
  const row = (what: string, all: readonly number[], goal: number) => [
    what,
    `${short(median(all))} ms`,
    `${short(quantile(all, 0.95))} ms`,
    `p95 at most ${String(goal)} ms`,
    met(quantile(all, 0.95), goal),
  ];
  return table(
    ['where the call waits', 'p50', 'p95', 'goal', 'met'],
    [
      row('in the program in which a human answers', inProcess, goals.answerHereMs),
      row('in another program', across, goals.answerAcrossMs),
    ],
  );
}

function activationTable({ evaluation, activate }: ActivationFigures): string {
  const both = evaluation.map((each, index) => each + (activate[index] ?? 0));
  return table(
    ['evaluation', 'activate', 'together', 'goal', 'met'],
    [
      [
        `${told(evaluation)} ms`,
        `${told(activate)} ms`,
        `${told(both)} ms`,
        `under ${String(goals.activationMs)} ms`,
        met(median(both), goals.activationMs),
      ],
    ],
  );
}

function gateTable(figures: GateFigures): string {
  const { bare, saved, denied, unsaved, hookAllowed, hookDenied, hookReads } = figures;
  const row = (what: string, all: readonly number[], goal: boolean) => {
    const ratio = median(all) / median(bare);
    const late = quantile(all, 0.95) / quantile(bare, 0.95);
    return [
      what,
      `${short(median(all))} ms`,
      `${short(quantile(all, 0.95))} ms`,
      `${short(ratio)} times, ${short(late)} at p95`,
      goal ? `at most ${String(goals.gateRatio)} times` : 'none',
      goal ? met(Math.max(ratio, late), goals.gateRatio) : '',
    ];
  };
  return table(
    ['program', 'p50', 'p95', 'against bare Node', 'goal', 'met'],
    [
      ['`node -e 0`', `${short(median(bare))} ms`, `${short(quantile(bare, 0.95))} ms`, '1', 'none', ''],
      row('`holdpoint gate`, allowed', saved, true),
      row('`holdpoint gate`, denied for 100 questions', denied, true),
      row('`holdpoint gate`, allowed, without the saved state', unsaved, false),
      row('a hook, an edit that goes on', hookAllowed, true),
      row('a hook, an edit denied for 100 questions', hookDenied, true),
      row('a hook, a file that is read', hookReads, true),
    ],
  );
}

function memoryTable({ briefing, search }: MemoryFigures): string {
  const row = (what: string, { ours, native }: MemoryFigures['search'], goal: number) => [
    what,
    `${short(median(ours))} ms`,
    `${short(quantile(ours, 0.95))} ms`,
    `${short(median(native))} ms`,
    `${short(quantile(native, 0.95))} ms`,
    `p95 at most ${String(goal)} ms`,
    met(quantile(ours, 0.95), goal),
  ];
  return table(
    ['what', 'p50', 'p95', 'native p50', 'native p95', 'goal', 'met'],
    [row('briefing', briefing, goals.briefingMs), row('search', search, goals.searchMs)],
  );
}

function savingTable(all: readonly SavingFigures[]): string {
  return table(
    ['records', 'steps', 'together', 'the longest step', 'goal'],
    all.map(({ records, steps }) => [
      thousands(records),
      String(steps.length),
      `${short(steps.reduce((sum, step) => sum + step, 0))} ms`,
      `${short(Math.max(...steps))} ms`,
      'none',
    ]),
  );
}

function openingTable(all: readonly OpeningFigures[]): string {
  const megabytes = (bytes: number) => String(Math.round(bytes / 2 ** 20));
  const row = (records: number, how: string, opened: readonly Opened[]) => {
    const memory = (of: 'rss' | 'heap') => {
      const after = median(opened.map((each) => each[of]));
      const before = median(opened.map((each) => each.before[of]));
      return `${megabytes(after)} MB (+${megabytes(after - before)})`;
    };
    return [thousands(records), how, `${told(opened.map(({ ms }) => ms))} ms`, memory('rss'), memory('heap'), 'none'];
  };
  return table(
    ['records', 'snapshot', 'time', 'RSS', 'JavaScript heap', 'goal'],
    all.flatMap(({ records, withSnapshot, without }) => [
      row(records, 'yes', withSnapshot),
      row(records, 'no', without),
    ]),
  );
}
