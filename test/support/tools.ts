import type { EditorWindow } from './window.ts';

/** Calls a language-model tool as VS Code does, and returns the text for the model. */
export function invokeTool(window: EditorWindow, name: string, input: object): Promise<string> {
  return window.evaluate(
    async ({ vscode }, call) => {
      const result = await vscode.lm.invokeTool(call.name, { input: call.input, toolInvocationToken: undefined });
      return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    },
    { name, input },
  );
}

/** Resolves when the extension under test is ready for calls. */
export async function extensionReady(window: EditorWindow): Promise<void> {
  await window.evaluate(async ({ vscode }) => {
    const find = (): Thenable<unknown> | undefined => vscode.extensions.getExtension('holdpoint.holdpoint')?.activate();
    await (find() ??
      new Promise<void>((resolve, reject) => {
        const listening = vscode.extensions.onDidChange(() => {
          const activating = find();
          if (!activating) return;
          listening.dispose();
          activating.then(() => {
            resolve();
          }, reject);
        });
      }));
  }, undefined);
}
