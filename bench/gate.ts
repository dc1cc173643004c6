/** `holdpoint gate` as shells run it, and the program of hooks as hosts do, against a Node that does nothing. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../test/support/host.ts';
import { copySeed, environmentOf } from './seed.ts';
import type { Place, Seed } from './seed.ts';
import { sharedNow } from './stats.ts';

export interface GateFigures {
  /** Milliseconds from the start of the program to its end, round by round. */
  readonly bare: readonly number[];
  readonly saved: readonly number[];
  readonly unsaved: readonly number[];
  readonly denied: readonly number[];
  /** An edit that goes on, one that is denied, and a file that is read. */
  readonly hookAllowed: readonly number[];
  readonly hookDenied: readonly number[];
  readonly hookReads: readonly number[];
}

export async function measureGate(parent: string, seed: Seed, rounds: number): Promise<GateFigures> {
  const saved = copySeed(parent, seed, true);
  const unsaved = copySeed(parent, seed, false);
  const none = (): number[] => [];
  const figures = {
    ...{ bare: none(), saved: none(), unsaved: none(), denied: none() },
    ...{ hookAllowed: none(), hookDenied: none(), hookReads: none() },
  };
  const gate = (place: Place, ...asked: string[]) => [
    path.join(root, 'dist', 'cli.cjs'),
    ...['--workspace', place.folder, 'gate', ...asked],
  ];
  const hook = [path.join(root, 'dist', 'hook.cjs'), 'claude-code', '--workspace', saved.folder];
  const call = (tool_name: string, file: string) =>
    JSON.stringify({
      ...{ hook_event_name: 'PreToolUse', session_id: 'bench', cwd: saved.folder, tool_name },
      tool_input: { file_path: path.join(saved.folder, file) },
    });
  const free = ['--work', 'free', '--file', 'docs/readme.md'];
  const held = ['--work', 't-7', '--file', 'src/area-7/import.ts'];
  const environment = environmentOf(saved);
  const unsavedEnvironment = environmentOf(unsaved);
  try {
    // The first round of each does not count: files are read from the disk once.
    for (let round = -1; round < rounds; round++) {
      const took = {
        bare: await timed(['-e', '0'], environment, 0),
        saved: await timed(gate(saved, ...free), environment, 0),
        denied: await timed(gate(saved, ...held), environment, 2),
        hookAllowed: await timed(hook, environment, 0, call('Edit', 'docs/readme.md')),
        hookDenied: await timed(hook, environment, 2, call('Edit', 'src/area-7/import.ts')),
        hookReads: await timed(hook, environment, 0, call('Read', 'src/area-7/import.ts')),
        // Slower by far, so it need not run as often.
        unsaved: round % 4 === 0 ? await timed(gate(unsaved, ...free), unsavedEnvironment, 0) : null,
      };
      if (round < 0) continue;
      figures.bare.push(took.bare);
      figures.saved.push(took.saved);
      figures.denied.push(took.denied);
      figures.hookAllowed.push(took.hookAllowed);
      figures.hookDenied.push(took.hookDenied);
      figures.hookReads.push(took.hookReads);
      if (took.unsaved !== null) figures.unsaved.push(took.unsaved);
    }
  } finally {
    for (const { folder } of [saved, unsaved]) fs.rmSync(path.dirname(folder), { recursive: true, force: true });
  }
  return figures;
}

function timed(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  expected: number,
  input: string | null = null,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = sharedNow();
    const child = spawn(process.execPath, args, {
      env,
      stdio: [input === null ? 'ignore' : 'pipe', 'ignore', 'ignore'],
    });
    child.stdin?.end(input);
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === expected) resolve(sharedNow() - began);
      else reject(new Error(`${args.join(' ')}: exit ${String(code)}, not ${expected}`));
    });
  });
}
