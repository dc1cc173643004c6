/** Whether `git push` may change files here: a repository can be set to update its checked-out branch. */
import path from 'node:path';
import type { Answering } from '../app/workspace/atGate.ts';
import type { HookCall, ToolUse } from '../hosts/call.ts';
import { isLocalAddress } from '../hosts/shell/git.ts';
import { askGit, settingsOf, type Setting } from './gitSettings.ts';

export function pushesHere(workspace: Answering, { cwd }: Pick<HookCall, 'cwd'>, tool: ToolUse): boolean {
  const start = cwd ?? workspace.worktree;
  const pushes = tool.configured.filter(({ program }) => program === 'git push');
  if (pushes.length === 0) return false;
  // The same command may write settings before it pushes.
  if ([...tool.named.map((one) => one.path), ...tool.files].some((name) => /(?:^|[\\/])\.git(?:[\\/]|$)/.test(name)))
    return true;
  try {
    if (updatesFiles(settingsOf(workspace, workspace.location.worktree))) return true;
    return pushes.some(({ folders, remote = null }) =>
      folders.some((folder) => isLocal(workspace, folder === null ? start : path.resolve(start, folder), remote)),
    );
  } catch {
    return true;
  }
}

function updatesFiles(settings: readonly Setting[]): boolean {
  return settings.some(
    ([key, value]) =>
      key === 'receive.denycurrentbranch' && !/^(?:true|false|yes|no|on|off|1|0|refuse|warn|ignore)$/i.test(value),
  );
}

/** @param remote null: the one that settings name */
function isLocal(workspace: Answering, folder: string, remote: string | null): boolean {
  const settings = settingsOf(workspace, folder);
  if (updatesFiles(settings)) return true;
  if (settings.some(([key]) => isRewriting(key))) return true;
  const isOf = (name: string) => settings.some(([key]) => key.startsWith(`remote.${name}.`));
  const named = settings.filter(([key]) => /^(?:remote\.pushdefault|branch\..*\.(?:pushremote|remote))$/.test(key));
  const others = remote === null ? named.map(([, value]) => value) : [remote];
  const addresses = settings.filter(([key]) => {
    const [, name] = /^remote\.(.*)\.(?:url|pushurl)$/.exec(key) ?? [];
    return name !== undefined && (remote === null || name === remote);
  });
  return (
    addresses.some(([, value]) => isLocalAddress(value)) ||
    others.some((name) => !isOf(name) && isUnlistedLocal(workspace, folder, name))
  );
}

/** `url.<base>.insteadOf` gives addresses another start. */
function isRewriting(key: string): boolean {
  const base = /^url\.(.*)\.(?:push)?insteadof$/.exec(key)?.[1];
  return base !== undefined && isLocalAddress(base);
}

/** An address instead of a name; a folder of this name; or a remote of git's earlier form. */
function isUnlistedLocal(workspace: Answering, folder: string, name: string): boolean {
  const { existsSync } = workspace.options.fs;
  if (/[/:\\]|^[.~]/.test(name)) return isLocalAddress(name);
  const common = path.resolve(folder, askGit(workspace, folder, 'rev-parse', '--git-common-dir').trim());
  return [path.join(folder, name), ...['remotes', 'branches'].map((kind) => path.join(common, kind, name))].some(
    (place) => existsSync(place),
  );
}
