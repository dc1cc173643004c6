/** The view "Answer": the only place for decisions about questions, requests, keys, the policy and the store. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { isRfcId } from '../../core/waiting/items.ts';
import { eventId } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/words.ts';
import type { QuestionMessage, Snapshot } from '../../protocol/question/question.ts';
import { createDecisions } from './answerDecisions.ts';
import type { Decidable } from './answerDecisions.ts';
import { currentForm } from './currentForm.ts';
import type { CopyKeeper } from '../recovery/copyKeeper.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders } from '../kit/folders.ts';
import { listForgeries } from './forgeries.ts';
import { harmless } from '../surface/harmless.ts';
import { dispatch } from '../surface/handlers.ts';
import type { Handlers } from '../surface/handlers.ts';
import { ids } from '../kit/ids.ts';
import { publicLine } from '../keys/forms.ts';
import { pageOfView } from '../surface/page.ts';
import { pageRequests } from '../surface/pageRequests.ts';
import type { Shown } from '../surface/renderings.ts';
import { createSelection } from './selection.ts';
import type { Selection } from './selection.ts';
import type { Forms } from '../surface/forms.ts';
import { createSigningSurface } from '../surface/signingSurface.ts';
import type { SigningSurface, SigningSurfaceOptions, Unsigned } from '../surface/signingSurface.ts';
import type { Keys } from '../surface/signer.ts';
import { webviewHtml, webviewOptions } from '../surface/webviewHtml.ts';

const schemas = () => import('../../protocol/question/question.ts');

export interface AnswerView extends Forms, Closable {}

export interface AnswerViewOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly copies: CopyKeeper;
}

interface Seen extends Shown {
  readonly view: Decidable;
}

const dismissedName = 'holdpoint.dismissedForgeries';
const keptName = 'holdpoint.kept';

export function registerAnswerView(options: AnswerViewOptions): AnswerView {
  const { context, folders } = options;
  const all = collect();
  const selection = createSelection(folders);
  const requests = requestsOf(options, selection, () => surface);
  const surface = all.add(
    createSigningSurface<Snapshot, QuestionMessage, Seen>({
      ...contentOf(options, selection),
      ...signingOf(options, selection),
      receive: (message) => dispatch(requests, message),
    }),
  );
  all.add(
    vscode.window.registerWebviewViewProvider(ids.views.answer, {
      resolveWebviewView(view) {
        view.webview.options = webviewOptions(context.extensionUri);
        view.onDidChangeVisibility(() => {
          selection.hide();
        });
        surface.attach(pageOfView(view));
        view.webview.html = webviewHtml(view.webview, context.extensionUri, 'question', 'Holdpoint');
      },
    }),
  );
  all.add(folders.onDidChange(surface.drawSoon));
  return {
    async show(key) {
      selection.select(key ?? null);
      surface.add({ focus: randomUUID() });
      await vscode.commands.executeCommand(`${ids.views.answer}.focus`);
      await surface.draw();
    },
    dispose: () => {
      all.dispose();
    },
  };
}

type Options = SigningSurfaceOptions<Snapshot, QuestionMessage, Seen>;

function contentOf(
  { context, folders, keys, copies }: AnswerViewOptions,
  selection: Selection,
): Pick<Options, 'check' | 'current' | 'beside' | 'kept' | 'keep'> {
  return {
    check: async (snapshot) => (await schemas()).snapshot.parse(snapshot),
    async current(render) {
      const view = await currentForm({ folders, keys, copies, selection }, render);
      return 'render' in view ? { view, seen: { targets: [view], view } } : { view };
    },
    beside: () => ({
      limits: { answer: limits.answerText, reason: limits.otherText, name: limits.title },
      forgeries: listForgeries(folders).filter(({ key }) => !dismissed(context).includes(key)),
    }),
    kept: () => context.workspaceState.get<string>(keptName),
    keep: (saved) => context.workspaceState.update(keptName, saved),
  };
}

function signingOf(
  { folders, keys, copies }: AnswerViewOptions,
  selection: Selection,
): Pick<Options, 'parse' | 'sign'> {
  const decide = createDecisions({ folders, keys, copies, pasted: selection.pasted });
  return {
    parse: async (raw) => (await schemas()).questionMessage.safeParse(raw).data,
    async sign(message, { view }) {
      const outcome = await decide(message, view);
      if (outcome.type !== 'done') return outcome;
      // Shows the result of the first one, and what comes next.
      if (message.type === 'releaseAll') selection.leaveReleased(message.key);
      if (message.type === 'keys') selection.paste('');
      return outcome;
    },
  };
}

function requestsOf(
  { context, folders, keys }: AnswerViewOptions,
  selection: Selection,
  surface: () => SigningSurface<Snapshot>,
): Handlers<Unsigned<QuestionMessage>> {
  return {
    ...pageRequests(folders, context.extension.id),
    async select({ key }) {
      const id = folders.find(key)?.id ?? '';
      // RFCs are reviewed in their own tab, and events are shown in the briefing.
      if (isRfcId(id)) return vscode.commands.executeCommand(ids.commands.openRfc, key);
      if (eventId.safeParse(id).success) return vscode.commands.executeCommand(ids.commands.openEvent, key);
      selection.select(key);
      return surface().draw();
    },
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
      if (found) await vscode.env.clipboard.writeText(await publicLine(found.folder, keys));
    },
    copyText: ({ text }) => vscode.env.clipboard.writeText(text),
    async dismissForgery({ key }) {
      await context.workspaceState.update(dismissedName, [...dismissed(context), key].slice(-500));
      return surface().draw();
    },
    do: ({ action }) => harmless(action),
  };
}

function dismissed({ workspaceState }: vscode.ExtensionContext): readonly string[] {
  return workspaceState.get<readonly string[]>(dismissedName, []);
}
