/**
 * Import and export from the editor. An import is always an agent's act, even when a human starts it: it asks and
 * holds, and decides nothing.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { importSource, type ImportSource } from '../../core/records/import.ts';
import type { Plan } from '../../app/transfer/importPlan.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { failure, information } from '../kit/messages.ts';
import { chooseFolder } from '../kit/folders.ts';
import { preparedImport, runImport } from '../../app/transfer/importing.ts';
import { importReport } from '../../app/transfer/importReport.ts';
import { exportedPieces } from '../../app/transfer/exportFormats.ts';
import { writeExport } from '../../app/transfer/exportWriting.ts';

/** Presets by the caller; the report is always shown for confirmation. */
interface Asked {
  readonly from?: ImportSource;
  readonly path?: string;
}

export function registerMoving(folders: Folders): Closable {
  const all = collect();
  const on = (id: string, run: (argument: unknown) => Promise<void>) =>
    all.add(
      vscode.commands.registerCommand(id, async (argument: unknown) => {
        try {
          await run(argument);
        } catch (error) {
          void failure(error instanceof Error ? error.message : String(error));
        }
      }),
    );
  on(ids.commands.importData, (argument) => importFrom(folders, askedOf(argument)));
  on(ids.commands.exportData, () => exportTo(folders));
  return all;
}

function askedOf(argument: unknown): Asked {
  if (typeof argument !== 'object' || argument === null) return {};
  const { from, path: file } = argument as { from?: unknown; path?: unknown };
  const known = importSource.safeParse(from);
  return known.success && typeof file === 'string' && path.isAbsolute(file) ? { from: known.data, path: file } : {};
}

async function importFrom(folders: Folders, asked: Asked): Promise<void> {
  const folder = await chooseFolder(folders, l10n.t('Import into which folder?'));
  if (!folder) return;
  const from = asked.from ?? (await chooseSource());
  if (from === undefined) return;
  const file = asked.path ?? (await chooseFile(from));
  if (file === undefined) return;
  const options = { path: file, source: path.basename(file), asHistory: false, drafts: false };
  const plan = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: l10n.t('Reading {0}', path.basename(file)) },
    () => preparedImport(folder.workspace, from, options),
  );
  await show(importReport(plan, null));
  if (plan.rows.length === 0 || !(await agreed(plan))) return;
  const done = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: l10n.t('Importing {0}', path.basename(file)),
      cancellable: true,
    },
    async (progress, token) => {
      const controller = new AbortController();
      const listening = token.onCancellationRequested(() => {
        controller.abort();
      });
      let before = 0;
      try {
        return await runImport(folder.workspace, { kind: 'system', id: 'holdpoint' }, plan, {
          signal: controller.signal,
          onProgress(now, total) {
            const message = l10n.t('{0} of {1}', now, total);
            progress.report({ message, increment: ((now - before) / total) * 100 });
            before = now;
          },
        });
      } finally {
        listening.dispose();
      }
    },
  );
  await show(importReport(plan, done));
  const said =
    done.outcome === 'cancelled'
      ? l10n.t('Import cancelled: nothing was imported.')
      : done.rows === 1
        ? l10n.t('Imported from {0}: 1 row.', path.basename(file))
        : l10n.t('Imported from {0}: {1} rows.', path.basename(file), done.rows);
  void information(said);
}

/** Software can press buttons, so nothing here is a decision. */
async function agreed(plan: Plan): Promise<boolean> {
  const go = l10n.t('Import');
  const said = askedWords(plan.rows.length, plan.source, plan.wouldHold.length);
  return (await information(said, go, l10n.t('Cancel'))) === go;
}

function askedWords(rows: number, source: string, holds: number): string {
  if (rows === 1)
    return holds === 0
      ? l10n.t('Import 1 row from {0}? It holds no work.', source)
      : l10n.t('Import 1 row from {0}? It will hold work until you decide.', source);
  return holds === 0
    ? l10n.t('Import {0} rows from {1}? They hold no work.', rows, source)
    : l10n.t('Import {0} rows from {1}? {2} of them will hold work until you decide.', rows, source, holds);
}

async function chooseSource(): Promise<ImportSource | undefined> {
  const labels: Readonly<Record<ImportSource, readonly [string, string]>> = {
    codeframe: [l10n.t('CodeFrame'), l10n.t('questions from its database')],
    engram: [l10n.t('Engram'), l10n.t('notes from its database')],
    markdown: [l10n.t('Markdown folder'), l10n.t('decision records and RFCs')],
    json: [l10n.t('Export of Holdpoint'), l10n.t('JSON of another workspace')],
  };
  const items = importSource.options.map((from) => ({ from, label: labels[from][0], description: labels[from][1] }));
  return (await vscode.window.showQuickPick(items, { title: l10n.t('Import from') }))?.from;
}

async function chooseFile(from: ImportSource): Promise<string | undefined> {
  const isFolder = from === 'markdown';
  const found = await vscode.window.showOpenDialog({
    canSelectFiles: !isFolder,
    canSelectFolders: isFolder,
    title: l10n.t('Import from'),
    openLabel: l10n.t('Import'),
    ...(isFolder
      ? {}
      : { filters: from === 'json' ? { JSON: ['json'] } : { SQLite: ['db', 'sqlite', 'sqlite3'], '*': ['*'] } }),
  });
  return found?.[0]?.fsPath;
}

async function exportTo(folders: Folders): Promise<void> {
  const folder = await chooseFolder(folders, l10n.t('Export which folder?'));
  if (!folder) return;
  const formats = [
    { format: 'json', ending: 'json', label: 'JSON', description: l10n.t('what another workspace can import') },
    { format: 'markdown', ending: 'md', label: l10n.t('Markdown'), description: l10n.t('for reading') },
    { format: 'sqlite', ending: 'sqlite', label: 'SQLite', description: l10n.t('for queries') },
  ] as const;
  const picked = await vscode.window.showQuickPick(formats, { title: l10n.t('Export as') });
  if (!picked) return;
  const target = await vscode.window.showSaveDialog({
    defaultUri: placeFor(folder, picked.ending),
    title: l10n.t('Export as'),
  });
  if (target?.scheme !== 'file') return;
  const file = target.fsPath;
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: l10n.t('Exporting {0}', folder.name) },
    async () => {
      const pieces = await exportedPieces(folder.workspace, picked.format, null);
      // The dialog has already asked whether to replace it.
      writeExport({ fs, file, temporary: `${file}.${randomUUID()}.tmp`, put: fs.renameSync }, pieces);
    },
  );
  void information(l10n.t('Exported to {0}.', path.basename(target.fsPath)));
}

function placeFor(folder: OpenFolder, ending: string): vscode.Uri {
  return vscode.Uri.file(path.join(folder.uri.fsPath, `holdpoint-export.${ending}`));
}

async function show(report: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content: report, language: 'plaintext' });
  await vscode.window.showTextDocument(document, { preview: true });
}
