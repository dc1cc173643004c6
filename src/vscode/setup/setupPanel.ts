/**
 * "Set up agents": one editor tab per window. Its buttons change the user's files exactly as shown; they decide no
 * hold. A click is used once, and only while the files are as shown.
 */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { setupMessage, type SetupMessage } from '../../ui/setup/messages.ts';
import { editorHost, setupRows, writeSetup, type SetupSnapshot } from '../../ui/setup/model.ts';
import { collect, type Closable } from '../../ui/kit/timing.ts';
import { folderChoice, type FolderChoice } from '../kit/folders.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { attachSnapshots } from '../kit/pages.ts';
import { noFolder, notShown } from '../../ui/kit/problemWords.ts';
import { placeOf, type SetupKeeper } from './setupKeeper.ts';
import type { SnapshotHead } from '../../ui/kit/view.ts';

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
  const page = all.add(
    attachSnapshots(panel, { context, page: 'hosts', schema: setupMessage, choice, snapshot, receive }),
  );

  async function snapshot(): Promise<Omit<SetupSnapshot, keyof SnapshotHead>> {
    const view = await currentView(choice, keeper).catch(notShown);
    if (view.type === 'setup') renders.add(view.render);
    else renders.clear();
    return { view, notice };
  }

  /** Writes the displayed changes, or reports why it cannot. */
  async function act(message: Act): Promise<void> {
    const folder = choice.shown();
    if (!folder || !renders.has(message.render) || !vscode.workspace.isTrusted) return;
    renders.clear();
    try {
      notice = writeSetup(await placeOf(folder), message);
    } catch (error) {
      notice = { kind: 'error', text: error instanceof Error ? error.message : String(error) };
    }
    if (message.act === 'remove' && notice.kind === 'done')
      for (const host of message.hosts) keeper.forget(folder, host);
    page.draw();
    await keeper.check();
  }

  async function receive(message: SetupMessage): Promise<void> {
    if (message.type === 'act') return act(message);
    if (message.type === 'folder' || message.type === 'check') notice = undefined;
    if (message.type === 'check') await keeper.check();
  }

  all.add(keeper.onDidChange(page.draw));
  all.add(vscode.workspace.onDidGrantWorkspaceTrust(page.draw));
  all.add(vscode.workspace.onDidChangeWorkspaceFolders(page.draw));
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
    checking: keeper.isChecking(),
    ...setupRows(place, checks, { host: editorHost(vscode.env.appName), words: l10n.t('this editor') }),
  };
}
