/** Says once in a folder that a remote window signs on the remote machine, and how to sign on one's own. */
import * as vscode from 'vscode';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { isOnOtherMachine } from '../kit/personsSide.ts';
import { warning } from '../kit/messages.ts';
import {
  isInBrowser,
  remoteWords,
  rememberSignerHint,
  signerHint,
  signingSide,
  signingWords,
} from '../kit/signingSide.ts';

/** Not in a browser, which cannot install the package: there, only the set-up page and the Keys form say it. */
export function registerSignerHint({ workspaceState }: vscode.ExtensionContext, folders: Folders): Closable {
  const all = collect();
  if (!isOnOtherMachine() || isInBrowser()) return all;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking || signerHint(workspaceState) !== undefined || !isInUse(folders)) return;
    isLooking = true;
    if ((await signingSide()) === 'here') await hintOnce(workspaceState);
    isLooking = false;
  };
  all.add(folders.onDidChange(() => void look()));
  return all;
}

/** Once in a folder, whatever its reader does with it. */
export async function hintOnce(memory: vscode.Memento): Promise<void> {
  if (signerHint(memory) !== undefined) return;
  await rememberSignerHint(memory, 'shown');
  const [how, never] = [vscode.l10n.t('Show How'), vscode.l10n.t('Not for This Folder')];
  const picked = await warning(`${remoteWords()} ${signingWords('here')}`, how, never);
  if (picked === how) await vscode.commands.executeCommand(ids.commands.setUpAgents);
  if (picked === never) await rememberSignerHint(memory, 'declined');
}

/** Whether agents have recorded something. */
function isInUse({ stores }: Folders): boolean {
  return stores.some(([{ workspace }]) => (workspace.standing().state?.workspace ?? null) !== null);
}
