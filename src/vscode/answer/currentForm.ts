/** The content of the "Answer" view: the selected form, or why there is none. */
import * as l10n from '@vscode/l10n';
import { diagnose } from '../../app/recovery/recovery.ts';
import { lookAtHeldBy } from '../../app/hold/lookAtHeld.ts';
import { isRfcId } from '../../core/waiting/items.ts';
import type { AnswerSnapshot } from '../../ui/answer/view.ts';
import type { CopyKeeper } from '../kit/recovery.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { formAbout, type FormMeans } from '../../ui/answer/form.ts';
import { enrolModel } from '../../ui/answer/keys.ts';
import { recoveryModel } from '../../ui/answer/recovery.ts';
import { noFolder } from '../../ui/surface/unavailable.ts';
import type { Keys } from '../../ui/surface/standing.ts';
import { formKey, workspaceForm } from '../../ui/surface/workspaceForms.ts';
import { phoneLink } from '../settings/reminders.ts';
import { rootsOf } from '../settings/share.ts';
import { leaveModel, shareModel } from '../../ui/answer/team.ts';
import type { Logins } from '../settings/team.ts';
import { waitingOf } from '../../ui/tree/nodes.ts';
import { nothingModel, waitingQueue } from '../../ui/answer/nothing.ts';
import type { Queue } from './queue.ts';
import type { Resuming } from './resuming.ts';
import type { Selection } from '../../ui/answer/selection.ts';
import { program } from '../../ui/kit/program.ts';

export interface CurrentFormOptions {
  readonly folders: Folders;
  readonly keys: Keys;
  readonly copies: CopyKeeper;
  readonly logins: Logins;
  readonly selection: Selection;
  readonly resuming: Pick<Resuming, 'model'>;
  /** Delays decisions on questions, so that they can be undone. */
  readonly queue?: Queue | undefined;
}

/** @param render id of the rendering */
export async function currentForm(options: CurrentFormOptions, render: string): Promise<AnswerSnapshot> {
  const { folders, selection } = options;
  await folders.opened;
  if (folders.shown.length === 0)
    return noFolder(l10n.t('Questions belong to a folder on this machine. Open the folder your agents work in.'));
  if (!program().isTrusted && waitingOf(folders) === 0) return untrustedSnapshot();
  const selected = selection.key();
  const broken = brokenAt(folders, selected);
  if (broken) {
    const code = broken.workspace.standing().problem?.code;
    if (code === 'newer' && selected !== formKey(folders, broken, 'recovery')) return newerSnapshot(folders, broken);
    if (code === 'disconnected') return (await sharing(options, selected, render)) ?? disconnected();
    return (await recovery(options, broken, render)) ?? currentForm(options, render);
  }
  const waiting = await waitingQueue(folders);
  // The reader, or an act that ended, has moved on to another item during the draw.
  if (selection.key() !== selected) return currentForm(options, render);
  const queue = options.queue?.arrange(waiting) ?? waiting;
  const first = options.queue?.isThrough() ? undefined : queue.find(({ id }) => !isRfcId(id));
  const chosen = (selected === null ? null : folders.find(selected)) ?? folders.find(first?.key ?? '');
  if (!chosen) return nothingModel(folders, queue);
  const { folder, id } = chosen;
  const wide = workspaceForm(id);
  if (!wide) selection.stay(folders.keyOf(folder, id));
  const drawn = selection.key();
  const form = await formAbout(meansOf(options), { folder, id, queue, render });
  if (form) return form;
  // Its subject no longer exists: back, unless the selection has moved on during the draw.
  if (selection.key() === drawn) {
    if (wide) selection.back();
    else selection.select(null);
  }
  return currentForm(options, render);
}

/** The folder of the selected item, or without one the first, if its store cannot be read. */
function brokenAt(folders: Folders, selected: string | null): OpenFolder | undefined {
  const found = selected === null ? folders.all : [folders.find(selected)?.folder];
  return found.find((folder) => folder && folder.workspace.standing().problem !== null);
}

function meansOf({ folders, keys, selection, resuming, logins }: CurrentFormOptions): FormMeans {
  return {
    ...{ folders, keys, rootsOf, where: 'editor', pasted: selection.pasted(), phone: phoneLink },
    standing: (workspace) => keys.standing(workspace),
    look: (workspace, id) => lookAtHeldBy(workspace, id).catch(() => undefined),
    resume: (...about) => resuming.model(...about),
    team: { share: async (form) => shareModel(form, await logins.read(form.folder.workspace)), leave: leaveModel },
  };
}

/** The form that shares the workspace, if it is selected. */
async function sharing(
  options: CurrentFormOptions,
  key: string | null,
  render: string,
): Promise<AnswerSnapshot | null> {
  const found = options.folders.find(key ?? '');
  const isShown = found !== null && workspaceForm(found.id)?.kind === 'share';
  return isShown ? formAbout(meansOf(options), { ...found, queue: [], render }) : null;
}

/** Null if the store turns out to be sound. */
async function recovery(
  { folders, keys, copies }: CurrentFormOptions,
  folder: OpenFolder,
  render: string,
): Promise<AnswerSnapshot | null> {
  const diagnosis = diagnose(folder.workspace, copies.fileFor(folder.workspace));
  if (!diagnosis) return null;
  if (!program().isTrusted) return untrustedSnapshot();
  const standing = await keys.standing(folder.workspace);
  if (standing.kind === 'stranger') return enrolModel(folders, folder, { standing, own: await keys.own(), render });
  return recoveryModel(folders, folder, { diagnosis, standing, render });
}

function untrustedSnapshot(): AnswerSnapshot {
  return {
    type: 'unavailable',
    title: l10n.t('This folder is not trusted'),
    text: l10n.t('Until you trust it Holdpoint writes nothing here, and agents of this window cannot use its tools.'),
    action: 'manageTrust',
  };
}

/** The journal is on a server, and this machine has no usable copy. */
function disconnected(): AnswerSnapshot {
  return {
    type: 'unavailable',
    title: l10n.t('Not connected to the team'),
    text: l10n.t(
      'This workspace’s journal is on your team’s server, and this machine has no copy of it, so all agents are paused. In a terminal of this folder, run the line that you got: holdpoint team join.',
    ),
  };
}

/** The recovery options are one step away: the store is healthy, unless a program made up the version. */
function newerSnapshot(folders: Folders, folder: OpenFolder): AnswerSnapshot {
  return {
    type: 'unavailable',
    title: l10n.t('Update Holdpoint'),
    text: l10n.t(
      'This workspace was written by a newer version of Holdpoint, so this version cannot tell which work is held. All agents are paused. Nothing is lost. Update Holdpoint, then reload this window.',
    ),
    action: 'reloadWindow',
    recovery: formKey(folders, folder, 'recovery'),
  };
}
