/** Chooses among all RFCs of the open folders, decided ones too: for reading. */
import * as vscode from 'vscode';
import { isRfcWaiting } from '../../core/rfc/rfc.ts';
import type { Folders } from '../kit/folders.ts';

/** Undefined: there is none. Null: the user chose none. Those that wait for a review come first, then the latest. */
export async function chooseRfc(folders: Folders): Promise<string | null | undefined> {
  const all = folders.all.flatMap((folder) =>
    [...(folder.workspace.standing().state?.rfcs.values() ?? [])].map((rfc) => ({
      label: rfc.title,
      description: folders.all.length > 1 ? `${rfc.id} · ${folder.name}` : rfc.id,
      key: folders.keyOf(folder, rfc.id),
      waits: isRfcWaiting(rfc),
      at: rfc.updatedAt,
    })),
  );
  if (all.length < 2) return all[0]?.key;
  const sorted = all.toSorted((a, b) => Number(b.waits) - Number(a.waits) || b.at.localeCompare(a.at));
  const picked = await vscode.window.showQuickPick(sorted, {
    placeHolder: vscode.l10n.t('Open which RFC?'),
    matchOnDescription: true,
  });
  return picked?.key ?? null;
}
