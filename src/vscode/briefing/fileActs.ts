/** "Why Is This Held?" and "Hold This File…", in the explorer, at the title of an editor and in Source Control. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askGate } from '../../app/hold/gate.ts';
import { openAgent } from '../../app/workspace/agents.ts';
import { escapeGlob } from '../../core/kit/paths.ts';
import { holderName, type Holder } from '../../core/hold/holds.ts';
import { plainText, shownLine } from '../../core/kit/text.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { inEditor, placeOf, type Place } from '../kit/files.ts';
import { failure, information, withoutIcons } from '../kit/messages.ts';

export interface FileActs {
  readonly folders: Folders;
  /** Opens the form of a question or the review of an RFC. */
  readonly open: (key: string) => Promise<void>;
}

export function registerFileActs({ folders, open }: FileActs): Closable {
  const all = collect();
  const on = (id: string, run: (place: Place) => Promise<void>) =>
    all.add(
      vscode.commands.registerCommand(id, async (argument: unknown) => {
        const place = chosenPlace(folders, argument);
        try {
          if (place) await run(place);
          else void information(l10n.t('Select a file of an open folder first.'));
        } catch (error) {
          void failure(error instanceof Error ? error.message : String(error));
        }
      }),
    );
  on(ids.commands.whyHeld, async ({ folder, path }) => {
    const { reasons, problem } = askGate(folder.workspace, { files: [path] });
    const holders = [...new Set(reasons.flatMap(({ holder }) => holder ?? []))];
    const holder = holders.length > 1 ? await chooseHolder(holders) : holders[0];
    if (holder) await open(folders.keyOf(folder, holder.id));
    else if (problem) void information(l10n.t('Agents may not change {0}: {1}', path, problem.message));
    else if (holders.length === 0) void information(l10n.t('Nothing holds {0}.', path));
  });
  on(ids.commands.holdFile, async (place) => {
    const reason = await vscode.window.showInputBox({
      title: l10n.t('Hold {0}', place.path),
      prompt: l10n.t('Agents may not change it until you answer. Why? They read the reason.'),
      placeHolder: l10n.t('For example: I am changing this myself'),
    });
    if (reason !== undefined) await open(folders.keyOf(place.folder, await hold(place, reason.trim())));
  });
  return all;
}

/** The file of a menu's row; without one, that of the active editor. */
function chosenPlace(folders: Folders, argument: unknown): Place | null {
  const uri = argument instanceof vscode.Uri ? argument : resourceOf(argument);
  if (uri) return placeOf(folders, uri);
  const looking = inEditor(folders);
  return looking.kind === 'file' ? looking.place : null;
}

/** Of a row in Source Control. */
function resourceOf(argument: unknown): vscode.Uri | null {
  if (typeof argument !== 'object' || argument === null || !('resourceUri' in argument)) return null;
  return argument.resourceUri instanceof vscode.Uri ? argument.resourceUri : null;
}

async function chooseHolder(holders: readonly Holder[]): Promise<Holder | undefined> {
  const items = holders.map((holder) => ({
    label: `${holder.id}: ${withoutIcons(shownLine(plainText(holderName(holder))))}`,
    holder,
  }));
  const title = l10n.t('{0} questions and RFCs hold this. Open which one?', holders.length);
  return (await vscode.window.showQuickPick(items, { title }))?.holder;
}

/**
 * A human holds a file by asking: anybody may create a hold, and only a signed answer releases it. An earlier answer about
 * the same file is not reused.
 * @returns id of the question
 * @throws Error when the tool refuses
 */
async function hold({ folder: { workspace }, path }: Place, reason: string): Promise<string> {
  const { raiseQuestion } = await import('../../tools/question/asking.ts');
  const { runOperation } = await import('../../tools/kit/operation.ts');
  const { session } = openAgent(workspace, { type: 'editor', host: 'vscode', given: 'editor' });
  const glob = escapeGlob(path);
  const { status, text } = await runOperation(
    raiseQuestion,
    { workspace, session, signal: new AbortController().signal, waitMs: 0 },
    {
      text: l10n.t('May agents change `{0}`?', path),
      type: 'approval',
      ...(reason === '' ? {} : { background: reason }),
      holds: [glob],
      reopen_reason: l10n.t('You hold it again.'),
      wait_seconds: 0,
    },
  );
  const { state } = workspace.standing();
  const held = [...(state?.undecided ?? [])].find((id) => {
    const question = state?.questions.get(id);
    return question?.asker.id === session.actor.id && question.holds.includes(glob);
  });
  if (held === undefined || status === 'error') throw new Error(text);
  return held;
}
