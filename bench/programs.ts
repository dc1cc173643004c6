/** Cold starts of programs, timed to their end. */
import { spawn } from 'node:child_process';
import { lastColumn, table } from './document.ts';
import { met } from './part.ts';
import { median, quantile, sharedNow, short } from './stats.ts';

export interface Run {
  /** Label in the table. */
  readonly what: string;
  /** Node, if not given. */
  readonly command?: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The expected exit code, or the start of the first line of its answer, after which it is stopped. */
  readonly ends: number | { readonly withLine: RegExp };
  /** For its standard input. */
  readonly input?: string;
  /** Goal as a multiple of bare Node's time. */
  readonly goal?: number;
  /** Slow enough to run in every fourth round only. */
  readonly seldom?: true;
}

/** The lower limit for every Node program. */
export const bareNode = (env: NodeJS.ProcessEnv): Run => ({ what: '`node -e 0`', args: ['-e', '0'], env, ends: 0 });

/**
 * Runs them in turns, round by round.
 * @returns milliseconds from the program's start to its end (or its line), for each run in order
 */
export async function inTurns(runs: readonly Run[], plan: { rounds: number; forMs: number }): Promise<number[][]> {
  const took = runs.map((): number[] => []);
  const until = performance.now() + plan.forMs;
  // The first round only warms the disk cache.
  for (let round = -1; round < plan.rounds && (round < 5 || performance.now() < until); round++)
    for (const [place, run] of runs.entries()) {
      if (run.seldom && round % 4 !== 0) continue;
      const ms = await timed(run);
      if (round >= 0) took[place]?.push(ms);
    }
  return took;
}

const ratioColumn = 'against bare Node';

/** A section with each program relative to the first, the lower limit, and what the page says of it so far. */
export async function programSection(
  { heading, about }: { readonly heading: string; readonly about: string },
  runs: readonly Run[],
  took: readonly (readonly number[])[],
): Promise<string> {
  const before = await lastColumn('performance.md', heading, ratioColumn);
  const [bare = []] = took;
  const rows = runs.map(({ what, goal }, place) => {
    const all = took[place] ?? [];
    const [ratio, late] = [median(all) / median(bare), quantile(all, 0.95) / quantile(bare, 0.95)];
    return [
      what,
      `${short(median(all))} ms`,
      `${short(quantile(all, 0.95))} ms`,
      place === 0 ? 'the limit' : `${short(ratio)} times, ${short(late)} at p95`,
      before.get(what) ?? '–',
      goal === undefined ? 'none' : `at most ${String(goal)} times`,
      goal === undefined ? '' : met(Math.max(ratio, late), goal),
    ];
  });
  return [`### ${heading}`, about, table(['program', 'p50', 'p95', ratioColumn, 'before', 'goal', 'met'], rows)].join(
    '\n\n',
  );
}

/** @throws Error when it ends in another way */
export function timed({ command = process.execPath, args, env, ends, input }: Run): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = sharedNow();
    const child = spawn(command, args, {
      env,
      stdio: [input === undefined ? 'ignore' : 'pipe', typeof ends === 'number' ? 'ignore' : 'pipe', 'ignore'],
    });
    if (typeof ends === 'number') child.stdin?.end(input);
    else child.stdin?.write(input ?? '');
    child.once('error', reject);
    let ms: number | null = null;
    let out = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (ms !== null || !out.includes('\n')) return;
      ms = sharedNow() - began;
      child.stdin?.end();
    });
    child.once('exit', (code) => {
      if (typeof ends === 'number') ms = code === ends ? sharedNow() - began : null;
      else if (!ends.withLine.test(out)) ms = null;
      if (ms === null) reject(new Error(`${args.join(' ')}: exit ${String(code)} ${out.slice(0, 200)}`));
      else resolve(ms);
    });
  });
}
