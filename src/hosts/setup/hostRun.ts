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
import { anthropic, gemini } from './canaryDialects.ts';
import { startCanaryModel } from './canaryModel.ts';
import type { Dialect } from './canaryModel.ts';
import { programOf } from './found.ts';
import { partsOf } from './hostParts.ts';
import type { SetupName } from './names.ts';
import type { Place } from './place.ts';

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

/** How a host is started against a canary's language model. */
interface Start {
  readonly program: string;
  readonly dialect: Dialect;
  readonly args: readonly string[];
  readonly env: (url: string) => Readonly<Record<string, string>>;
  /** Variables that would select another model or the user's account. */
  readonly cleared: RegExp;
  readonly read: string;
  readonly edit: { readonly name: string; readonly more?: object };
  /** Files in the home of the canary. */
  readonly home?: (folder: string) => Readonly<Record<string, object>>;
}

const starts: Readonly<Partial<Record<SetupName, Start>>> = {
  'claude-code': {
    program: 'claude',
    dialect: anthropic,
    args: ['-p', 'Change held.txt.'],
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
    }),
    cleared: /^(ANTHROPIC_|CLAUDE|AWS_|GOOGLE_|VERTEX_)/,
    read: 'Read',
    edit: { name: 'Edit' },
  },
  'gemini-cli': {
    program: 'gemini',
    dialect: gemini,
    // A named model, because the automatic choice asks another one first.
    args: ['-m', 'gemini-2.5-flash', '--approval-mode', 'auto_edit', '-p', 'Change held.txt.'],
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'none' }),
    cleared: /^(GEMINI_|GOOGLE_)/,
    read: 'read_file',
    edit: { name: 'replace', more: { instruction: 'Change it.' } },
    home: (folder) => ({
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
      },
      '.gemini/trustedFolders.json': { [folder]: 'TRUST_FOLDER' },
    }),
  },
};

/** Null where the program is not installed, or needs an account. */
export async function runHost(place: Place, host: SetupName, ground: Ground): Promise<HostRun> {
  const start = starts[host];
  const program = start && programOf(place, start.program);
  if (!start || program === undefined) return null;
  const part = partsOf({ ...place, workspace: ground.folder }, host).find(({ kind }) => kind === 'hook');
  if (!part) return null;
  write(part.file, part.add(null));
  for (const [file, content] of Object.entries(start.home?.(ground.folder) ?? {}))
    write(path.join(ground.home, file), JSON.stringify(content));
  const file = path.join(ground.folder, 'held.txt');
  const change = { file_path: file, old_string: 'a', new_string: 'b', ...start.edit.more };
  const model = await startCanaryModel(start.dialect, [
    { name: start.read, input: { file_path: file } },
    { name: start.edit.name, input: change },
  ]);
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
