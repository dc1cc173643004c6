/** One notification for each new sync or critical question, never again for the same. Its buttons only open or put off. */
import * as vscode from 'vscode';
import { cascade } from '../core/holds.ts';
import { isWaiting } from '../core/state.ts';
import type { Question, State } from '../core/state.ts';
import { firstLine } from '../core/text.ts';
import { collect } from './disposables.ts';
import type { Closable } from './disposables.ts';
import type { Folders, OpenFolder } from './folders.ts';
import { ids } from './ids.ts';

const knownName = 'holdpoint.notified';

export function registerNotifications(context: vscode.ExtensionContext, folders: Folders): Closable {
  const all = collect();
  /** Per store: the number of the last question looked at. Kept, so that a reload does not tell it all again. */
  const seen = new Map(Object.entries(context.workspaceState.get<Record<string, number>>(knownName, {})));

  const look = () => {
    for (const folder of folders.all) {
      const { state } = folder.workspace.standing();
      if (!state?.workspace) continue;
      const { id } = state.workspace;
      const last = seen.get(id) ?? 0;
      if (state.questions.size <= last) continue;
      for (const question of [...state.questions.values()].slice(last))
        if (isWaiting(question) && (question.mode === 'sync' || question.urgency === 'critical'))
          void tell(folders, folder, state, question);
      seen.set(id, state.questions.size);
      void context.workspaceState.update(knownName, Object.fromEntries(seen));
    }
  };
  all.add(folders.onDidChange(look));
  look();
  return all;
}

async function tell(folders: Folders, folder: OpenFolder, state: State, question: Question): Promise<void> {
  const { direct, dependants } = cascade(state, question);
  const held = direct.length + dependants.length;
  const subject = firstLine(question.raised.text);
  const stopped = vscode.l10n.t('{0} stopped: {1}', question.asker.id, subject);
  const text = held === 0 ? stopped : vscode.l10n.t('{0} Blocks {1}.', stopped, held);
  const answer = vscode.l10n.t('Answer');
  const picked = await vscode.window.showInformationMessage(text, answer, vscode.l10n.t('Later'));
  if (picked === answer)
    await vscode.commands.executeCommand(ids.commands.openForm, folders.keyOf(folder, question.id));
}
