import * as vscode from 'vscode';
import type { SignerStanding } from './signer.ts';

/** A short reason next to a form for why an unknown key cannot decide. */
export function strangerWords({ managed }: Extract<SignerStanding, { kind: 'stranger' }>): string {
  return managed === null
    ? vscode.l10n.t('This editor cannot sign for you yet.')
    : vscode.l10n.t('An administrator manages the trusted keys here, and this editor’s key is not among them.');
}
