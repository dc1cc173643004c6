/** Chooses an RFC to read among all of the open folders, including decided ones. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isRfcWaiting } from '../../core/rfc/rfc.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { withoutIcons } from '../kit/messages.ts';

/** RFCs waiting for a review first, then the latest. Their titles are agents’ text. */
export function rfcRows(folders: Folders) {
  const all = folders.all.flatMap((folder) =>
    [...(folder.workspace.standing().state?.rfcs.values() ?? [])].map((rfc) => ({
      label: withoutIcons(rfc.title),
      description: folders.all.length > 1 ? `${rfc.id} · ${withoutIcons(folder.name)}` : rfc.id,
      key: folders.keyOf(folder, rfc.id),
      waits: isRfcWaiting(rfc),
      at: rfc.updatedAt,
    })),
  );
  return all.toSorted((a, b) => Number(b.waits) - Number(a.waits) || b.at.localeCompare(a.at));
}

/** Undefined if there are none, null if the user chooses none. */
export async function chooseRfc(folders: Folders): Promise<string | null | undefined> {
  const rows = rfcRows(folders);
  if (rows.length < 2) return rows[0]?.key;
  const picked = await vscode.window.showQuickPick(rows, {
    placeHolder: l10n.t('Open which RFC?'),
    matchOnDescription: true,
  });
  return picked?.key ?? null;
}
