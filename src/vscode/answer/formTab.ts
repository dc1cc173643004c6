/** An editor tab with one form: one per window, restored after a reload. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Snapshot } from '../../ui/answer/view.ts';
import { defaultUndoSeconds } from '../../core/state/state.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { warning } from '../kit/messages.ts';
import type { Forms } from '../kit/forms.ts';
import { pageOfPanel } from '../kit/page.ts';
import { refused } from '../../ui/surface/signedActs.ts';
import type { SigningSurface } from '../../ui/surface/signingSurface.ts';
import { tabIcon, webviewHtml, webviewOptions } from '../kit/webviewHtml.ts';
import { createFormSurface } from './formSurface.ts';
import type { FormOptions } from './formSurface.ts';
import { createSelection } from '../../ui/answer/selection.ts';
import type { Selection } from '../../ui/answer/selection.ts';
import { checkDecision } from '../../ui/answer/decisions.ts';
import { createQueue } from './queue.ts';
import type { Queue } from './queue.ts';

export interface FormTabOptions extends FormOptions {
  readonly forms: Forms;
  readonly viewType: string;
  readonly title: string;
  readonly kept: string;
  /** The sections to show beside this form. */
  readonly sections?: (key: string) => Snapshot['sections'];
  /** The tab can show the waiting items one after another. */
  readonly isQueue?: true;
}

export interface FormTab extends Closable {
  /** Opens the form in its tab; without a key, the tab's own content. Decides nothing. */
  show(key?: string): Promise<void>;
  /** Opens the waiting items in it, one after another. Decides nothing. */
  showQueue(): Promise<void>;
  /** Whether the tab is visible with this form. */
  isShown(key: string): boolean;
}

export function registerFormTab(options: FormTabOptions): FormTab {
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
    isShown: (key) => (panel?.visible ?? false) && selection.key() === key,
    show,
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
    already: (act) => refused(act, 'conflict', l10n.t('This question is already decided, and about to be sent.')),
    async failed({ key, id }, why) {
      const open = l10n.t('Show {0}', id);
      const text = l10n.t('Your decision on {0} was not recorded. {1}', id, why);
      if ((await warning(text, open)) === open) await show(key);
    },
  });
}
