/** What a page that has nothing to show may ask for. */
import * as vscode from 'vscode';
import type { UnavailableView } from '../protocol/question.ts';

const commands = {
  openFolder: 'workbench.action.files.openFolder',
  manageTrust: 'workbench.trust.manage',
  reloadWindow: 'workbench.action.reloadWindow',
} as const;

export async function harmless(action: NonNullable<UnavailableView['action']>): Promise<void> {
  await vscode.commands.executeCommand(commands[action]);
}

/** Nothing is decided from a view that could not be made. */
export function notShown(error: unknown): UnavailableView {
  const text = error instanceof Error ? error.message : String(error);
  return {
    type: 'unavailable',
    title: vscode.l10n.t('This could not be shown'),
    text: text === '' ? vscode.l10n.t('No reason was given.') : text,
    action: 'reloadWindow',
  };
}
