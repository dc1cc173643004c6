/**
 * The audit trail: one editor tab a window with who decided what, when, and whether it verifies. It decides nothing; a
 * trusted click on the rendering that is on the screen exports it, sealed by the human's key.
 */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { AuditFilterWish, AuditMessage, AuditSnapshot } from '../../protocol/audit/audit.ts';
import type { AuditRun } from './run.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import { folderChoice } from '../kit/folderChoice.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { harmless, noFolder, notShown } from '../surface/harmless.ts';
import { ids } from '../kit/ids.ts';
import { inTurn } from '../kit/inTurn.ts';
import { registerOnePanel } from '../surface/onePanel.ts';
import type { Keys } from '../surface/signer.ts';
import { snapshotHead } from '../kit/strings.ts';
import { webviewHtml } from '../surface/webviewHtml.ts';

interface AuditOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
}

/** Read with the first audit: at the start of the editor there is none. */
const parts = async () => ({
  ...(await import('../../protocol/audit/audit.ts')),
  ...(await import('./model.ts')),
  ...(await import('./run.ts')),
});

/** Rows that are sent at first, and more each time. */
const step = 200;
/** Records come in bursts. */
const burstMs = 300;

export function registerAudit(options: AuditOptions): Closable {
  return registerOnePanel({
    context: options.context,
    command: ids.commands.openAudit,
    viewType: ids.panels.audit,
    title: () => vscode.l10n.t('Audit trail'),
    show: (panel) => showIn(panel, options),
  });
}

function showIn(panel: vscode.WebviewPanel, { context, folders, keys }: AuditOptions): Closable {
  const all = collect();
  const { webview } = panel;
  const choice = folderChoice(() => folders.stores.map(([folder]) => folder));
  let filter: AuditFilterWish = { scope: 'decisions', text: '' };
  let limit = step;
  let run: { readonly folder: OpenFolder; readonly run: AuditRun } | null = null;
  let rendered: { readonly render: string; readonly shown: string } | null = null;
  let notice: AuditSnapshot['notice'];
  let ready = false;
  let timer: NodeJS.Timeout | undefined;

  function draw(): void {
    clearTimeout(timer);
    timer = undefined;
    if (ready && panel.visible) void drawInTurn();
  }

  const drawInTurn = inTurn(drawOnce);

  async function drawOnce(): Promise<void> {
    const view = await currentView().catch(notShown);
    rendered = view.type === 'audit' && view.export !== 'no' ? { render: view.render, shown: view.shown } : null;
    const message: AuditSnapshot = {
      ...snapshotHead(),
      view,
      ...(notice ? { notice } : {}),
    };
    await webview.postMessage((await parts()).auditSnapshot.parse(message));
  }

  async function currentView(): Promise<AuditSnapshot['view']> {
    const folder = choice.shown();
    if (!folder)
      return noFolder(
        vscode.l10n.t('The audit trail belongs to a folder on this machine. Open the folder your agents work in.'),
      );
    const { auditModel, startAudit } = await parts();
    if (run?.folder !== folder) {
      run?.run.dispose();
      run = { folder, run: startAudit(folder.workspace, draw) };
    }
    const standing = await keys.standing(folder.workspace);
    return auditModel({
      ...{ folders, folder, run: run.run, standing, filter, limit },
      render: randomUUID(),
      offered: choice.offer(folder),
    });
  }

  async function receive(raw: unknown): Promise<void> {
    const parsed = (await parts()).auditMessage.safeParse(raw);
    if (parsed.success) await grant(parsed.data);
  }

  async function grant(message: AuditMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        ready = true;
        filter = message.filter ?? filter;
        draw();
        return;
      case 'filter':
        filter = message.filter;
        limit = step;
        draw();
        return;
      case 'more':
        limit += step;
        draw();
        return;
      case 'folder':
        choice.choose(message.key);
        notice = undefined;
        draw();
        return;
      case 'open':
        await vscode.commands.executeCommand(ids.commands.openForm, message.key);
        return;
      case 'again':
        notice = undefined;
        run?.run.restart();
        draw();
        return;
      case 'export':
        await exportNow(message);
        return;
      case 'do':
        await harmless(message.action);
    }
  }

  /** Only what is on the screen is exported, and a rendering exports once. */
  async function exportNow(message: Extract<AuditMessage, { type: 'export' }>): Promise<void> {
    const isCurrent = rendered?.render === message.render && rendered.shown === message.shown && panel.visible;
    rendered = null;
    if (isCurrent && run) {
      const { exportAudit } = await import('./export.ts');
      notice = await exportAudit({ folder: run.folder, run: run.run, keys, shown: message.shown });
    }
    draw();
  }

  all.add(webview.onDidReceiveMessage((raw: unknown) => receive(raw)));
  all.add(
    panel.onDidChangeViewState(() => {
      if (panel.visible) look();
      else rendered = null;
    }),
  );
  all.add(
    folders.onDidChange(() => {
      timer ??= setTimeout(look, burstMs);
    }),
  );
  all.add({
    dispose() {
      clearTimeout(timer);
      run?.run.dispose();
    },
  });
  panel.iconPath = vscode.Uri.joinPath(context.extensionUri, 'media', 'holdpoint.svg');
  webview.html = webviewHtml(webview, context.extensionUri, 'audit', 'Holdpoint');
  return all;

  /** What nobody sees is checked when it is seen. */
  function look(): void {
    timer = undefined;
    if (!panel.visible) return;
    run?.run.look();
    draw();
  }
}
