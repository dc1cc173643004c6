/** Entry of the extension: VS Code's start waits for this file alone. What it registers waits for the rest. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import { collect } from './ui/kit/timing.ts';
import { ids } from './ui/kit/ids.ts';
import type { HoldpointApi } from './vscode/api.ts';

interface Contributed {
  readonly contributes: {
    readonly languageModelTools: readonly { readonly name: string; readonly displayName: string }[];
  };
}

export function activate(context: vscode.ExtensionContext): HoldpointApi {
  const all = collect();
  context.subscriptions.push(all);
  const placeHolders = all.add(collect());
  const notified = all.add(new vscode.EventEmitter<Parameters<Parameters<HoldpointApi['onDidNotify']>[0]>[0]>());

  /** In a later turn: everything that a window shows and does. */
  async function open() {
    await nextTurn();
    const { openWindow } = await import('./vscode/activate.ts');
    placeHolders.dispose();
    const window = all.add(openWindow(context));
    all.add(
      window.api.onDidNotify((notification) => {
        notified.fire(notification);
      }),
    );
    return window;
  }
  const window = open();

  for (const command of Object.values(ids.commands))
    placeHolders.add(
      vscode.commands.registerCommand(command, async (...given: unknown[]) => {
        await window;
        return vscode.commands.executeCommand(command, ...given);
      }),
    );
  /** The manifest's tools, which are generated from the operations. */
  const registerTools = () => {
    for (const { name, displayName } of (context.extension.packageJSON as Contributed).contributes.languageModelTools)
      all.add(
        vscode.lm.registerTool(name, {
          invoke: async ({ input }, token) => (await window).invoke({ name, input }, token),
          prepareInvocation: () => ({ invocationMessage: displayName }),
        }),
      );
  };
  // An untrusted window offers no tools to agents; they are added when the window is trusted.
  if (vscode.workspace.isTrusted) registerTools();
  else all.add(vscode.workspace.onDidGrantWorkspaceTrust(registerTools));
  return Object.freeze<HoldpointApi>({
    version: 1,
    onDidNotify: notified.event,
    questions: async (...given) => (await window).api.questions(...given),
  });
}
