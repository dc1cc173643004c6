/**
 * One notification for each new sync or critical question, never again for the same, and in one window only. Its
 * buttons open the form or put it off; neither decides.
 */
import fs from 'node:fs';
import path from 'node:path';
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
/** A window in the background gives the focused one this long to be first. */
const backgroundDelayMs = 1_000;
const snoozeMs = 10 * 60_000;

export function registerNotifications(context: vscode.ExtensionContext, folders: Folders): Closable {
  const all = collect();
  const timers = new Set<NodeJS.Timeout>();
  /** Per workspace: the number of the last question looked at. Kept, so that a reload does not tell it all again. */
  const seen = new Map(Object.entries(context.workspaceState.get<Record<string, number>>(knownName, {})));
  const claims = path.join(context.globalStorageUri.fsPath, 'notified');

  function after(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  }

  function look(): void {
    for (const [folder] of folders.stores) {
      const { state } = folder.workspace.standing();
      if (!state?.workspace) continue;
      const { id } = state.workspace;
      const last = seen.get(id) ?? 0;
      if (state.questions.size <= last) continue;
      for (const question of [...state.questions.values()].slice(last)) {
        if (!isWanted(question)) continue;
        const claim = `${id}-${question.id}`;
        after(vscode.window.state.focused ? 0 : backgroundDelayMs, () => {
          if (isFirst(claims, claim)) void tell(folder, question.id);
        });
      }
      seen.set(id, state.questions.size);
      void context.workspaceState.update(knownName, Object.fromEntries(seen));
    }
  }

  async function tell(folder: OpenFolder, id: string): Promise<void> {
    const { state } = folder.workspace.standing();
    const question = state?.questions.get(id);
    if (!state || !question || !isWaiting(question)) return;
    const answer = vscode.l10n.t('Answer');
    const later = vscode.l10n.t('Later');
    const picked = await vscode.window.showInformationMessage(words(state, question), answer, later);
    if (picked === answer) await vscode.commands.executeCommand(ids.commands.openForm, folders.keyOf(folder, id));
    if (picked === later) after(snoozeMs, () => void tell(folder, id));
  }

  all.add(folders.onDidChange(look));
  all.add({
    dispose() {
      for (const timer of timers) clearTimeout(timer);
    },
  });
  look();
  return all;
}

function isWanted(question: Question): boolean {
  const wanted = vscode.workspace.getConfiguration().get<string>(ids.settings.notifications, 'all');
  if (!isWaiting(question) || wanted === 'off') return false;
  return question.urgency === 'critical' || (question.mode === 'sync' && wanted === 'all');
}

/** The first of several windows to make the file tells the human. */
function isFirst(folder: string, claim: string): boolean {
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.closeSync(fs.openSync(path.join(folder, claim), 'wx'));
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EEXIST');
  }
}

function words(state: State, question: Question): string {
  const { direct, dependants } = cascade(state, question);
  const held = direct.length + dependants.length;
  const subject = firstLine(question.raised.text);
  const stopped =
    question.mode === 'sync'
      ? vscode.l10n.t('{0} stopped: {1}', question.asker.id, subject)
      : vscode.l10n.t('{0} asks: {1}', question.asker.id, subject);
  if (held === 0 || question.mode === 'async') return stopped;
  return held === 1
    ? vscode.l10n.t('{0} Blocks 1 item.', stopped)
    : vscode.l10n.t('{0} Blocks {1} items.', stopped, held);
}
