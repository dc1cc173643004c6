/**
 * Runs the host itself in a canary's environment: with the hook that setup writes, a scripted model on this machine,
 * and a separate home. Needs no account and sends nothing off the machine. If the hook does not stop the edit, Claude
 * Code's own permissions do; Gemini CLI, which offers no edits without permission, changes the canary's file.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { collected } from './canary.ts';
import type { Ground } from './canary.ts';
import { hosts } from '../hosts.ts';
import { dialects, startCanaryModel } from './canaryModel.ts';
import { programOf } from './found.ts';
import { partsOf } from './hostFiles.ts';
import type { Place, SetupName } from './place.ts';

export type HostRun =
  /** The program is not installed. */
  | null
  /** The host ran the hook, which denied the edit because of the hold. */
  | { readonly code: 'hostDenied'; readonly about: string }
  /** The host went on, or proceeded to its own permission check: it does not run the hook. */
  | { readonly code: 'hostGoesOn'; readonly about: string }
  /** The host did not attempt the edit. */
  | { readonly code: 'hostUnclear'; readonly about: string };

/** Hosts start slowly, especially the first time. Milliseconds. */
const lateMs = 90_000;

/** Null where the program is not installed, or needs an account. */
export async function runHost(place: Place, host: SetupName, ground: Ground): Promise<HostRun> {
  if (host === 'git') return null;
  const { run: start, signs, canary } = hosts[host].setup;
  const program = start && programOf(place, signs.program);
  if (!start || program === undefined) return null;
  const part = partsOf({ ...place, workspace: ground.folder }, host).find(({ kind }) => kind === 'hook');
  if (!part) return null;
  write(part.file, part.add(null));
  for (const [file, content] of Object.entries(start.home?.(ground.folder) ?? {}))
    write(path.join(ground.home, file), JSON.stringify(content));
  const { read: reading, edit } = canary(path.join(ground.folder, 'held.txt'));
  const model = await startCanaryModel(dialects[start.model], [reading, edit]);
  try {
    const kept = Object.entries(ground.env).filter(([name]) => !start.cleared.test(name));
    const env = { ...Object.fromEntries(kept), ...start.env(model.url), NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
    const ran = await collected(spawn(program, start.args, { cwd: ground.folder, env, windowsHide: true }), '', lateMs);
    const [read, edited] = model.answers();
    if (read === undefined || edited === undefined || read.includes(ground.secret))
      return { code: 'hostUnclear', about: `${program}: ${ran.said.trim().slice(-200)}` };
    return { code: edited.includes(ground.secret) ? 'hostDenied' : 'hostGoesOn', about: program };
  } finally {
    await model.close();
  }
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
