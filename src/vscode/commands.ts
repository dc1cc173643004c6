/** Commands. They open and copy; none makes a decision, whatever its arguments. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hasItem, isRfcId } from '../core/waiting/items.ts';
import { isFinished, type State } from '../core/state/state.ts';
import { waitingQueue } from '../ui/answer/nothing.ts';
import type { AnswerView } from './answer/answerView.ts';
import { collect, type Closable } from '../ui/kit/timing.ts';
import type { Folders } from '../ui/kit/folders.ts';
import { ids } from '../ui/kit/ids.ts';
import { registerFileActs } from './briefing/fileMarks.ts';
import type { RfcPanels } from './rfc/panel.ts';
import { idOf, type ItemNode, type RequestNode } from '../ui/tree/nodes.ts';
import { formKey, type settingsForms } from '../ui/surface/workspaceForms.ts';
import { chooseFolder } from './kit/folders.ts';
import { information, withoutIcons } from './kit/messages.ts';
import { folderPart } from '../ui/kit/rows.ts';
import os from 'node:os';
import { thisMachine } from '../app/workspace/thisMachine.ts';
import { openNoteFile, takeOpenNote } from '../app/waiting/openNote.ts';
import { userFolder } from '../store/journal/stateFile.ts';
import { linkedFile } from './kit/files.ts';

export function registerCommands(folders: Folders, answers: AnswerView, reviews: RfcPanels): Closable {
  const all = collect();
  const on = (id: string, run: (argument: unknown) => Promise<void>) =>
    all.add(vscode.commands.registerCommand(id, run));
  /** Opens an item's form: questions in the view, RFCs in a tab. */
  const open = async (key: string | undefined): Promise<void> => {
    if (key !== undefined && isRfcId(folders.find(key)?.id ?? '')) reviews.open(key);
    else await answers.show(key);
  };
  on(ids.commands.openForm, (argument) => open(keyFrom(folders, argument)));
  on(ids.commands.openRfc, async (argument) => {
    const key = await rfcKeyOf(folders, argument);
    if (key === undefined) void information(l10n.t('No RFC is waiting for review.'));
    else await open(key);
  });
  on(ids.commands.openFirst, async () => {
    await vscode.commands.executeCommand(`${ids.views.waiting}.focus`);
    const broken = folders.all.some(({ workspace }) => workspace.standing().problem !== null);
    await open(broken ? undefined : (await waitingQueue(folders))[0]?.key);
  });
  on(ids.commands.openQueue, () => answers.showQueue());
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
    if (found && question) await answers.show(formKey(folders, found.folder, 'releaseAll', question.asker.id));
  });
  on(ids.commands.openWork, async () => {
    const key = await chooseWork(folders);
    if (key !== undefined) await answers.show(key);
  });
  const folderOf = (argument: unknown) =>
    isItemNode(argument) && folders.all.includes(argument.folder) ? argument.folder : undefined;
  const onForm = (id: string, form: (typeof settingsForms)[number], title: string) => {
    on(id, async (argument) => {
      const folder = folderOf(argument) ?? (await chooseFolder(folders, title));
      if (folder) await answers.show(formKey(folders, folder, form));
    });
  };
  onForm(ids.commands.editPolicy, 'policy', l10n.t('Edit the policy of which folder?'));
  onForm(ids.commands.manageKeys, 'keys', l10n.t('Show the keys of which folder?'));
  onForm(ids.commands.appoint, 'appoint', l10n.t('Appoint stewards and humans in which folder?'));
  onForm(ids.commands.newRequest, 'ask', l10n.t('Make a request in which folder?'));
  all.add(registerFileActs({ folders, open }));
  return all;
}

/** The RFC named by an argument: a key, an id or a tree node; otherwise the first waiting one. */
export async function rfcKeyOf(folders: Folders, argument: unknown): Promise<string | undefined> {
  return keyFrom(folders, argument) ?? (await waitingQueue(folders)).find(({ id }) => isRfcId(id))?.key;
}

/** The form of a work item that the user chooses; unfinished ones come first. Their titles are agents' text. */
async function chooseWork(folders: Folders): Promise<string | undefined> {
  const rows = folders.stores.flatMap(([folder]) =>
    [...(folder.workspace.standing().state?.work.values() ?? [])].flatMap((item) =>
      item.status === 'deleted'
        ? []
        : {
            label: withoutIcons(item.title),
            description: [item.id, ...folderPart(folders, folder)].join(' · '),
            key: formKey(folders, folder, 'work', item.id),
            isFinished: isFinished(item),
          },
    ),
  );
  if (rows.length === 0) void information(l10n.t('No agent has registered work here.'));
  if (rows.length < 2) return rows[0]?.key;
  const picked = await vscode.window.showQuickPick(
    rows.toSorted((a, b) => Number(a.isFinished) - Number(b.isFinished)),
    { placeHolder: l10n.t('Open which work item?'), matchOnDescription: true },
  );
  return picked?.key;
}

/** A key, an id such as `Q-12`, or a tree node; otherwise the first item. */
export function keyFrom(folders: Folders, argument: unknown): string | undefined {
  if (isItemNode(argument)) return folders.keyOf(argument.folder, idOf(argument));
  if (typeof argument !== 'string') return undefined;
  if (folders.find(argument)) return argument;
  const folder = folders.all.find(({ workspace }) => isIn(workspace.standing().state, argument));
  return folder ? folders.keyOf(folder, argument) : undefined;
}

function isIn(state: State | null, id: string): boolean {
  return state !== null && hasItem(state, id);
}

function isItemNode(argument: unknown): argument is ItemNode | RequestNode {
  if (typeof argument !== 'object' || argument === null || !('kind' in argument) || !('folder' in argument))
    return false;
  return ['question', 'rfc', 'request'].some((kind) => argument.kind === kind && kind in argument);
}

// External entry points: `holdpoint open Q-12`, `vscode://holdpoint.holdpoint/open/Q-12`, and another window's list
// of other folders. They only open a form.

export function registerOpening(folders: Folders): Closable {
  const all = collect();
  const open = (key: string) => vscode.commands.executeCommand(ids.commands.openForm, key);
  all.add(
    vscode.window.registerUriHandler({
      async handleUri(uri) {
        const found = linkedFile(folders, uri);
        if (found === null) return;
        if ('key' in found) await open(found.key);
        else void information(found.why);
      },
    }),
  );
  all.add(followNotes(folders));
  return all;
}

/** Shows the item that the command line names for a folder of this window, or another window that opened the folder. */
function followNotes(folders: Folders): Closable {
  const all = collect();

  async function look(): Promise<void> {
    const machine = thisMachine(process, os.homedir());
    const folderOf = (named: string) =>
      folders.stores.map(([first]) => first).find(({ workspace }) => workspace.location.root === named) ??
      folders.all.find(({ uri }) => uri.fsPath === vscode.Uri.file(named).fsPath);
    const note = takeOpenNote(machine, userFolder(machine), (named) => folderOf(named) !== undefined);
    const folder = note && folderOf(note.folder);
    if (!note || !folder) return;
    const { state } = folder.workspace.standing();
    // An UNKNOWN store shows its recovery options in place of any item.
    if (state === null || note.id === null) await vscode.commands.executeCommand(ids.commands.openFirst);
    else if (hasItem(state, note.id))
      await vscode.commands.executeCommand(ids.commands.openForm, folders.keyOf(folder, note.id));
    else if (state.events.has(note.id))
      await vscode.commands.executeCommand(ids.commands.openEvent, folders.keyOf(folder, note.id));
  }

  void folders.opened.then(() => {
    const folder = userFolder(thisMachine(process, os.homedir()));
    const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), openNoteFile);
    const watcher = all.add(vscode.workspace.createFileSystemWatcher(pattern, false, false, true));
    all.add(watcher.onDidCreate(() => void look()));
    all.add(watcher.onDidChange(() => void look()));
    all.add(vscode.window.onDidChangeWindowState(() => void look()));
    void look();
  });
  return all;
}
