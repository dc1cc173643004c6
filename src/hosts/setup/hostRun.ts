/**
 * Runs the host itself in a canary's environment: with the hook that setup writes, a scripted model on this machine,
 * and a separate home. Needs no account, sends nothing off the machine, and grants no permissions: if the hook does not
 * stop the edit, the host's own permissions do. Works for Claude Code; other hosts need an account.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { collected } from './canary.ts';
import type { Ground } from './canary.ts';
import { startCanaryModel } from './canaryModel.ts';
import { programOf } from './found.ts';
import { partsOf } from './hostParts.ts';
import type { Place } from './place.ts';

export type HostRun =
  /** The program is not installed. */
  | null
  /** The host ran the hook, which denied the edit because of the hold. */
  | { readonly code: 'hostDenied'; readonly about: string }
  /** The host proceeded to its own permission check: it does not run the hook. */
  | { readonly code: 'hostGoesOn'; readonly about: string }
  /** The host did not attempt the edit. */
  | { readonly code: 'hostUnclear'; readonly about: string };

/** Hosts start slowly, especially the first time. Milliseconds. */
const lateMs = 90_000;

export async function runClaudeCode(place: Place, ground: Ground): Promise<HostRun> {
  const program = programOf(place, 'claude');
  if (program === undefined) return null;
  const part = partsOf({ ...place, workspace: ground.folder }, 'claude-code').find(({ kind }) => kind === 'hook');
  if (!part) return null;
  fs.mkdirSync(path.dirname(part.file), { recursive: true });
  fs.writeFileSync(part.file, part.add(null));
  const file = path.join(ground.folder, 'held.txt');
  const model = await startCanaryModel([
    { name: 'Read', input: { file_path: file } },
    { name: 'Edit', input: { file_path: file, old_string: 'a', new_string: 'b' } },
  ]);
  try {
    const env = environment(ground, model.url);
    const args = ['-p', 'Change held.txt.'];
    const ran = await collected(spawn(program, args, { cwd: ground.folder, env, windowsHide: true }), '', lateMs);
    const [read, edited] = model.answers();
    if (read === undefined || edited === undefined || read.includes(ground.secret))
      return { code: 'hostUnclear', about: `${program}: ${ran.said.trim().slice(-200)}` };
    return { code: edited.includes(ground.secret) ? 'hostDenied' : 'hostGoesOn', about: program };
  } finally {
    await model.close();
  }
}

/** Removes variables that would select another model or the user's account. */
function environment({ env }: Ground, url: string): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !/^(ANTHROPIC_|CLAUDE|AWS_|GOOGLE_|VERTEX_)/.test(name));
  return {
    ...Object.fromEntries(kept),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
  };
}
