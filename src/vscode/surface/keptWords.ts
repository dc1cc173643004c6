/** What a form says after a decision that needs more people. */
import * as vscode from 'vscode';
import type { QuorumView } from '../../app/workspace/quorums.ts';

export function keptWords(quorum: QuorumView | null): string {
  const [best] = quorum?.proposals ?? [];
  return best
    ? vscode.l10n.t('Signed: {0} of {1}. Nothing is released until the others sign the same.', best.have, best.of)
    : vscode.l10n.t('Signed. Nothing is released until the others sign the same.');
}
