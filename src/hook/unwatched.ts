/**
 * Answers an administrator's hook after a call in the waiting thread, if nothing around the session has a baseline of held
 * files. That is so after most calls, and starting the other thread takes longer than everything else. These hooks name no
 * folder, and the host says only in its JSON where the session works, so a shell cannot decide this. The folders checked
 * here include all that `watchedStores` looks at (sessionStores.ts); the other thread decides whatever is uncertain.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Printed } from '../hosts/call.ts';
import { callerOf, adapterFor } from '../hosts/hosts.ts';
import { isFields } from '../hosts/payload/fields.ts';
import { printAnswer } from '../hosts/payload/print.ts';
import { folderOfEnded } from '../hosts/payload/read.ts';
import { accountStores } from './accountEnvironment.ts';
import { payloadIn } from './payloadIn.ts';
import { sessionFolders } from './sessionFolders.ts';
import type { Given } from './work.ts';

interface Account extends Pick<NodeJS.Process, 'env' | 'platform'> {
  /** Of the account, whatever `HOME` says. */
  readonly home: string;
}

/** Null: the other thread must look. */
export async function answerUnwatched(
  { host: named, folder }: Given,
  bytes: Uint8Array,
  { env, platform, home }: Account,
): Promise<Printed | null> {
  if (folder !== null || named === 'generic') return null;
  try {
    const payload = payloadIn(bytes);
    const adapter = adapterFor(callerOf(named, payload, env), undefined);
    const cwd = folderOfEnded(adapter, payload, { platform });
    if (cwd === undefined) return null;
    const stores = accountStores(platform, home);
    for (const start of sessionFolders({ env, fs }, { call: { cwd } }))
      if ([...(await rootsAround(start, stores))].some(hasBaselines)) return null;
    return printAnswer(adapter, { eventName: '' }, { kind: 'nothing' });
  } catch {
    return null;
  }
}

function hasBaselines(root: string): boolean {
  return fs.existsSync(path.join(root, '.holdpoint', 'baselines'));
}

/** Every folder that may be the root of the store that a folder belongs to. */
async function rootsAround(folder: string, stores: string): Promise<ReadonlySet<string>> {
  const around = above(fs.realpathSync.native(folder));
  const git = around.find((one) => fs.lstatSync(path.join(one, '.git'), { throwIfNoEntry: false }));
  if (git !== undefined && !fs.lstatSync(path.join(git, '.git')).isDirectory()) {
    // Loaded on first use: only a linked worktree or a submodule has its repository elsewhere.
    const { mainWorktree } = await import('../store/journal/findStore.ts');
    const main = mainWorktree(fs, git);
    if (main !== null) around.push(...above(main));
  }
  const places = new Set(around);
  return new Set([...places, ...rootsOf(stores, places)]);
}

function above(folder: string): string[] {
  const next = path.dirname(folder);
  return next === folder ? [folder] : [folder, ...above(next)];
}

/** Roots of this user's stores to which one of these places belongs. A file that cannot be read names no other root. */
function rootsOf(stores: string, places: ReadonlySet<string>): string[] {
  if (!fs.existsSync(stores)) return [];
  return fs.readdirSync(stores).flatMap((name) => {
    const known = /^[0-9a-f]{32}\.json$/.test(name) ? fieldsIn(path.join(stores, name)) : null;
    const worktrees: unknown = known?.['worktrees'];
    const isAround =
      Array.isArray(worktrees) && worktrees.some((one) => isFields(one) && places.has(String(one['path'])));
    return isAround && typeof known?.['root'] === 'string' ? [known['root']] : [];
  });
}

function fieldsIn(file: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}
