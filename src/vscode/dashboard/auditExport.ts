/** Writes the displayed audit to a file that the human chooses; sealed if this editor's key is known. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { journalBytes } from '../../app/audit/audit.ts';
import { bundleOf, formatBundle } from '../../app/audit/bundle.ts';
import { sealedBundle } from '../../app/audit/seal.ts';
import { isExportable, type AuditSnapshot, type AuditRun } from '../../ui/dashboard/audit.ts';
import { hashOf } from '../../trust/canonical.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';
import type { Keys } from '../../ui/surface/standing.ts';

export interface ExportOptions {
  readonly folder: OpenFolder;
  readonly run: AuditRun;
  readonly keys: Keys;
  /** Hash of the displayed summary. */
  readonly shown: string;
}

/** Undefined when the human cancels the file dialog. */
export async function exportAudit(options: ExportOptions): Promise<AuditSnapshot['notice']> {
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
