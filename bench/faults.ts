/**
 * npm run faults: injects faults into stores, thousands of times, and writes the results to bench/results/reliability.md. `npm
 * run faults -- --help` lists the options.
 */
import { performance } from 'node:perf_hooks';
import { calls } from '../test/support/faults/calls.ts';
import { clockFaults } from '../test/support/faults/clocks.ts';
import { cuts } from '../test/support/faults/cuts.ts';
import { flips } from '../test/support/faults/flips.ts';
import { flood } from '../test/support/faults/flood.ts';
import { kills } from '../test/support/faults/kills.ts';
import { powerLoss } from '../test/support/faults/power.ts';
import { races } from '../test/support/faults/races.ts';
import { holds, type Budget, type Row } from '../test/support/faults/row.ts';
import { skew } from '../test/support/faults/skew.ts';
import { sharedFaults, type SharedFault } from '../test/support/faults/shared/all.ts';
import { startTeam, type Team } from '../test/support/faults/shared/team.ts';
import { stops } from '../test/support/faults/stops.ts';
import { bundleWriter } from '../test/support/store/programs.ts';
import { makeSandbox, removeSandboxes } from '../test/support/store/sandbox.ts';
import { machineLine, table, writeBetweenMarks } from './document.ts';
import { thousands } from './stats.ts';

/** Each with its maximum share of the time. */
type Faults = Readonly<Record<string, { readonly share: number; run(bundle: string, budget: Budget): Promise<Row[]> }>>;
const localFaults: Faults = {
  kills: { share: 0.2, run: kills },
  calls: { share: 0.15, run: (_, budget) => calls(budget) },
  stops: { share: 0.06, run: stops },
  clocks: { share: 0.06, run: clockFaults },
  flips: { share: 0.08, run: (_, budget) => flips(budget) },
  cuts: { share: 0.1, run: (_, budget) => cuts(budget) },
  flood: { share: 0.06, run: flood },
  races: { share: 0.1, run: races },
  power: { share: 0.06, run: (_, budget) => powerLoss(budget) },
  skew: { share: 0.02, run: skew },
};

const sharesOfShared: Readonly<Record<SharedFault, number>> = {
  partitions: 0.3,
  silences: 0.08,
  crashes: 0.06,
  spam: 0.03,
  clockJumps: 0.05,
  backups: 0.07,
  standbys: 0.05,
  stoppedHolders: 0.06,
  kills: 0.3,
};

const options = process.argv.slice(2);
const isShared = options.includes('--shared');
const names = Object.keys(isShared ? sharedFaults : localFaults);
const usualMinutes = 20;
const help = `npm run faults [-- --shared] [--scale N] [--minutes N] [--only ${names.join(',')}]

Injects faults into stores: programs killed and stopped, each call to the file system failing,
wrong clocks, flipped bits, truncated journals, floods, races, power losses, programs of other versions. After each it
checks that nothing acknowledged is lost or duplicated, no hold disappears, and all programs read the same.

Takes about 10 minutes on two quiet cores, and never more than ${String(usualMinutes)}: each fault has its share of the time, and the
result names faults that did not fit into it. The result goes to bench/results/reliability.md.

--shared      injects faults into a shared journal: a PostgreSQL server of its own, and machines behind proxies that cut
              them off; takes about 10 minutes. With --help, lists its names for --only
--scale N     multiplies the usual counts (0.1: a tenth). Other than 1: printed only
--minutes N   time limit; default ${String(usualMinutes)}
--only NAMES  only these, with commas between. Printed only

Ends with 0 when all held, as often as it was to be tried.`;

if (options.includes('--help')) {
  console.log(help);
  process.exit();
}
const scale = numberAfter('--scale', 1);
const minutes = numberAfter('--minutes', usualMinutes);
const only = valueAfter('--only')?.split(',') ?? names;
const unknown = only.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`--only takes ${names.join(', ')}, not ${unknown.join(', ')}`);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
const started = performance.now();
const elapsed = () => (performance.now() - started) / 1000;
const say = (line: string) => {
  console.log(`${elapsed().toFixed(0).padStart(4)} s  ${line}`);
};

const machine = machineLine();
const tools = makeSandbox();
const bundle = await bundleWriter(tools.base);
const team = isShared ? await startTeam() : null;
const faults = team ? withTeam(team) : localFaults;
const rows: Row[] = [];
let given = 0;
for (const name of only) {
  const fault = faults[name];
  if (!fault) continue;
  // Includes the time that earlier faults did not use.
  given += fault.share * minutes * 60;
  const began = elapsed();
  for (const row of await fault.run(bundle, { scale, until: started + given * 1000 })) {
    rows.push(row);
    say(`${holds(row) ? 'held' : 'NOT '}  ${thousands(row.times)} × ${row.fault}`);
    for (const wrong of row.wrong.slice(0, 3)) say(`      ${wrong}`);
  }
  say(`      ${name} took ${(elapsed() - began).toFixed(0)} s`);
}
const all = rows.every(holds);
const total = rows.reduce((sum, { times }) => sum + times, 0);
const report = [
  `Machine: ${machine}. ${thousands(total)} faults in ${(elapsed() / 60).toFixed(0)} min.`,
  table(
    ['fault', 'times', 'what must hold', 'result', 'how it ended'],
    rows.map((row) => [
      row.fault,
      row.times >= row.wanted ? thousands(row.times) : `${thousands(row.times)} of ${thousands(row.wanted)}`,
      row.must,
      resultOf(row),
      Object.entries(row.counts)
        .map(([what, times]) => `${what}: ${thousands(times)}`)
        .join(', '),
    ]),
  ),
].join('\n\n');
console.log(`\n${report}\n`);
const whole = scale === 1 && only.length === names.length;
if (whole) await writeBetweenMarks('reliability.md', report, isShared ? 'shared faults' : 'faults');
say(all ? 'All held' : 'Not all held');
await team?.close();
removeSandboxes();
process.exit(all ? 0 : 1);

/** One team goes through all of them. */
function withTeam(team: Team): Faults {
  return Object.fromEntries(
    Object.entries(sharedFaults).map(([name, run]) => [
      name,
      {
        share: sharesOfShared[name as SharedFault],
        run: (bundle: string, budget: Budget) => run({ bundle, team, budget }),
      },
    ]),
  );
}

function resultOf(row: Row): string {
  if (row.wrong.length > 0) return `**${thousands(row.wrong.length)} times not**`;
  return row.times >= row.wanted ? 'held' : 'held, within the time available';
}

function valueAfter(option: string): string | undefined {
  const at = options.indexOf(option);
  return at < 0 ? undefined : options[at + 1];
}

function numberAfter(option: string, usual: number): number {
  const value = valueAfter(option);
  if (value === undefined) return usual;
  if (!(Number(value) > 0)) throw new Error(`${option} takes a number above 0`);
  return Number(value);
}
