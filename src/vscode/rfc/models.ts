/** Whether the editor has a language model for reviews; reviews offer the AI reviewer only then. */
import * as vscode from 'vscode';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { chooseModel } from './languageModel.ts';

export interface Models extends Closable {
  some(): boolean;
  readonly onDidChange: vscode.Event<void>;
}

/** Checks once, and again when the editor's models change. */
export function watchModels(): Models {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  let some = false;
  const look = async (): Promise<void> => {
    const found = (await chooseModel()) !== null;
    if (found === some) return;
    some = found;
    changed.fire();
  };
  all.add(vscode.lm.onDidChangeChatModels(() => void look()));
  void look();
  return {
    some: () => some,
    onDidChange: changed.event,
    dispose: () => {
      all.dispose();
    },
  };
}
