/** Chooses an RFC to read among all of the open folders, including decided ones. */
import * as vscode from 'vscode';
import { isRfcWaiting } from '../../core/rfc/rfc.ts';
import type { Folders } from '../kit/folders.ts';

/** RFCs waiting for a review first, then the latest. Undefined if there are none, null if the user chooses none. */
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
