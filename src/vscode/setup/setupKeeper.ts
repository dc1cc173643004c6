/**
 * Checks whether holds stop each host: with a canary when the window opens, when the host's files change, and on
 * request. A host whose setup was changed or removed is reported once; the status bar shows it.
 */
import type { FolderChecks } from '../../ui/setup/model.ts';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { HostCheck, checkRules } from '../../hosts/setup/check.ts';
import type { LauncherTarget } from '../../hosts/setup/launcher.ts';
import { thisMachineOf } from '../../hosts/setup/machine.ts';
import { setupNames, setupTitle } from '../../hosts/setup/place.ts';
import type { SetupName } from '../../hosts/setup/place.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { inTurn } from '../../ui/kit/inTurn.ts';
import { warning } from '../kit/messages.ts';
import { knownSetup } from './knownSetup.ts';
import { canaryHold, placeOf } from './setupPlaces.ts';
import { watchSetup } from './setupWatch.ts';
import { checkWords } from '../../ui/setup/words.ts';

export interface SetupKeeper extends Closable {
  readonly onDidChange: vscode.Event<void>;
  isChecking(): boolean;
  /** Null until the first check. */
  of(folder: OpenFolder): FolderChecks | null;
  /** Tests all hosts of all folders; with `start`, also starts hosts that need no account. */
  check(options?: { readonly start: boolean }): Promise<void>;
  /** A human removed this host on the page, so it is not reported. */
  forget(folder: OpenFolder, host: SetupName): void;
  /** The latest checks of all folders. */
  all(): readonly FolderChecks[];
}

type CheckedRules = Parameters<typeof checkRules>[3];

const settleMs = 400;
const firstMs = 2_000;

/** @param target what the launcher of this editor starts */
export function keepSetup(context: vscode.ExtensionContext, folders: Folders, target: LauncherTarget): SetupKeeper {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  const checks = new Map<string, FolderChecks>();
  const known = knownSetup(context);
  const watch = all.add(
    watchSetup(() => {
      soon();
    }),
  );
  let timer: NodeJS.Timeout | undefined;
  let checking = 0;
  let closed = false;
  let start = false;

  const inOrder = inTurn(checkAll);

  async function checkAll(): Promise<void> {
    if (closed || !vscode.workspace.isTrusted) return;
    checking += 1;
    changed.fire();
    const options = { start, target, machine: thisMachineOf(process.platform) };
    start = false;
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

  function follow(): void {
    const { opened, closed: gone } = watch.update(folders.all);
    for (const key of gone) checks.delete(key);
    if (opened.length > 0) soon(firstMs);
  }

  all.add(folders.onDidChange(follow));
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
    of: (folder) => checks.get(folder.uri.toString()) ?? null,
    check(options) {
      if (options?.start === true) start = true;
      return inOrder();
    },
    forget: known.forget,
    all: () => [...checks.values()],
    dispose() {
      all.dispose();
    },
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
