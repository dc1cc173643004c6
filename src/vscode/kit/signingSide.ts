/** On which machine a remote window signs. */
import * as vscode from 'vscode';
import { isOnOtherMachine, personsKey } from './personsSide.ts';

/** `theirs`: on the person's own machine, with Holdpoint Signer. `here`: on the remote machine, where agents are. */
export type SigningSide = 'theirs' | 'here';

/** Null in a window that works on this machine. */
export async function signingSide(): Promise<SigningSide | null> {
  if (vscode.env.remoteName === undefined) return null;
  try {
    if ((await personsKey()) !== null) return 'theirs';
    return isOnOtherMachine() ? 'here' : null;
  } catch {
    return 'theirs'; // it was there, and no other key takes its place
  }
}

export function signingWords(side: SigningSide): string {
  return side === 'theirs'
    ? vscode.l10n.t('Holdpoint Signer signs on yours, where your key is.')
    : vscode.l10n.t(
        'Your decisions are signed there, beside your agents: programs running as you there could sign for you. The extension Holdpoint Signer keeps your key on your own machine.',
      );
}

export function remoteWords(): string {
  return vscode.l10n.t('This window works on another machine ({0}).', vscode.env.remoteName ?? '');
}

const hintName = 'holdpoint.signerHint';

type Memory = Pick<vscode.Memento, 'get' | 'update'>;

/** What became of the hint in this folder. `declined`: its reader accepts signing on the remote machine. */
export function signerHint(memory: Memory): 'shown' | 'declined' | undefined {
  return memory.get(hintName);
}

export async function rememberSignerHint(memory: Memory, how: 'shown' | 'declined'): Promise<void> {
  await memory.update(hintName, how);
}

/** How to get the Signer. A browser takes extensions only from a gallery. */
export function signerSteps(): string[] {
  if (isInBrowser())
    return [
      vscode.l10n.t(
        'VS Code in a browser cannot install its package. Open this window in VS Code on your own machine.',
      ),
      vscode.l10n.t(
        'Or keep a passkey on your own device: run “Holdpoint: Add a Passkey…”, and decide in the browser.',
      ),
    ];
  return [
    vscode.l10n.t(
      'On your own machine, run “npm install && npm run package” in a checkout of Holdpoint. Do not take the package from the remote machine, where agents write files.',
    ),
    vscode.l10n.t(
      'In a window that works on your own machine, run “Extensions: Install from VSIX…” with the file in the folder companion.',
    ),
    vscode.l10n.t('Reload this window. This page then says that your key is on your machine.'),
  ];
}

export function isInBrowser(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Web;
}
