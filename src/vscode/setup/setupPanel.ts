/**
 * "Set up agents": one editor tab per window. Its buttons change the user's files exactly as shown; they decide no
 * hold. A click is used once, and only while the files are as shown.
 */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { setupMessage, type SetupMessage } from '../../ui/setup/messages.ts';
import { setupRows, shownHash, type SetupSnapshot } from '../../ui/setup/model.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import { folderChoice, type FolderChoice } from '../kit/folders.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { runHarmless, attachSnapshots } from '../kit/pages.ts';
import { noFolder, notShown } from '../../ui/surface/unavailable.ts';
import { placeOf, type SetupKeeper } from './setupKeeper.ts';
import { snapshotHead } from '../../ui/surface/signingSurface.ts';
import { editorHost } from './editorHost.ts';

type Act = SetupMessage & { readonly type: 'act' };

export function showSetup(
  panel: vscode.WebviewPanel,
  context: vscode.ExtensionContext,
  folders: Folders,
  keeper: SetupKeeper,
): Closable {
  const all = collect();
  const choice = folderChoice(() => folders.all);
  /**
   * Renderings since the last act. A finished check may redraw the page under a click; the click refers to the
   * rendering it was made on.
   */
  const renders = new Set<string>();
  let notice: SetupSnapshot['notice'];
  const page = all.add(attachSnapshots(panel, { context, page: 'hosts', snapshot, receive }));
  const draw = () => {
    page.draw();
  };

  async function snapshot(): Promise<SetupSnapshot> {
    const view = await currentView(choice, keeper).catch(notShown);
    if (view.type === 'setup') renders.add(view.render);
    else renders.clear();
    return { ...snapshotHead(), view, notice };
  }

  /** Writes the displayed changes, or reports why it cannot. */
  async function act(message: Act): Promise<void> {
    const folder = choice.shown();
    if (!folder || !renders.has(message.render) || !vscode.workspace.isTrusted) {
      draw();
      return;
    }
    renders.clear();
    try {
      notice = { kind: 'done', text: await write(folder, message) };
    } catch (error) {
      notice = { kind: 'error', text: error instanceof Error ? error.message : String(error) };
    }
    if (message.act === 'remove' && notice.kind === 'done') keeper.forget(folder, message.host);
    draw();
    await keeper.check();
  }

  async function receive(raw: unknown): Promise<void> {
    const parsed = setupMessage.safeParse(raw);
    if (!parsed.success) return;
    const message = parsed.data;
    switch (message.type) {
      case 'ready':
        page.begin();
        return;
      case 'folder':
        choice.choose(message.key);
        notice = undefined;
        draw();
        return;
      case 'check':
        notice = undefined;
        await keeper.check();
        return;
      case 'act':
        await act(message);
        return;
      case 'do':
        await runHarmless(message.action);
    }
  }

  all.add(keeper.onDidChange(draw));
  all.add(vscode.workspace.onDidGrantWorkspaceTrust(draw));
  all.add(vscode.workspace.onDidChangeWorkspaceFolders(draw));
  return all;
}

async function currentView(choice: FolderChoice, keeper: SetupKeeper): Promise<SetupSnapshot['view']> {
  const folder = choice.shown();
  if (!folder) return noFolder(l10n.t('Agents are set up for a folder on this machine. Open the folder they work in.'));
  if (!vscode.workspace.isTrusted)
    return {
      type: 'unavailable',
      title: l10n.t('This folder is not trusted'),
      text: l10n.t('Setting up agents writes to the folder and runs programs in it. Trust the folder first.'),
      action: 'manageTrust',
    };
  const place = await placeOf(folder);
  const checks = keeper.of(folder);
  return {
    type: 'setup',
    ...choice.offer(folder),
    render: randomUUID(),
    ...(checks ? { checkedAt: checks.at } : {}),
    checking: keeper.isChecking(),
    hosts: setupRows(place, checks, {
      host: editorHost(vscode.env.appName),
      words: l10n.t('this editor'),
    }),
  };
}

/** @throws Error when the files have changed since they were shown */
async function write(folder: OpenFolder, { host, act, shown }: Act): Promise<string> {
  const [{ applySetup, planSetup }, { setupTitle }] = await Promise.all([
    import('../../hosts/setup/plan.ts'),
    import('../../hosts/setup/place.ts'),
  ]);
  const place = await placeOf(folder);
  const changes = planSetup(place, act === 'add' ? { add: [host] } : { remove: [host] });
  if (shownHash(changes) !== shown)
    throw new Error(l10n.t('The files have changed since this was shown. Nothing was written; check again.'));
  applySetup(place, changes);
  return act === 'add'
    ? l10n.t('{0} is set up.', setupTitle(host))
    : l10n.t('{0} is removed; its files are restored.', setupTitle(host));
}
