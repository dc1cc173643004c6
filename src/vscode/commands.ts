/** Commands. They open and copy; none takes a decision, whatever its arguments. */
import * as vscode from 'vscode';
import type { AnswerView } from './answerView.ts';
import { collect } from './disposables.ts';
import type { Closable } from './disposables.ts';
import type { Folders } from './folders.ts';
import { ids } from './ids.ts';
import type { Node } from './waitingNodes.ts';
import { chooseFolder, policyKey, releaseAllKey } from './workspaceForms.ts';

export function registerCommands(folders: Folders, answers: AnswerView): Closable {
  const all = collect();
  const on = (id: string, run: (argument: unknown) => Promise<void>) =>
    all.add(vscode.commands.registerCommand(id, run));
  on(ids.commands.openForm, (argument) => answers.show(keyFrom(folders, argument)));
  on(ids.commands.openFirst, () => answers.show());
  on(ids.commands.focus, async () => {
    await vscode.commands.executeCommand(`${ids.views.waiting}.focus`);
  });
  on(ids.commands.copyId, async (argument) => {
    const found = folders.find(keyFrom(folders, argument) ?? '');
    if (found) await vscode.env.clipboard.writeText(found.id);
  });
  on(ids.commands.openReleaseAll, async (argument) => {
    const found = folders.find(keyFrom(folders, argument) ?? '');
    const question = found?.folder.workspace.standing().state?.questions.get(found.id);
    if (found && question) await answers.show(releaseAllKey(folders, found.folder, question.asker.id));
  });
  on(ids.commands.editPolicy, async (argument) => {
    const named = isQuestionNode(argument) && folders.all.includes(argument.folder) ? argument.folder : undefined;
    const folder = named ?? (await chooseFolder(folders));
    if (folder) await answers.show(policyKey(folders, folder));
  });
  return all;
}

/** A key, an id such as `Q-12`, or a tree node; anything else means the first item. */
function keyFrom(folders: Folders, argument: unknown): string | undefined {
  if (isQuestionNode(argument)) return folders.keyOf(argument.folder, argument.question.id);
  if (typeof argument !== 'string') return undefined;
  if (folders.find(argument)) return argument;
  const folder = folders.all.find(({ workspace }) => workspace.standing().state?.questions.has(argument));
  return folder ? folders.keyOf(folder, argument) : undefined;
}

function isQuestionNode(argument: unknown): argument is Extract<Node, { kind: 'question' }> {
  return (
    typeof argument === 'object' &&
    argument !== null &&
    'kind' in argument &&
    argument.kind === 'question' &&
    'question' in argument &&
    'folder' in argument
  );
}
