/** One page with forms, in the "Answer" view or in a tab: its content, acts and saved state. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { isAttempt } from '../../core/state/attempts.ts';
import { isRfcId } from '../../core/waiting/items.ts';
import { eventId } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/words.ts';
import type { QuestionMessage } from '../../ui/answer/messages.ts';
import type { Snapshot } from '../../ui/answer/view.ts';
import { createDecisions } from '../../ui/answer/decisions.ts';
import type { Decidable } from '../../ui/answer/decisions.ts';
import { leaveAssumptions } from '../../ui/answer/assumptions.ts';
import { currentForm } from './currentForm.ts';
import { leaveTogether } from '../../ui/answer/together.ts';
import type { CopyKeeper } from '../kit/copyKeeper.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { openEvidence } from './evidence.ts';
import { compareHeld, restoreFile } from '../kit/heldChanges.ts';
import { outageOf } from '../../ui/surface/outage.ts';
import { harmless } from '../kit/harmless.ts';
import { dispatch } from '../../ui/surface/handlers.ts';
import type { Handlers } from '../../ui/surface/handlers.ts';
import { ids } from '../../ui/kit/ids.ts';
import { publicLine } from '../../ui/answer/keys.ts';
import type { Logins } from '../settings/logins.ts';
import { loginsIn } from '../settings/share.ts';
import { pageRequests } from '../kit/pageRequests.ts';
import type { Shown } from '../../ui/surface/renderings.ts';
import type { Resuming } from './resuming.ts';
import type { Selection } from '../../ui/answer/selection.ts';
import { createSigningSurface } from '../../ui/surface/signingSurface.ts';
import type { SigningSurface, SigningSurfaceOptions, Unsigned } from '../../ui/surface/signingSurface.ts';
import type { Keys } from '../../ui/surface/keys.ts';
import type { Forms } from '../kit/forms.ts';
import { passkeyKey, settingsForm } from '../../ui/surface/workspaceForms.ts';
import type { Queue } from './queue.ts';
import { editorDecisions } from './editorDecisions.ts';

const schemas = () => import('../../ui/answer/messages.ts');

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
  readonly forms: Forms;
  /** The name under which the page's drafts are saved. */
  readonly kept: string;
  /** Called with the key of the displayed item. */
  readonly onShow?: (key: string) => void;
  /** Additional content of a tab's page; undefined for the "Answer" view. */
  readonly place?: () => Pick<Snapshot, 'tab' | 'sections'>;
  /** Of a tab that can show the waiting items one after another. */
  readonly queue?: Queue | undefined;
}

interface Seen extends Shown {
  readonly view: Decidable;
}

export function createFormSurface(options: FormSurfaceOptions): SigningSurface<Snapshot> {
  const requests = requestsOf(options, () => surface);
  const surface = createSigningSurface<Snapshot, QuestionMessage, Seen>({
    ...contentOf(options),
    ...signingOf(options),
    receive: (message) => dispatch(requests, message),
  });
  return surface;
}

type Options = SigningSurfaceOptions<Snapshot, QuestionMessage, Seen>;

function contentOf({
  context,
  folders,
  keys,
  copies,
  logins,
  resuming,
  selection,
  kept,
  onShow,
  place,
  queue,
}: FormSurfaceOptions): Pick<Options, 'current' | 'beside' | 'kept' | 'keep'> {
  return {
    async current(render) {
      const view = await currentForm({ folders, keys, copies, logins, selection, resuming, queue }, render);
      if ('key' in view) onShow?.(view.key);
      return 'render' in view ? { view, seen: { targets: [view], view, ...layoutOf(view) } } : { view };
    },
    beside: () => ({
      limits: { answer: limits.answerText, reason: limits.otherText, name: limits.title },
      ...(place ? {} : ignoredIn(folders)),
      ...outageOf(folders),
      ...place?.(),
      queue: queue?.state(),
    }),
    kept: () => context.workspaceState.get<string>(kept),
    keep: (saved) => context.workspaceState.update(kept, saved),
  };
}

function signingOf({
  folders,
  keys,
  copies,
  logins,
  selection,
  queue,
}: FormSurfaceOptions): Pick<Options, 'parse' | 'sign'> {
  const inEditor = editorDecisions({ folders, keys, copies, logins, pasted: selection.pasted });
  const decide = createDecisions({ folders, keys, inEditor });
  return {
    parse: async (raw) => (await schemas()).questionMessage.safeParse(raw).data,
    async sign(message, { view }) {
      const outcome = await (queue ? queue.sign(message, view, decide) : decide(message, view));
      if (outcome.type !== 'done') return outcome;
      // The form of the latest one shows the result and the next item.
      if (message.type === 'releaseAll') selection.leaveReleased(message.key);
      if (message.type === 'confirmAssumptions') leaveAssumptions(folders, selection, message);
      if (message.type === 'answerTogether') leaveTogether(folders, selection, message);
      if (message.type === 'keys') selection.paste('');
      if (message.type === 'leaveTeam' || message.type === 'share') selection.back();
      return outcome;
    },
  };
}

function requestsOf(
  { context, folders, keys, resuming, selection, forms, place, queue }: FormSurfaceOptions,
  surface: () => SigningSurface<Snapshot>,
): Handlers<Unsigned<QuestionMessage>> {
  // A document must not cover the tab that opens it.
  const column = place ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
  return {
    ...pageRequests(folders, context.extension.id, column),
    openEvidence: (message) => openEvidence(folders, message, column),
    compareHeld: (message) => compareHeld(folders, message, column),
    restoreHeld: (message) => restoreFile(folders, message),
    async select({ key }) {
      const id = folders.find(key)?.id ?? '';
      // RFCs have their own tabs, and events are in the briefing.
      if (isRfcId(id)) return vscode.commands.executeCommand(ids.commands.openRfc, key);
      if (eventId.safeParse(id).success) return vscode.commands.executeCommand(ids.commands.openEvent, key);
      if (!place && settingsForm(id)) return forms.show(key);
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
      await vscode.commands.executeCommand(ids.commands.openInBrowser, passkeyKey(folders, found.folder));
      await vscode.commands.executeCommand(ids.commands.addPasskey, key);
    },
    connectTeam: ({ key }) => vscode.commands.executeCommand(ids.commands.connectTeam, key),
    copyText: ({ text }) => vscode.env.clipboard.writeText(text),
    openAudit: () => vscode.commands.executeCommand(ids.commands.openAudit),
    do: ({ action }) => harmless(action),
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
