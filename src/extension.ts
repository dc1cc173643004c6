/** Entry of the extension. VS Code's start waits for this file alone: the rest is loaded in later turns. */
import type { ExtensionContext } from 'vscode';
import type { HoldpointApi } from './vscode/api.ts';

export async function activate(context: ExtensionContext): Promise<HoldpointApi> {
  const extension = await import('./vscode/activate.ts');
  return extension.activate(context);
}
