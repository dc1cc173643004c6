/**
 * Checks whether holds stop each host: with a canary when the window opens, when the host's files change, and on
 * request. A host whose setup was changed or removed is reported once; the status bar shows it.
 */
import type { FolderChecks } from '../../ui/setup/model.ts';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { checkRules } from '../../hosts/setup/check.ts';
import { launcherPath, type LauncherTarget } from '../../hosts/setup/launcher.ts';
import { thisMachineOf } from '../../hosts/setup/machine.ts';
import { setupNames, setupTitle, type SetupName, type Place } from '../../hosts/setup/place.ts';
import { collect, inTurn, type Closable } from '../../ui/kit/timing.ts';
import { whileOpen, type Folders, type OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { warning } from '../kit/messages.ts';
import { checkWords, type HostCheck } from '../../hosts/setup/findings.ts';
import path from 'node:path';
import fs from 'node:fs';
import os from 'node:os';
import { holdCanary } from '../../app/hosts/canary.ts';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import { openWorkspace } from '../../app/workspace/workspace.ts';
import type { Hold } from '../../hosts/setup/canary.ts';

export type SetupKeeper = ReturnType<typeof keepSetup>;

type CheckedRules = Parameters<typeof checkRules>[3];

const settleMs = 400;
const firstMs = 2_000;

/** @param target what the launcher of this editor starts */
export function keepSetup(context: vscode.ExtensionContext, folders: Folders, target: LauncherTarget) {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  const checks = new Map<string, FolderChecks>();
  const known = knownSetup(context);
  let timer: NodeJS.Timeout | undefined;
  let checking = 0;
  let closed = false;

  const inOrder = inTurn(checkAll);

  async function checkAll(): Promise<void> {
    if (closed || !vscode.workspace.isTrusted) return;
    checking += 1;
    changed.fire();
    const options = { target, machine: thisMachineOf(process.platform) };
    try {
      for (const folder of folders.all) {
        const hosts = await checksOf(folder, context.extensionPath, options);
        checks.set(folder.uri.toString(), { at: new Date().toISOString(), hosts });
        for (const check of await known.compare(folder, hosts)) void warnOf(check);
      }
    } catch (error) {
      console.error('holdpoint: the hooks of agents could not be checked', error);
    } finally {
      checking -= 1;
      void vscode.commands.executeCommand('setContext', ids.context.proven, gateIsOn([...checks.values()]) === true);
      changed.fire();
    }
  }

  function soon(ms = settleMs): void {
    clearTimeout(timer);
    timer = setTimeout(() => void inOrder(), ms);
  }

  all.add(
    whileOpen(
      folders,
      () => folders.all,
      (folder) => {
        soon(firstMs);
        const watcher = watch(folder, soon);
        return () => {
          watcher.dispose();
          checks.delete(folder.uri.toString());
        };
      },
    ),
  );
  all.add(
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      soon();
    }),
  );
  all.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('chat.useHooks') || event.affectsConfiguration('chat.hookFilesLocations')) soon();
    }),
  );
  all.add({
    dispose() {
      closed = true;
      clearTimeout(timer);
    },
  });
  return {
    onDidChange: changed.event,
    isChecking: () => checking > 0,
    /** Null until the first check. */
    of: (folder: OpenFolder) => checks.get(folder.uri.toString()) ?? null,
    /** Tests all hosts of all folders. */
    check: inOrder,
    /** A human removed this host on the page, so it is not reported. */
    forget: known.forget,
    all: () => [...checks.values()],
    dispose: all.dispose,
  };
}

async function checksOf(folder: OpenFolder, extensionPath: string, options: CheckedRules): Promise<HostCheck[]> {
  const { checkRules } = await import('../../hosts/setup/check.ts');
  const found = await checkRules(await placeOf(folder), setupNames, canaryHold(extensionPath), options);
  return found.map(withSettings);
}

/** One line for each host that is set up. */
export function hostLines(checks: readonly FolderChecks[]): string[] {
  return checks.flatMap(({ hosts }) => hosts.filter(({ verdict }) => verdict !== 'off').map(checkWords));
}

/** Titles of the hosts whose hook no longer stops what it should. */
export function brokenHosts(checks: readonly FolderChecks[]): string[] {
  const broken = checks.flatMap(({ hosts }) => hosts.filter(({ verdict }) => verdict === 'broken'));
  return [...new Set(broken.map(({ host }) => setupTitle(host)))];
}

/** Whether each folder has an agent's host that denied a canary; null before the first check. */
export function gateIsOn(checks: readonly FolderChecks[]): boolean | null {
  return checks.length === 0 ? null : checks.every(({ hosts }) => hosts.some(isProven));
}

/** Advisory hosts deny the canary too, but can be made to skip the hook. The hook of git stops commits, and no agent. */
function isProven({ verdict, host }: HostCheck): boolean {
  return host !== 'git' && (verdict === 'enforced' || verdict === 'advisory');
}

/** Reported once until repaired. */
async function warnOf(check: HostCheck): Promise<void> {
  const title = setupTitle(check.host);
  const text =
    check.verdict === 'off'
      ? l10n.t('Holds no longer stop {0}: its hook was removed.', title)
      : l10n.t('Holdpoint may no longer be able to stop {0}. {1}', title, checkWords(check));
  const showIt = l10n.t('Show');
  const picked = await warning(text, showIt);
  if (picked === showIt) await vscode.commands.executeCommand(ids.commands.setUpAgents);
}

/** VS Code's own settings can switch its hooks off. */
function withSettings(check: HostCheck): HostCheck {
  if (check.host !== 'vscode' || check.verdict === 'off') return check;
  const chat = vscode.workspace.getConfiguration('chat');
  const off =
    chat.get<boolean>('useHooks') === false
      ? 'chat.useHooks'
      : chat.get<Readonly<Record<string, boolean>>>('hookFilesLocations')?.['.github/hooks'] === false
        ? 'chat.hookFilesLocations'
        : null;
  if (off === null) return check;
  return { ...check, verdict: 'broken', findings: [{ code: 'disabled', about: off }] };
}

// Watches the files that enable hooks, in each open folder, and our programs in the user's folder.

const watched =
  '{.claude/settings.json,.claude/settings.local.json,.mcp.json,.github/mcp.json,.github/hooks/*.json,.codex/hooks.json,.codex/config.toml,.opencode/plugins/*,opencode.json,opencode.jsonc,.gemini/settings.json,.qwen/settings.json,.cursor/hooks.json,.cursor/mcp.json,.windsurf/hooks.json,.kiro/hooks/*.json,.kiro/settings/mcp.json,.agents/hooks.json,.agents/mcp_config.json,.git/hooks/*,.husky/*}';

function watch({ uri, workspace }: OpenFolder, changed: () => void): Closable {
  const patterns = [
    new vscode.RelativePattern(uri.fsPath, watched),
    new vscode.RelativePattern(vscode.Uri.file(path.join(workspace.userFolder, 'bin')), '*'),
  ];
  const made = patterns.map((pattern) => vscode.workspace.createFileSystemWatcher(pattern));
  const onChange = () => {
    changed();
  };
  for (const one of made) {
    one.onDidChange(onChange);
    one.onDidCreate(onChange);
    one.onDidDelete(onChange);
  }
  return vscode.Disposable.from(...made);
}

// The editor's inputs for setup: the folder, the launcher, and a store for the canary.

/** With git's answer, which the checks and plans of all hosts then share. */
export async function placeOf({ workspace, uri }: OpenFolder): Promise<Place> {
  const { askGit } = await import('../../hosts/setup/git.ts');
  const place = {
    workspace: uri.fsPath,
    home: os.homedir(),
    userFolder: workspace.userFolder,
    launcher: launcherPath(workspace.userFolder),
    platform: process.platform,
    env: process.env,
  };
  return { ...place, git: await askGit(place) };
}

export function canaryHold(extensionPath: string): Hold {
  return async ({ folder, home, env, secret }) => {
    const workspace = openWorkspace({
      ...thisMachine({ env, platform: process.platform }, home),
      folder,
      home,
      wasm: () => fs.readFileSync(path.join(extensionPath, 'dist', 'sql-wasm.wasm.br')),
    });
    try {
      await holdCanary(workspace, 'held.txt', secret);
    } finally {
      workspace.close();
    }
  };
}

// Remembers which hosts were set up in which folders, to detect a removed or changed hook.

const knownName = 'holdpoint.setUp';

function knownSetup({ workspaceState }: vscode.ExtensionContext) {
  const known = () => new Set(workspaceState.get<readonly string[]>(knownName, []));
  const keyOf = (folder: OpenFolder, host: SetupName) => `${host} ${folder.uri.toString()}`;
  return {
    /** Records a check. Returns the hosts that were set up before and no longer are. */
    async compare(folder: OpenFolder, checks: readonly HostCheck[]): Promise<readonly HostCheck[]> {
      const before = known();
      const next = new Set(before);
      const lost: HostCheck[] = [];
      for (const check of checks) {
        const key = keyOf(folder, check.host);
        if (check.verdict === 'enforced' || check.verdict === 'advisory') next.add(key);
        else if (next.delete(key)) lost.push(check);
      }
      if (next.size !== before.size || lost.length > 0) await workspaceState.update(knownName, [...next]);
      return lost;
    },
    forget(folder: OpenFolder, host: SetupName): void {
      const next = known();
      if (next.delete(keyOf(folder, host))) void workspaceState.update(knownName, [...next]);
    },
  };
}
