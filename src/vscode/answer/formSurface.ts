/** One page with forms, in the "Answer" view or in a tab: its content, acts and saved state. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { isAttempt } from '../../core/fold/fold.ts';
import { isRfcId } from '../../core/waiting/items.ts';
import { eventId } from '../../core/kit/fields.ts';
import { limits } from '../../core/kit/limits.ts';
import { questionMessage, type QuestionMessage, type DecisionOf } from '../../ui/answer/messages.ts';
import { type Snapshot, type AnswerSnapshot, formAbout, type FormMeans } from '../../ui/answer/form.ts';
import {
  checkDecision,
  createDecisions,
  type Decidable,
  type About,
  type EditorDecisions,
} from '../../ui/answer/decisions.ts';
import type { CopyKeeper } from '../kit/keepers.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { compareHeld, restoreFile, pageRequests } from '../kit/files.ts';
import { outageOf, noFolder } from '../../ui/kit/problemWords.ts';
import { runHarmless, type Forms } from '../kit/pages.ts';
import {
  dispatch,
  notEnrolled,
  requireName,
  signerFor,
  unconfirmedOutcome,
  type Handlers,
} from '../../ui/surface/signedActs.ts';
import { ids } from '../../ui/kit/ids.ts';
import { publicLine, carryOutKeys, keysChanged, keyScope, isPasskeyAct, enrolModel } from '../../ui/answer/keys.ts';
import { type Logins, loginsIn, carryOutLeave, carryOutRing, rootsOf, carryOutShare } from '../settings/team.ts';
import {
  createSigningSurface,
  type Shown,
  type SigningSurface,
  type Unsigned,
} from '../../ui/surface/signingSurface.ts';
import type { Resuming } from './resuming.ts';
import type { Steps, Queue, Selection } from '../../ui/answer/queue.ts';
import type { Keys } from '../../ui/surface/standing.ts';
import { formKey, settingsForm, workspaceForm } from '../../ui/surface/workspaceForms.ts';
import * as l10n from '@vscode/l10n';
import { shownKeysHash } from '../../app/keys/acts.ts';
import { recover, diagnose } from '../../app/recovery/recovery.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { Outcome } from '../../ui/kit/view.ts';
import { information } from '../kit/messages.ts';
import { lookAtHeldBy } from '../../app/hold/lookAtHeld.ts';
import { recoveryModel, leaveModel, shareModel } from '../../ui/answer/editorForms.ts';
import { phoneLink } from '../settings/reminders.ts';
import { waitingOf } from '../../ui/tree/nodes.ts';
import { nothingModel, reviewModel, waitingQueue } from '../../ui/answer/nothing.ts';
import { program } from '../../ui/kit/program.ts';

/** Common options of all pages with forms. */
export interface FormOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly copies: CopyKeeper;
  readonly logins: Logins;
  readonly resuming: Resuming;
}

export interface FormSurfaceOptions extends FormOptions {
  readonly selection: Selection;
  /** Delays decisions on questions, so that they can be undone. */
  readonly queue?: Queue | undefined;
  readonly forms: Forms;
  /** The name under which the page's drafts are saved. */
  readonly kept: string;
  /** Called with the key of the displayed item. */
  readonly onShow?: (key: string) => void;
  /** Where the page is. */
  readonly place: () => Pick<Snapshot, 'tab' | 'besideTab' | 'sections'>;
}

interface Seen extends Shown {
  readonly view: Decidable;
}

export function createFormSurface(options: FormSurfaceOptions): SigningSurface<Snapshot> {
  const { context, folders, keys, selection, kept, onShow, place, queue } = options;
  const requests = requestsOf(options, () => surface);
  const inEditor = editorDecisions({ ...options, pasted: selection.pasted });
  const decide = createDecisions({ folders, keys, inEditor });
  const surface = createSigningSurface<Snapshot, QuestionMessage, Seen>({
    async current(render) {
      const view = await currentForm(options, render);
      if ('key' in view) onShow?.(view.key);
      return 'render' in view ? { view, seen: { targets: [view], view, ...layoutOf(view) } } : { view };
    },
    beside() {
      const [at, decisions] = [place(), queue?.state()];
      return {
        limits: { answer: limits.answerText, reason: limits.otherText, name: limits.title },
        ...(at.tab ? {} : ignoredIn(folders)),
        ...outageOf(folders),
        ...at,
        // Only the tab shows the waiting items one after another.
        queue: at.tab ? decisions : decisions && { ...decisions, run: undefined },
      };
    },
    kept: () => context.workspaceState.get<string>(kept),
    keep: (saved) => context.workspaceState.update(kept, saved),
    schema: questionMessage,
    async sign(message, { view }) {
      const steps: Steps = {
        check: (one) => checkDecision({ folders, keys }, one),
        decide: () => decide(message, view),
      };
      const outcome = await (queue ? queue.sign(message, view, steps) : steps.decide());
      if (outcome.type !== 'done') return outcome;
      // The form of the latest one shows the result and the next item.
      if (outcome.decided) selection.leaveDecided(message.key, outcome.decided);
      if (message.type === 'keys') selection.paste('');
      if (message.type === 'leaveTeam' || message.type === 'share') selection.back();
      return outcome;
    },
    receive: (message) => dispatch(requests, message),
  });
  return surface;
}

function requestsOf(
  { context, folders, keys, resuming, selection, forms, place, queue }: FormSurfaceOptions,
  surface: () => SigningSurface<Snapshot>,
): Handlers<Unsigned<QuestionMessage>> {
  // A document must not cover the tab that opens it.
  const column = place().tab ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  return {
    ...pageRequests(folders, context.extension.id, column),
    compareHeld: (message) => compareHeld(folders, message, column),
    restoreHeld: (message) => restoreFile(folders, message),
    async select({ key }) {
      const id = folders.find(key)?.id ?? '';
      // RFCs have their own tabs, and events are in the briefing.
      if (isRfcId(id)) return vscode.commands.executeCommand(ids.commands.openRfc, key);
      if (eventId.safeParse(id).success) return vscode.commands.executeCommand(ids.commands.openEvent, key);
      // Settings have a tab, too, in which they lead to each other.
      if (queue && settingsForm(id)) return forms.show(key);
      selection.select(key);
      return surface().draw();
    },
    resume: ({ key }) => resuming.start(key),
    go({ to }) {
      queue?.go(to);
      return surface().draw();
    },
    undo({ held }) {
      queue?.undo(held);
      return surface().draw();
    },
    openTab: ({ key }) => forms.showInTab(key),
    back() {
      selection.back();
      surface().add({ focus: randomUUID() });
      return surface().draw();
    },
    lookAtKey({ text }) {
      selection.paste(text);
      return surface().draw();
    },
    async copyPublicKey({ key }) {
      const found = folders.find(key);
      if (!found) return;
      await vscode.env.clipboard.writeText(await publicLine(found.folder, keys));
      // The key may be new: then the form shows it from now on.
      await surface().draw();
    },
    async addPasskey({ key }) {
      const found = folders.find(key);
      if (!found) return;
      await vscode.commands.executeCommand(ids.commands.openInBrowser, formKey(folders, found.folder, 'passkey'));
      await vscode.commands.executeCommand(ids.commands.addPasskey, key);
    },
    connectTeam: ({ key }) => vscode.commands.executeCommand(ids.commands.connectTeam, key),
    copyText: ({ text }) => vscode.env.clipboard.writeText(text),
    openAudit: () => vscode.commands.executeCommand(ids.commands.openAudit),
    do: ({ action }) => runHarmless(action),
  };
}

/** Logins are shown, but not signed. */
function layoutOf(view: Decidable): Pick<Shown, 'layout'> {
  return view.type === 'share' ? { layout: loginsIn(view) } : {};
}

/** Records that claim a human's decision, and that no key which is trusted here signed. */
function ignoredIn({ stores }: Folders): Pick<Snapshot, 'ignored'> {
  const all = stores.flatMap(([{ workspace }]) => workspace.standing().state?.refusals ?? []).filter(isAttempt);
  return all.length === 0 ? {} : { ignored: all.length };
}

// Decisions of the "Answer" view that only the editor carries out: its key, a team's login, and recovery.

interface Means extends Pick<FormOptions, 'folders' | 'keys' | 'copies' | 'logins'> {
  /** The key text that the Keys form previews. */
  readonly pasted: () => string;
}

export function editorDecisions(means: Means): EditorDecisions {
  return {
    enrol: (message, { folder }) => enrol(means, folder, message),
    keys: (message, { folder }) => changeKeys(means, folder, message),
    share: (message, { folder, view }) => carryOutShare({ ...means, view }, folder, message),
    leaveTeam: (message, { folder }) => carryOutLeave(means, folder, message),
    recover: (message, about) => recoverStore(means, about, message),
  };
}

/** Enrols this editor's key, before which the editor cannot sign. */
async function enrol({ folders, keys }: Means, folder: OpenFolder, message: DecisionOf<'enrol'>): Promise<Outcome> {
  const { act, lost, name, shown, confirmed } = message;
  const pinned = folder.workspace.pins();
  // A program may have added a key to the ring since the form was drawn; the click covers only the keys it showed.
  if (shown !== shownKeysHash(pinned, null)) return keysChanged(act);
  if (lost.length > 0 && !confirmed) return unconfirmedOutcome(act);
  await keys.enrolBeside(keyScope(folders, folder, shown), requireName(name), { pinned, lost });
  return { type: 'done', act, text: l10n.t('This editor can decide now.') };
}

async function changeKeys(means: Means, folder: OpenFolder, message: DecisionOf<'keys'>): Promise<Outcome> {
  const { folders, keys, pasted } = means;
  const { kind } = await keys.standing(folder.workspace);
  if (kind === 'stranger') throw notEnrolled();
  if (kind === 'first' && message.what.do !== 'rename')
    throw new AppError('denied', l10n.t('This editor has no key yet.'));
  const isOfRing = !isPasskeyAct(message.what) || (message.what.do === 'giveUpPasskey' && (await isRoot(keys, folder)));
  if (folder.workspace.team() !== null && isOfRing)
    return carryOutRing({ ...means, pasted: pasted() }, folder, message);
  return carryOutKeys(keys, keyScope(folders, folder, message.shown), message, pasted());
}

/** Whether this editor's key changes the key ring of the team. */
async function isRoot(keys: Keys, { workspace }: OpenFolder): Promise<boolean> {
  const standing = await keys.standing(workspace);
  return standing.kind === 'enrolled' && rootsOf(workspace).includes(standing.keyid);
}

/** Works without a store, which cannot be opened yet. */
async function recoverStore(means: Means, { folder, view }: About, message: DecisionOf<'recover'>): Promise<Outcome> {
  const { act, way, shown, name } = message;
  const { workspace } = folder;
  if (!isConfirmed(view, message)) return unconfirmedOutcome(act, l10n.t('Confirm what will be lost first.'));
  const signer = await signerFor(means.keys, workspace, name);
  await recover(workspace, signer, { way, shown, copyFile: means.copies.fileFor(workspace) });
  const text = recoveredText(way);
  // The form is gone with the fault, so that it could not say this.
  void information(text);
  return { type: 'done', act, text };
}

function recoveredText(way: DecisionOf<'recover'>['way']): string {
  switch (way) {
    case 'restore':
      return l10n.t('Restored. What was held when the copy was made is held again.');
    case 'setAside':
      return l10n.t('Restored without the damaged line. Everything else is as it was.');
    case 'startAnew':
      return l10n.t('Started over. Nothing is held.');
  }
}

/** Whether the human ticked exactly the displayed sentence, or typed the required word. */
function isConfirmed(view: Decidable, message: DecisionOf<'recover'>): boolean {
  if (view.type !== 'recovery') return false;
  const way = view[message.way];
  if (way.type !== 'available') return false;
  return message.confirmation === (way.confirm.type === 'tick' ? way.confirm.text : way.confirm.word);
}

// The content of the "Answer" view: the selected form, or why there is none.

/** @param render id of the rendering */
export async function currentForm(options: FormSurfaceOptions, render: string): Promise<AnswerSnapshot> {
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
  if (isRfcId(id)) return reviewModel(folders, folders.keyOf(folder, id), first);
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

function meansOf({ folders, keys, selection, resuming, logins }: FormSurfaceOptions): FormMeans {
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
  options: FormSurfaceOptions,
  key: string | null,
  render: string,
): Promise<AnswerSnapshot | null> {
  const found = options.folders.find(key ?? '');
  const isShown = found !== null && workspaceForm(found.id)?.kind === 'share';
  return isShown ? formAbout(meansOf(options), { ...found, queue: [], render }) : null;
}

/** Null if the store turns out to be sound. */
async function recovery(
  { folders, keys, copies }: FormSurfaceOptions,
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
