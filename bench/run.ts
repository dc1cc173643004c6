/**
 * npm run bench: how fast Holdpoint is, beside what it is measured against, in one run; written to docs/performance.md.
 * npm run bench -- --quick    fewer sizes and rounds, printed only
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { describeHost, findHost, root } from '../test/support/host.ts';
import { temporaryFolder } from '../test/support/temporary.ts';
import { packInto } from '../test/support/vsix.ts';
import { measureActivation } from './activation.ts';
import { measureAnswers } from './answers.ts';
import { measureCommits } from './commits.ts';
import type { CommitFigures } from './commits.ts';
import { machineLine, writeBetweenMarks } from './document.ts';
import { describeDisk } from './floor.ts';
import { measureGate } from './gate.ts';
import { installBenchPackages } from './install.ts';
import { measureMemory } from './memory.ts';
import { measureOpening } from './opening.ts';
import type { OpeningFigures } from './opening.ts';
import { reportOf } from './report.ts';
import { measureSaving } from './saving.ts';
import type { SavingFigures } from './saving.ts';
import { makeSeed } from './seed.ts';

const quick = process.argv.includes('--quick');
const plan = quick
  ? {
      sizes: [1_000, 10_000],
      writers: [1, 4],
      rounds: 7,
      exportingRounds: 2,
      roundMs: 400,
      starts: 3,
      gates: 12,
      events: 10_000,
      asked: 100,
    }
  : {
      sizes: [1_000, 10_000, 100_000],
      writers: [1, 2, 4],
      rounds: 15,
      exportingRounds: 3,
      roundMs: 700,
      starts: 9,
      gates: 60,
      events: 100_000,
      asked: 400,
    };
/** How many questions are open where the gate is asked. */
const gateQuestions = 10_000;

const started = performance.now();
const say = (line: string) => {
  console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${line}`);
};

// Stopping goes through `exit`, where everything that was started is ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

installBenchPackages();
const { nativeName } = await import('./native.ts');
if (spawnSync(process.execPath, ['esbuild.config.mjs'], { cwd: root, stdio: 'inherit' }).status !== 0) process.exit(1);
const host = await findHost();
const temporary = await temporaryFolder();
try {
  const { folder } = temporary;
  const machine = machineLine(describeDisk(folder));
  say(machine);
  say(`Measured against ${nativeName()}`);

  say('Activation');
  const activation = await measureActivation(folder, plan.starts);
  const commits: CommitFigures[] = [];
  const openings: OpeningFigures[] = [];
  const savings: SavingFigures[] = [];
  let answers: Awaited<ReturnType<typeof measureAnswers>> | undefined;
  let gate: Awaited<ReturnType<typeof measureGate>> | undefined;
  for (const records of plan.sizes) {
    const place = path.join(folder, String(records));
    mkdirSync(place);
    say(`A store of ${String(records)} questions`);
    const seed = await makeSeed(place, records);
    if (records === plan.sizes[0]) {
      say('  from answer to tool call');
      answers = await measureAnswers(place, seed, quick ? 40 : 200);
    }
    if (records === gateQuestions) {
      say('  gate');
      gate = await measureGate(place, seed, plan.gates);
    }
    say('  opening');
    openings.push(await measureOpening(place, seed, records, records > 10_000 || quick ? 2 : 5));
    savings.push(await measureSaving(place, seed, records));
    for (const writers of plan.writers) {
      say(`  commits, ${String(writers)} at once`);
      commits.push(await measureCommits(place, seed, records, writers, plan));
    }
  }
  say(`Project memory, ${String(plan.events)} events`);
  const memory = await measureMemory(folder, plan.events, plan.asked);
  const { size } = await stat(await packInto(folder));
  if (!answers || !gate) throw new Error('the plan leaves something out');
  const lasted = (performance.now() - started) / 1000;
  const report = reportOf({
    machine,
    host: await describeHost(host),
    native: nativeName(),
    seconds: lasted,
    commits,
    answers,
    activation,
    gate,
    openings,
    savings,
    memory,
    vsixBytes: size,
  });
  console.log(`\n${report}\n`);
  if (!quick) await writeBetweenMarks('performance.md', report);
  say(quick ? 'Done (a quick run is not written down)' : 'Written to docs/performance.md');
} finally {
  await temporary.remove();
}
process.exit();
