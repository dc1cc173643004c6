/** npm run bench: measures Holdpoint and its references in one run, and writes bench/results/performance.md. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../test/support/host.ts';
import { temporaryFolder } from '../test/support/temporary.ts';
import { machineLine, writeBetweenMarks } from './document.ts';
import { installBenchPackages } from './install.ts';
import type { Bench, Part } from './part.ts';
import { parts } from './parts.ts';
import { makeSeed, type Seed } from './seed.ts';

const usualMinutes = 30;
const help = `npm run bench [-- --only NAMES] [--quick] [--minutes N] [--list]

Measures Holdpoint beside what it is compared with, in turns, so that ratios hold on other machines too. A whole run
goes to bench/results/performance.md; any other is printed only.

--only NAMES   only these parts, with commas between: ${parts.map(({ name }) => name).join(',')}
--quick        fewer sizes and rounds, to see that it runs
--minutes N    the most it may take, ${String(usualMinutes)} by default: a part that does not fit any more is left out, and said
--list         what each part measures`;

const { values } = parseArgs({
  options: {
    ...{ only: { type: 'string' }, minutes: { type: 'string' } },
    ...{ quick: { type: 'boolean' }, list: { type: 'boolean' }, help: { type: 'boolean' } },
  },
});
if (values.help) stop(help, 0);
if (values.list) stop(parts.map(({ name, what }) => `${name.padEnd(11)} ${what}`).join('\n'), 0);
const minutes = Number(values.minutes ?? usualMinutes);
if (!(minutes > 0)) stop('--minutes takes a number of minutes', 1);
const wanted = values.only?.split(',');
for (const name of wanted ?? [])
  if (!parts.some((part) => part.name === name)) stop(`--only: there is no part "${name}". See --list`, 1);
const chosen = parts.filter(({ name }) => wanted?.includes(name) ?? true);
const quick = values.quick ?? false;
const whole = chosen.length === parts.length && !quick;

// Signals go through `exit`, which ends all started programs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const started = performance.now();
const seconds = () => (performance.now() - started) / 1000;
const say = (line: string) => {
  console.log(`${seconds().toFixed(0).padStart(4)} s  ${line}`);
};

installBenchPackages();
if (spawnSync(process.execPath, ['esbuild.config.mjs'], { cwd: root, stdio: 'inherit' }).status !== 0)
  stop('The build failed: nothing was measured.', 1);
const machine = machineLine();
say(machine);
const temporary = await temporaryFolder();
const sections: string[] = [];
const missing: string[] = [];
try {
  const bench = benchIn(temporary.folder);
  for (const part of chosen) await measure(part, bench);
} finally {
  await temporary.remove();
}
const report = [
  `Machine: ${machine}. The run took ${seconds().toFixed(0)} s. In cells with brackets: the median, and the middle half of all rounds.`,
  ...sections,
].join('\n\n');
console.log(`\n${report}\n`);
if (whole) await writeBetweenMarks('performance.md', report);
say(
  whole
    ? 'Written to bench/results/performance.md'
    : 'Not written to bench/results/performance.md: that takes a whole run',
);
for (const line of missing) say(line);
process.exit(missing.length > 0 ? 1 : 0);

async function measure(part: Part, bench: Bench): Promise<void> {
  say(`${part.name}: ${part.what}`);
  const left = minutes * 60 - seconds();
  try {
    if (left <= 0) throw new Error(`the ${String(minutes)} minutes of the run were over`);
    sections.push(await within(Math.min(part.minutes * 60, left), part.run(bench)));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    missing.push(`${part.name} was not measured: ${why}`);
    sections.push(`### Not measured: ${part.name}\n\n${part.what}: ${why.split('\n', 1)[0] ?? ''}.`);
    say(`  not measured: ${error instanceof Error ? (error.stack ?? why) : why}`);
  }
}

async function within<T>(limit: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`it took more than ${limit.toFixed(0)} s`));
    }, limit * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function benchIn(folder: string): Bench {
  const seeds = new Map<number, Promise<Seed>>();
  const seed = (questions: number) => {
    say(`  a store of ${String(questions)} questions`);
    const place = path.join(folder, String(questions));
    mkdirSync(place);
    return makeSeed(place, questions);
  };
  return {
    ...{ folder, quick, say },
    seed(questions) {
      const made = seeds.get(questions) ?? seed(questions);
      seeds.set(questions, made);
      return made;
    },
  };
}

function stop(text: string, code: number): never {
  console.log(text);
  process.exit(code);
}
