/** The content of the "Answer" view: the selected form, or why there is none. */
import * as l10n from '@vscode/l10n';
import { diagnose } from '../../app/recovery/recovery.ts';
import { lookAtHeldBy } from '../../app/hold/lookAtHeld.ts';
import { questionView } from '../../app/question/views.ts';
import { isRfcId } from '../../core/waiting/items.ts';
import type { AnswerSnapshot } from '../../ui/answer/view.ts';
import type { CopyKeeper } from '../kit/recovery.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { enrolModel, keysModel } from '../../ui/answer/keys.ts';
import { recoveryModel } from '../../ui/answer/recovery.ts';
import { askModel, appointModel, isRequestId, requestModel } from '../../ui/answer/requests.ts';
import { noFolder } from '../../ui/surface/unavailable.ts';
import { strangerWords, type Keys } from '../../ui/surface/standing.ts';
import { touched as touchedOf } from '../../ui/kit/workspaceFiles.ts';
import {
  formKey,
  whyLocked,
  workspaceForm,
  type FormOptions,
  type WorkspaceForm,
} from '../../ui/surface/workspaceForms.ts';
import { policyModel, releaseAllModel, workModel } from '../../ui/answer/workspace.ts';
import type { Store } from '../../store/store.ts';
import { leaveModel, rootsOf, shareModel } from '../settings/share.ts';
import type { Logins } from '../settings/team.ts';
import { waitingOf } from '../../ui/tree/nodes.ts';
import { assumptionsModel } from '../../ui/answer/assumptions.ts';
import { togetherModel } from '../../ui/answer/together.ts';
import { nothingModel, waitingQueue } from '../../ui/answer/nothing.ts';
import { questionModel } from '../../ui/answer/question.ts';
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
  readonly queue?: Queue | undefined;
}

/** @param render id of the rendering */
export async function currentForm(options: CurrentFormOptions, render: string): Promise<AnswerSnapshot> {
  const { folders, selection } = options;
  await folders.opened;
  if (folders.shown.length === 0)
    return noFolder(l10n.t('Questions belong to a folder on this machine. Open the folder your agents work in.'));
  if (!program().isTrusted && waitingOf(folders) === 0) return untrusted();
  const selected = selection.key();
  const broken = brokenAt(folders, selected);
  if (broken) {
    const code = broken.workspace.standing().problem?.code;
    if (code === 'newer' && selected !== formKey(folders, broken, 'recovery')) return newer(folders, broken);
    if (code === 'disconnected')
      return selected !== null && workspaceForm(folders.find(selected)?.id ?? '')?.kind === 'share'
        ? ((await sharing(options, broken, render)) ?? disconnected())
        : disconnected();
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
  const form = wide
    ? await enrolledForm(options, folder, render, (form) => wideForm(options, wide, form))
    : isRequestId(id)
      ? await enrolledForm(options, folder, render, async (form, store) => requestModel({ ...form, id, store }))
      : await questionForm({ ...options, folder, id, queue, render });
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

interface QuestionFormOptions extends Omit<CurrentFormOptions, 'queue'> {
  readonly folder: OpenFolder;
  readonly id: string;
  readonly queue: readonly { readonly key: string; readonly id: string }[];
  readonly render: string;
}

/** An editor that cannot sign can show any question; to decide, it has to be enrolled first. */
async function questionForm({
  folders,
  keys,
  folder,
  id,
  queue,
  render,
  resuming,
}: QuestionFormOptions): Promise<AnswerSnapshot | null> {
  const store = await folder.workspace.store();
  // An answer must not overlook a change that no hook saw.
  await lookAtHeldBy(folder.workspace, id).catch(() => undefined);
  const view = store.read();
  const question = questionView(view, id);
  if (!question) return null;
  const standing = await keys.standing(folder.workspace);
  // A passkey of the browser decides it, whatever this editor's key may do.
  const isHere = question.resolution === null && !question.needs_passkey;
  const stranger = standing.kind === 'stranger' && isHere ? standing : undefined;
  const why = whyLocked(store.readOnly);
  const locked = why ?? (stranger && strangerWords(stranger));
  const enrol = why === undefined && stranger?.managed === null ? formKey(folders, folder, 'enrol') : undefined;
  const goesOn = question.mode === 'async' && question.resolution === null;
  const touched = goesOn ? await touchedOf(folder, id, question.raised_at) : undefined;
  const resume = resuming.model(folder, view, question);
  const decidable = { standing, locked, enrol, touched, where: 'editor' } as const;
  return questionModel({ folders, folder, view, question, render, queue, resume, ...decidable });
}

/** The form made by `make`, or the enrolment form if the editor cannot sign here. */
async function enrolledForm(
  { folders, keys }: CurrentFormOptions,
  folder: OpenFolder,
  render: string,
  make: (form: FormOptions, store: Store) => AnswerSnapshot | null | Promise<AnswerSnapshot | null>,
): Promise<AnswerSnapshot | null> {
  const store = await folder.workspace.store();
  const standing = await keys.standing(folder.workspace);
  if (standing.kind === 'stranger') return enrolModel(folders, folder, { standing, own: await keys.own(), render });
  const locked = whyLocked(store.readOnly);
  return make({ folders, folder, view: store.read(), standing, render, locked }, store);
}

function wideForm(
  { keys, selection, logins }: CurrentFormOptions,
  wide: WorkspaceForm,
  form: FormOptions,
): AnswerSnapshot | null | Promise<AnswerSnapshot | null> {
  switch (wide.kind) {
    case 'appoint':
      return appointModel(form);
    case 'ask':
      return askModel(form);
    case 'enrol':
      // The editor can sign by now.
      return null;
    case 'keys':
      return keysModel({ ...form, keys, rootsOf, pasted: selection.pasted() });
    case 'policy':
      return policyModel(form);
    case 'share':
      return shareModel({ ...form, logins });
    case 'leave':
      return leaveModel(form);
    case 'assumptions':
      return assumptionsModel({ ...form, agent: wide.about || undefined });
    case 'together':
      return togetherModel({ ...form, id: wide.about });
    case 'releaseAll':
      return releaseAllModel({ ...form, agent: wide.about });
    case 'work':
      return workModel({ ...form, id: wide.about });
  }
}

function sharing(options: CurrentFormOptions, folder: OpenFolder, render: string): Promise<AnswerSnapshot | null> {
  return enrolledForm(options, folder, render, (form) => shareModel({ ...form, logins: options.logins }));
}

/** Null if the store turns out to be sound. */
async function recovery(
  { folders, keys, copies }: CurrentFormOptions,
  folder: OpenFolder,
  render: string,
): Promise<AnswerSnapshot | null> {
  const diagnosis = diagnose(folder.workspace, copies.fileFor(folder.workspace));
  if (!diagnosis) return null;
  if (!program().isTrusted) return untrusted();
  const standing = await keys.standing(folder.workspace);
  if (standing.kind === 'stranger') return enrolModel(folders, folder, { standing, own: await keys.own(), render });
  return recoveryModel(folders, folder, { diagnosis, standing, render });
}

function untrusted(): AnswerSnapshot {
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
function newer(folders: Folders, folder: OpenFolder): AnswerSnapshot {
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
