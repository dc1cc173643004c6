/** The "Answer" view: the forms of questions, requests and damaged stores. Settings have a tab. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { collect } from '../../ui/kit/timing.ts';
import { ids } from '../../ui/kit/ids.ts';
import { onePanel, pageOfPanel, pageOfView, webviewHtml, webviewOptions, type Forms } from '../kit/pages.ts';
import { formKey, settingsForm, settingsForms } from '../../ui/surface/workspaceForms.ts';
import { registerHeldContent } from '../kit/files.ts';
import { createFormSurface, type FormOptions } from './formSurface.ts';
import {
  createSelection,
  type Selection,
  createQueue,
  undoSecondsOf,
  type Queue,
  type QueueOptions,
} from '../../ui/answer/queue.ts';
import type { Snapshot } from '../../ui/answer/form.ts';
import { isRfcId } from '../../core/waiting/items.ts';
import { warning } from '../kit/messages.ts';
import type { SigningSurface } from '../../ui/surface/signingSurface.ts';
import type { Folders } from '../../ui/kit/folders.ts';

export type AnswerView = ReturnType<typeof registerAnswerView>;

export function registerAnswerView(options: FormOptions) {
  const { context, folders } = options;
  const all = collect();
  const shown = all.add(new vscode.EventEmitter<string>());
  const onShow = sayOnce(shown);
  const changed = () => {
    surface.drawSoon();
    tab.drawSoon();
  };
  // The view and its tab show the same item, which the list selects.
  const selection = createSelection(folders, () => {
    onShow(selection.key());
    changed();
  });
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
  const queue = queueIn(options, { selection, changed, show: forms.show });
  const settings = all.add(
    registerFormTab({
      ...{ ...options, forms, viewType: ids.panels.settings, kept: 'holdpoint.kept.settings' },
      ...{ title: l10n.t('Holdpoint settings'), selection: createSelection(folders) },
      sections: (key) => settingsSections(folders, key),
    }),
  );
  const tab = all.add(
    registerFormTab({
      ...{ ...options, forms, viewType: ids.panels.form, kept: 'holdpoint.kept.tab' },
      ...{ title: l10n.t('Answer'), selection, queue, onShow, changed },
    }),
  );
  all.add(registerHeldContent(folders));
  const place = () => (tab.isVisible() ? { besideTab: true } : {});
  const surface: SigningSurface<Snapshot> = all.add(
    createFormSurface({ ...options, forms, selection, queue, onShow, place, kept: 'holdpoint.kept' }),
  );
  let isVisible = () => false;
  all.add(
    vscode.window.registerWebviewViewProvider(ids.views.answer, {
      resolveWebviewView(view) {
        isVisible = () => view.visible;
        view.webview.options = webviewOptions(context.extensionUri);
        view.onDidChangeVisibility(() => {
          if (!tab.isVisible()) selection.hide();
        });
        surface.attach(pageOfView(view));
        view.webview.html = webviewHtml(view.webview, context.extensionUri, 'question', 'Holdpoint');
      },
    }),
  );
  all.add(folders.onDidChange(surface.drawSoon));
  return {
    ...forms,
    /** Selects an item whose form is elsewhere: an RFC that is reviewed in its own tab. */
    select: selection.select,
    /** Fires with an item's key when a different item is selected or shown. */
    onDidShow: shown.event,
    /** Opens the waiting items in the tab, one after another. Decides nothing. */
    showQueue() {
      queue.begin();
      return tab.show();
    },
    /** Whether the form of this item is visible, in the view or in a tab. */
    isShown: (key: string) => (isVisible() || tab.isVisible()) && selection.key() === key,
    dispose: () => {
      // Delayed decisions are not sent when the editor closes.
      queue.drop();
      all.dispose();
    },
  };
}

/** Fires only for a different item, not when the same one is redrawn. */
function sayOnce(shown: vscode.EventEmitter<string>): (key: string | null) => void {
  let last: string | undefined;
  return (key) => {
    if (key === null || key === last) return;
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
  readonly selection: Selection;
  readonly sections?: (key: string) => Snapshot['sections'];
  /** For the tab that can show the waiting items one after another. */
  readonly queue?: Queue;
  readonly onShow?: (key: string) => void;
  /** Called when the tab appears or disappears. */
  readonly changed?: () => void;
}

function registerFormTab(options: FormTabOptions) {
  const { context, folders, viewType, title, sections, selection, queue, changed } = options;
  const all = collect();
  const shownName = `${options.kept}.key`;
  const lastShown = () => context.workspaceState.get<string>(shownName) ?? null;
  const surface: SigningSurface<Snapshot> = all.add(
    createFormSurface({
      ...options,
      place: () => ({ tab: true, ...(sections ? { sections: sections(selection.key() ?? '') } : {}) }),
      onShow: (key) => {
        options.onShow?.(key);
        if (lastShown() !== key && !isRfc(folders, key)) void context.workspaceState.update(shownName, key);
      },
    }),
  );

  const tab = all.add(
    onePanel({
      ...{ context, viewType, title },
      attach(panel, isRestored) {
        if (isRestored) restore(panel);
        panel.onDidChangeViewState(() => {
          // An RFC was reviewed in its own tab: back to what this one showed.
          if (panel.active && isRfc(folders, selection.key())) selection.select(lastShown());
          changed?.();
        });
        panel.onDidDispose(() => {
          queue?.end();
          changed?.();
        });
        surface.attach(pageOfPanel(panel));
        panel.webview.html = webviewHtml(panel.webview, context.extensionUri, 'question', title);
        changed?.();
      },
    }),
  );

  function restore(panel: vscode.WebviewPanel): void {
    const key = lastShown();
    selection.select(key);
    void folders.opened.then(() => {
      // Its folder is no longer open: the tab must not show another form in its place.
      if (key !== null && !folders.find(key)) panel.dispose();
    });
  }

  all.add(folders.onDidChange(surface.drawSoon));
  return {
    isVisible: tab.isVisible,
    drawSoon: surface.drawSoon,
    /** Opens the form in its tab; without a key, the selected one. Decides nothing. */
    async show(key?: string): Promise<void> {
      if (key !== undefined) selection.select(key);
      surface.add({ focus: randomUUID() });
      tab.show();
      await surface.draw();
    },
    dispose: all.dispose,
  };
}

function isRfc(folders: Folders, key: string | null): boolean {
  return isRfcId(folders.find(key ?? '')?.id ?? '');
}

function queueIn(
  { folders }: FormOptions,
  options: Pick<QueueOptions, 'selection' | 'changed'> & { readonly show: (key: string) => Promise<void> },
): Queue {
  return createQueue({
    ...options,
    undoSeconds: (key) => undoSecondsOf(folders, key),
    async failed({ key, id }, why) {
      const open = l10n.t('Show {0}', id);
      const text = l10n.t('Your decision on {0} was not recorded. {1}', id, why);
      if ((await warning(text, open)) === open) await options.show(key);
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
