/**
 * The host itself on a canary's ground: started with the hook that setup writes, against a model that is a script on this
 * machine, with a home of its own. No account is needed, nothing leaves the machine, and nothing is allowed to it: where
 * the hook does not stop the edit, the host's own permissions do. Claude Code can be run so; others want an account.
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
  /** There is no such program here. */
  | null
  /** It ran the hook, which denied the edit because of the hold. */
  | { readonly code: 'hostDenied'; readonly about: string }
  /** It went on to its own permissions: it does not run the hook. */
  | { readonly code: 'hostGoesOn'; readonly about: string }
  /** It could not be brought to try. */
  | { readonly code: 'hostUnclear'; readonly about: string };

/** It starts slowly, the first time above all. */
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

/** Without what would lead it to another model, or to the user's account. */
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
