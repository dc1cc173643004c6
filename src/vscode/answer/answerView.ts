/** The "Answer" view: the forms of questions, requests and damaged stores. Settings have a tab. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { collect } from '../../ui/kit/disposables.ts';
import { ids } from '../../ui/kit/ids.ts';
import { pageOfView, webviewHtml, webviewOptions, pageOfPanel, tabIcon, type Forms } from '../kit/pages.ts';
import { formKey, settingsForm, settingsForms } from '../../ui/surface/workspaceForms.ts';
import { registerHeldContent } from '../kit/files.ts';
import { createFormSurface, type FormOptions } from './formSurface.ts';
import { createSelection, type Selection } from '../../ui/answer/selection.ts';
import type { Snapshot } from '../../ui/answer/view.ts';
import { defaultUndoSeconds } from '../../core/state/state.ts';
import { warning } from '../kit/messages.ts';
import { refusedOutcome } from '../../ui/surface/signedActs.ts';
import type { SigningSurface } from '../../ui/surface/signingSurface.ts';
import { checkDecision } from '../../ui/answer/decisions.ts';
import { createQueue, type Queue } from '../../ui/answer/queue.ts';
import type { Folders } from '../../ui/kit/folders.ts';

export type AnswerView = ReturnType<typeof registerAnswerView>;

export function registerAnswerView(options: FormOptions) {
  const { context, folders } = options;
  const all = collect();
  const selection = createSelection(folders);
  const shown = all.add(new vscode.EventEmitter<string>());
  const forms: Forms = {
    async show(key) {
      if (settingsForm(folders.find(key ?? '')?.id ?? '')) return settings.show(key ?? '');
      selection.select(key ?? null);
      surface.add({ focus: randomUUID() });
      await vscode.commands.executeCommand(`${ids.views.answer}.focus`);
      await surface.draw();
    },
    showInTab: (key) => tab.show(key),
  };
  const settings = all.add(
    registerFormTab({
      ...{ ...options, forms, viewType: ids.panels.settings, kept: 'holdpoint.kept.settings' },
      title: l10n.t('Holdpoint settings'),
      sections: (key) => settingsSections(folders, key),
    }),
  );
  const tab = all.add(
    registerFormTab({
      ...{ ...options, forms, viewType: ids.panels.form, kept: 'holdpoint.kept.tab' },
      title: l10n.t('Answer'),
      isQueue: true,
    }),
  );
  all.add(registerHeldContent(folders));
  const onShow = sayOnce(shown);
  const changed = () => {
    surface.drawSoon();
  };
  const queue = queueIn(options, selection, { changed, show: forms.show });
  const surface: SigningSurface<Snapshot> = all.add(
    createFormSurface({ ...options, forms, selection, queue, onShow, kept: 'holdpoint.kept' }),
  );
  let isVisible = () => false;
  all.add(
    vscode.window.registerWebviewViewProvider(ids.views.answer, {
      resolveWebviewView(view) {
        isVisible = () => view.visible;
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
    ...forms,
    /** Fires with an item's key when a different item is shown. */
    onDidShow: shown.event,
    showQueue: tab.showQueue,
    /** Whether the form of this item is visible, in the view or in a tab. */
    isShown: (key: string) => (isVisible() && selection.key() === key) || tab.isShown(key),
    dispose: () => {
      // Delayed decisions are not sent when the editor closes.
      queue.drop();
      all.dispose();
    },
  };
}

/** Fires only for a different item, not when the same one is redrawn. */
function sayOnce(shown: vscode.EventEmitter<string>): (key: string) => void {
  let last: string | undefined;
  return (key) => {
    if (key === last) return;
    last = key;
    shown.fire(key);
  };
}

// An editor tab with one form: one per window, restored after a reload.

interface FormTabOptions extends FormOptions {
  readonly forms: Forms;
  readonly viewType: string;
  readonly title: string;
  readonly kept: string;
  readonly sections?: (key: string) => Snapshot['sections'];
  /** The tab can show the waiting items one after another. */
  readonly isQueue?: true;
}

function registerFormTab(options: FormTabOptions) {
  const { context, folders, viewType, title, sections } = options;
  const all = collect();
  const selection = createSelection(folders);
  const shownName = `${options.kept}.key`;
  let panel: vscode.WebviewPanel | undefined;
  const queue = options.isQueue && queueIn(options, selection, { changed: () => surface.drawSoon(), show });
  const surface: SigningSurface<Snapshot> = all.add(
    createFormSurface({
      ...options,
      ...{ selection, queue },
      place: () => ({ tab: true, ...(sections ? { sections: sections(selection.key() ?? '') } : {}) }),
      onShow: (key) => {
        if (context.workspaceState.get(shownName) !== key) void context.workspaceState.update(shownName, key);
      },
    }),
  );

  function attach(opened: vscode.WebviewPanel): void {
    panel = opened;
    opened.iconPath = tabIcon(context.extensionUri);
    opened.onDidDispose(() => {
      panel = undefined;
      void queue?.close();
    });
    surface.attach(pageOfPanel(opened));
    opened.webview.html = webviewHtml(opened.webview, context.extensionUri, 'question', title);
  }

  all.add(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      async deserializeWebviewPanel(restored) {
        await Promise.resolve();
        restored.webview.options = webviewOptions(context.extensionUri);
        const key = context.workspaceState.get<string>(shownName) ?? null;
        selection.select(key);
        attach(restored);
        await folders.opened;
        // Its folder is no longer open: the tab must not show another form in its place.
        if (key !== null && !folders.find(key)) restored.dispose();
      },
    }),
  );
  all.add(folders.onDidChange(surface.drawSoon));
  /** Opens the form in its tab; without a key, the tab's own content. Decides nothing. */
  async function show(key?: string): Promise<void> {
    if (key !== undefined) selection.select(key);
    surface.add({ focus: randomUUID() });
    if (panel) panel.reveal();
    else
      attach(
        vscode.window.createWebviewPanel(
          viewType,
          title,
          vscode.ViewColumn.Active,
          webviewOptions(context.extensionUri),
        ),
      );
    await surface.draw();
  }

  return {
    /** Whether the tab is visible with this form. */
    isShown: (key: string) => (panel?.visible ?? false) && selection.key() === key,
    show,
    /** Opens the waiting items in it, one after another. Decides nothing. */
    showQueue() {
      queue?.begin();
      return show();
    },
    dispose: () => {
      // Before its tab, so that delayed decisions are not sent when the editor closes.
      queue?.drop();
      panel?.dispose();
      all.dispose();
    },
  };
}

function queueIn(
  { folders, keys }: FormOptions,
  selection: Selection,
  { changed, show }: { readonly changed: () => void; readonly show: (key: string) => Promise<void> },
): Queue {
  return createQueue({
    ...{ selection, changed },
    now: () => Date.now(),
    later(ms, run) {
      const timer = setTimeout(run, ms);
      return () => {
        clearTimeout(timer);
      };
    },
    undoSeconds: (key) =>
      folders.find(key)?.folder.workspace.standing().state?.policy.undo?.seconds ?? defaultUndoSeconds,
    check: (message) => checkDecision({ folders, keys }, message),
    already: (act) =>
      refusedOutcome(act, 'conflict', l10n.t('This question is already decided, and about to be sent.')),
    async failed({ key, id }, why) {
      const open = l10n.t('Show {0}', id);
      const text = l10n.t('Your decision on {0} was not recorded. {1}', id, why);
      if ((await warning(text, open)) === open) await show(key);
    },
  });
}

// The sections of the 'Holdpoint settings' tab, for the folder whose form it shows.

export function settingsSections(folders: Folders, shown: string): Snapshot['sections'] {
  const folder = folders.find(shown)?.folder;
  if (!folder) return undefined;
  const hasRequests = (folder.workspace.standing().state?.responsibilities.size ?? 0) > 0;
  return settingsForms.flatMap((name) => {
    const key = formKey(folders, folder, name);
    const isListed = hasRequests || key === shown || name === 'policy' || name === 'keys';
    return isListed ? [{ name, key, current: key === shown }] : [];
  });
}
