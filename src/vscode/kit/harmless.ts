/** What a page without content may ask for. */
import * as vscode from 'vscode';
import type { UnavailableView } from '../../ui/kit/view.ts';

const commands = {
  openFolder: 'workbench.action.files.openFolder',
  manageTrust: 'workbench.trust.manage',
  reloadWindow: 'workbench.action.reloadWindow',
} as const;

export async function harmless(action: NonNullable<UnavailableView['action']>): Promise<void> {
  await vscode.commands.executeCommand(commands[action]);
}
