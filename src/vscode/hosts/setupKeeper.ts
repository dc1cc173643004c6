/**
 * Whether the hosts of each folder are stopped by holds: tried with a canary when the window opens, when their files
 * change, and on request. A host that was set up and no longer is as it was, is told once and shown in the status bar.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import type { HostCheck } from '../../hosts/setup/check.ts';
import { setupNames, setupTitle } from '../../hosts/setup/names.ts';
import type { SetupName } from '../../hosts/setup/names.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { inTurn } from '../kit/inTurn.ts';
import { warning } from '../kit/messages.ts';
import { canaryHold, placeOf } from './setupPlaces.ts';
import { checkWords } from './setupWords.ts';

export interface FolderChecks {
  readonly at: string;
  readonly hosts: readonly HostCheck[];
}

export interface SetupKeeper extends Closable {
  readonly onDidChange: vscode.Event<void>;
  isChecking(): boolean;
  /** Null until the first check. */
  of(folder: OpenFolder): FolderChecks | null;
  /** Tries all hosts of all folders; with `start`, those too that can be started themselves without an account. */
  check(options?: { readonly start: boolean }): Promise<void>;
  /** A human took this host out on the page: it is not missed. */
  forget(folder: OpenFolder, host: SetupName): void;
  /** For tooltips: a line for each host that is set up; empty where none is. */
  lines(): string[];
}

/** Folders and hosts that were set up when they were last looked at. */
const knownName = 'holdpoint.setUp';
const settleMs = 400;
const firstMs = 2_000;
const watched =
  '{.claude/settings.json,.claude/settings.local.json,.mcp.json,.github/mcp.json,.github/hooks/*.json,.codex/hooks.json,.codex/config.toml,.opencode/plugins/*,opencode.json,opencode.jsonc,.git/hooks/*,.husky/*}';

export function keepSetup(context: vscode.ExtensionContext, folders: Folders): SetupKeeper {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  const checks = new Map<string, FolderChecks>();
  const watchers = new Map<string, Closable>();
  let timer: NodeJS.Timeout | undefined;
  let checking = 0;
  let closed = false;
  let start = false;

  const item = all.add(vscode.window.createStatusBarItem('holdpoint.setup', vscode.StatusBarAlignment.Left, 9));
  item.name = vscode.l10n.t('Holdpoint: hooks of agents');
  item.command = ids.commands.setUpAgents;

  const known = () => new Set(context.workspaceState.get<readonly string[]>(knownName, []));
  const keyOf = (folder: OpenFolder, host: SetupName) => `${host} ${folder.uri.toString()}`;

  const inOrder = inTurn(checkAll);

  async function checkAll(): Promise<void> {
    if (closed || !vscode.workspace.isTrusted) return;
    checking += 1;
    changed.fire();
    const options = { start };
    start = false;
    try {
      const { checkHosts } = await import('../../hosts/setup/check.ts');
      for (const folder of folders.all) {
        const found = await checkHosts(placeOf(folder), setupNames, canaryHold(context.extensionPath), options);
        const hosts = found.map(withSettings);
        checks.set(folder.uri.toString(), { at: new Date().toISOString(), hosts });
        await compare(folder, hosts);
      }
    } catch (error) {
      console.error('holdpoint: the hooks of agents could not be checked', error);
    } finally {
      checking -= 1;
      show();
      changed.fire();
    }
  }

  /** What was there and is not as it was: told once, until it is set right. */
  async function compare(folder: OpenFolder, hosts: readonly HostCheck[]): Promise<void> {
    const before = known();
    const next = new Set(before);
    const lost: HostCheck[] = [];
    for (const check of hosts) {
      const key = keyOf(folder, check.host);
      if (check.verdict === 'enforced' || check.verdict === 'advisory') next.add(key);
      else if (next.delete(key)) lost.push(check);
    }
    if (next.size !== before.size || lost.length > 0) await context.workspaceState.update(knownName, [...next]);
    for (const check of lost) void tell(check);
  }

  async function tell(check: HostCheck): Promise<void> {
    const title = setupTitle(check.host);
    const text =
      check.verdict === 'off'
        ? vscode.l10n.t('Holds no longer stop {0}: its hook was removed.', title)
        : vscode.l10n.t('Holds may no longer stop {0}. {1}', title, checkWords(check));
    const showIt = vscode.l10n.t('Show');
    const picked = await warning(text, showIt);
    if (picked === showIt) await vscode.commands.executeCommand(ids.commands.setUpAgents);
  }

  function show(): void {
    const broken = [...checks.values()].flatMap(({ hosts }) => hosts.filter(({ verdict }) => verdict === 'broken'));
    if (broken.length === 0) {
      item.hide();
      return;
    }
    item.text = vscode.l10n.t(
      '$(warning) Hook broken: {0}',
      [...new Set(broken.map(({ host }) => setupTitle(host)))].join(', '),
    );
    item.tooltip = lines().join('\n');
    item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    item.show();
  }

  function lines(): string[] {
    return [...checks.values()].flatMap(({ hosts }) =>
      hosts.filter(({ verdict }) => verdict !== 'off').map(checkWords),
    );
  }

  function soon(ms = settleMs): void {
    clearTimeout(timer);
    timer = setTimeout(() => void inOrder(), ms);
  }

  function watch(): void {
    const open = new Set(folders.all.map(({ uri }) => uri.toString()));
    for (const [key, watcher] of watchers)
      if (!open.has(key)) {
        watcher.dispose();
        watchers.delete(key);
        checks.delete(key);
      }
    for (const { uri, workspace } of folders.all) {
      if (watchers.has(uri.toString())) continue;
      const patterns = [
        new vscode.RelativePattern(uri, watched),
        new vscode.RelativePattern(vscode.Uri.file(path.join(workspace.userFolder, 'bin')), '*'),
      ];
      const made = patterns.map((pattern) => vscode.workspace.createFileSystemWatcher(pattern));
      for (const one of made) {
        const look = () => {
          soon();
        };
        one.onDidChange(look);
        one.onDidCreate(look);
        one.onDidDelete(look);
      }
      watchers.set(uri.toString(), vscode.Disposable.from(...made));
      soon(firstMs);
    }
  }

  all.add(folders.onDidChange(watch));
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
      for (const watcher of watchers.values()) watcher.dispose();
    },
  });
  return {
    onDidChange: changed.event,
    isChecking: () => checking > 0,
    of: (folder) => checks.get(folder.uri.toString()) ?? null,
    check(options) {
      if (options?.start === true) start = true;
      return inOrder();
    },
    forget(folder, host) {
      const next = known();
      if (next.delete(keyOf(folder, host))) void context.workspaceState.update(knownName, [...next]);
    },
    lines,
    dispose() {
      all.dispose();
    },
  };
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
