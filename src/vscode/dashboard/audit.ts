/**
 * The audit trail: one editor tab per window with who decided what, when, and whether it verifies. It decides nothing;
 * a trusted click exports it as it is displayed, sealed with the human's key.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { auditMessage, type AuditFilter, type AuditMessage } from '../../ui/dashboard/messages.ts';
import { auditModel, startAudit, type AuditSnapshot, type AuditRun, isExportable } from '../../ui/dashboard/audit.ts';
import { collect, type Closable, oncePerBurst } from '../../ui/kit/timing.ts';
import { folderChoice } from '../kit/folders.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { outageOf, noFolder, notShown } from '../../ui/kit/problemWords.ts';
import { attachSnapshots } from '../kit/pages.ts';
import { ids } from '../../ui/kit/ids.ts';
import type { Keys } from '../../ui/surface/standing.ts';
import type { SnapshotHead } from '../../ui/kit/view.ts';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { journalBytes } from '../../app/audit/savedState.ts';
import { bundleOf, formatBundle } from '../../app/audit/audit.ts';
import { sealedBundle } from '../../app/audit/seal.ts';
import { hashOf } from '../../trust/canonical.ts';

// Writes the displayed audit to a file that the human chooses; sealed if this editor's key is known.

interface ExportOptions {
  readonly folder: OpenFolder;
  readonly run: AuditRun;
  readonly keys: Keys;
  /** Hash of the displayed summary. */
  readonly shown: string;
}

/** Undefined when the human cancels the file dialog. */
async function exportAudit(options: ExportOptions): Promise<AuditSnapshot['notice']> {
  try {
    return await exportTo(options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { good: false, text: l10n.t('Export failed: {0}', why) };
  }
}

async function exportTo({ folder, run, keys, shown }: ExportOptions): Promise<AuditSnapshot['notice']> {
  const { workspace } = folder;
  const { audit } = run;
  if (!isExportable(run) || hashOf(audit.summary()) !== shown)
    return { good: false, text: l10n.t('Something has changed since this was shown. Check it again.') };
  const bytes = journalBytes(workspace).subarray(0, audit.walk.scanned);
  const now = workspace.now();
  const pins = workspace.pins();
  const isSealed = (await keys.standing(workspace)).kind === 'enrolled';
  const file = isSealed
    ? sealedBundle(audit, bytes, { signer: await keys.signer(workspace), newId: randomUUID, now, pins, shown })
    : formatBundle({ ...bundleOf(audit, bytes, { exportedAt: now, pins }), seal: null }, bytes);
  const name = `${folder.name}-${now.slice(0, 10)}.holdpoint-audit`;
  const target = await vscode.window.showSaveDialog({
    title: l10n.t('Export the audit trail'),
    defaultUri: vscode.Uri.file(path.join(path.dirname(folder.uri.fsPath), name)),
  });
  if (!target) return undefined;
  await vscode.workspace.fs.writeFile(target, file);
  return {
    good: true,
    text: isSealed
      ? l10n.t('Exported to {0}, signed with your key.', target.fsPath)
      : l10n.t('Exported to {0}, not signed.', target.fsPath),
  };
}

interface AuditOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
}

/** Number of rows sent initially, and added by each "more". */
const step = 200;
/** Groups bursts of records. Milliseconds. */
const burstMs = 300;

export function showAudit(panel: vscode.WebviewPanel, options: AuditOptions): Closable {
  const { context, folders } = options;
  const all = collect();
  const content = all.add(auditContent(options, draw));
  const page = all.add(
    attachSnapshots(panel, {
      context,
      page: 'audit',
      schema: auditMessage,
      choice: content.choice,
      snapshot: content.snapshot,
      receive: content.grant,
    }),
  );

  function draw(): void {
    page.draw();
  }

  /** A hidden tab catches up when it is shown. */
  function look(): void {
    if (!panel.visible) return;
    content.look();
    draw();
  }

  all.add(
    panel.onDidChangeViewState(() => {
      if (panel.visible) look();
    }),
  );
  all.add(folders.onDidChange(all.add(oncePerBurst(burstMs, look)).soon));
  return all;
}

function auditContent({ folders, keys }: AuditOptions, draw: () => void) {
  const choice = folderChoice(() => folders.stores.map(([folder]) => folder));
  let filter: AuditFilter = { scope: 'decisions', text: '' };
  let limit = step;
  let run: { readonly folder: OpenFolder; readonly run: AuditRun } | null = null;
  let isExporting = false;
  let notice: AuditSnapshot['notice'];

  async function currentView(): Promise<AuditSnapshot['view']> {
    const folder = choice.shown();
    if (!folder)
      return noFolder(l10n.t('The decisions belong to a folder on this machine. Open the folder your agents work in.'));
    if (run?.folder !== folder) {
      run?.run.dispose();
      run = { folder, run: startAudit(folder.workspace, draw) };
    }
    const standing = await keys.standing(folder.workspace);
    return auditModel({
      ...{ folders, folder, run: run.run, standing, filter, limit },
      offered: choice.offer(folder),
    });
  }

  /** From any rendering with this content. One at a time: the file dialog is open in the meantime. */
  async function exportNow(shown: string): Promise<void> {
    if (!run || isExporting) return;
    isExporting = true;
    notice = await exportAudit({ folder: run.folder, run: run.run, keys, shown }).finally(() => {
      isExporting = false;
    });
  }

  return {
    choice,
    async snapshot(): Promise<Omit<AuditSnapshot, keyof SnapshotHead>> {
      const view = await currentView().catch(notShown);
      return { ...outageOf(folders), view, ...(notice ? { notice } : {}) };
    },
    async grant(message: Exclude<AuditMessage, { type: 'do' }>): Promise<void> {
      switch (message.type) {
        case 'open':
          await vscode.commands.executeCommand(ids.commands.openForm, message.key);
          break;
        case 'ready':
          filter = message.filter ?? filter;
          break;
        case 'filter':
          filter = message.filter;
          limit = step;
          break;
        case 'more':
          limit += step;
          break;
        case 'folder':
          notice = undefined;
          break;
        case 'again':
          notice = undefined;
          run?.run.restart();
          break;
        case 'export':
          await exportNow(message.shown);
      }
    },
    /** New records may exist. */
    look: () => run?.run.look(),
    dispose: () => run?.run.dispose(),
  };
}
