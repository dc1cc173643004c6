/** `holdpoint gate` as shells run it, and the hook program as hosts run it, with 500 open and 20,000 closed questions. */
import fs from 'node:fs';
import path from 'node:path';
import { launcherPath, writeLauncher } from '../src/hosts/setup/launcher.ts';
import { userFolder } from '../src/store/journal/stateFile.ts';
import { root } from '../test/support/host.ts';
import type { Part } from './part.ts';
import { bareNode, inTurns, programSection, timed, type Run } from './programs.ts';
import { copySeed, environmentOf, type Place } from './seed.ts';
import { makeFullSeed } from './sizes.ts';
import { median, short } from './stats.ts';

/** Multiples of bare Node. */
const goals = { gate: 2, edit: 2.5, reading: 1.5 };

export const gate: Part = {
  name: 'gate',
  what: 'gate and hooks with 500 open and 20,000 closed questions, against a Node that does nothing',
  minutes: 3,
  async run({ folder, quick }) {
    const made = await makeFullSeed(folder);
    const saved = copySeed(folder, made, true);
    const unsaved = copySeed(folder, made, false);
    const env = environmentOf(saved);
    const ask = (place: Place, what: string, ends: number, ...asked: string[]) => ({
      what,
      args: [path.join(root, 'dist', 'cli.cjs'), '--workspace', place.folder, 'gate', ...asked],
      env: environmentOf(place),
      ends,
    });
    const hook = (what: string, ends: number, tool: string, file: string): Run => ({
      ...{ what, env, ends, goal: tool === 'Read' ? goals.reading : goals.edit },
      ...hookCall(saved, tool, file),
    });
    const free = ['--work', 'free', '--file', 'docs/readme.md'];
    const held = ['--work', 't-7', '--file', 'src/area-7/import.ts'];
    const runs: Run[] = [
      bareNode(env),
      { ...ask(saved, '`holdpoint gate`, allowed', 0, ...free), goal: goals.gate },
      { ...ask(saved, '`holdpoint gate`, denied for 5 questions', 2, ...held), goal: goals.gate },
      { ...ask(unsaved, '`holdpoint gate`, allowed, without the saved state', 0, ...free), seldom: true },
      hook('a hook, an allowed edit', 0, 'Edit', 'docs/readme.md'),
      hook('a hook, an edit denied for 5 questions', 2, 'Edit', 'src/area-7/import.ts'),
      hook('a hook, reading a file', 0, 'Read', 'src/area-7/import.ts'),
    ];
    try {
      const took = await inTurns(runs, quick ? { rounds: 8, forMs: 10_000 } : { rounds: 60, forMs: 45_000 });
      const heading = 'Gate and hooks with 500 open and 20,000 closed questions, and 20,000 events';
      const together = await at50(hook('', 0, 'Edit', 'docs/readme.md'), took[0] ?? []);
      const about =
        'From the start of the program to its exit. The limit is bare Node. Before: the last run on this page.';
      return `${await programSection({ heading, about }, runs, took)}\n\n${together}`;
    } finally {
      for (const place of [saved, unsaved]) fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
    }
  },
};

/** A hook that is late is ended by its watchdog, and denies. */
async function at50(run: Run, bare: readonly number[]): Promise<string> {
  const all = await Promise.allSettled(Array.from({ length: 50 }, () => timed(run)));
  const took = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const ratio = short(Math.max(...took) / (50 * median(bare)));
  return `Of 50 hooks that start at the same moment, ${String(took.length)} answered and ${String(50 - took.length)} were late. The last answer came after ${short(Math.max(...took))} ms: ${ratio} times what 50 programs that do nothing take one after another.`;
}

/** The hook program as Claude Code calls it before a tool. */
function hookCall(place: Place, tool: string, file: string): Pick<Run, 'command' | 'args' | 'input'> {
  const tool_input = { file_path: path.join(place.folder, file) };
  return hookEvent(place, { hook_event_name: 'PreToolUse', tool_name: tool, tool_input });
}

/** The hook program as Claude Code calls it, by the launcher of set-up. */
function hookEvent(place: Place, event: object): Pick<Run, 'command' | 'args' | 'input'> {
  const state = userFolder({ platform: process.platform, env: {}, home: place.home });
  writeLauncher(state, { command: process.execPath, env: {}, programs: path.join(root, 'dist') }, process.platform);
  const isWindows = process.platform === 'win32';
  return {
    command: isWindows ? 'cmd' : launcherPath(state),
    args: [
      ...(isWindows ? ['/d', '/c', `${launcherPath(state)}.cmd`] : []),
      ...['hook', 'claude-code', '--workspace', place.folder],
    ],
    input: JSON.stringify({ session_id: 'bench', cwd: place.folder, ...event }),
  };
}
