/** An editor tab with one form: one per window, restored after a reload. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Snapshot } from '../../protocol/question/question.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Forms } from '../surface/forms.ts';
import { pageOfPanel } from '../surface/page.ts';
import { tabIcon, webviewHtml, webviewOptions } from '../surface/webviewHtml.ts';
import { createFormSurface } from './formSurface.ts';
import type { FormOptions } from './formSurface.ts';
import { createSelection } from './selection.ts';
import type { Triage } from './triage.ts';

export interface FormTabOptions extends FormOptions {
  readonly forms: Forms;
  readonly viewType: string;
  readonly title: string;
  readonly kept: string;
  /** The sections to show beside this form. */
  readonly sections?: (key: string) => Snapshot['sections'];
  /** Set if the tab shows waiting items one after another. */
  readonly triage?: Triage;
}

export interface FormTab extends Closable {
  /** Opens the form in its tab; without a key, the tab's own content. Decides nothing. */
  show(key?: string): Promise<void>;
  /** Whether the tab is visible with this form. */
  isShown(key: string): boolean;
}

export function registerFormTab(options: FormTabOptions): FormTab {
  const { context, folders, viewType, title, sections, triage } = options;
  const all = collect();
  const selection = createSelection(folders);
  const shownName = `${options.kept}.key`;
  let panel: vscode.WebviewPanel | undefined;
  const surface = all.add(
    createFormSurface({
      ...options,
      selection,
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
      void triage?.close();
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
        if (!triage && key !== null && !folders.find(key)) restored.dispose();
      },
    }),
  );
  all.add(folders.onDidChange(surface.drawSoon));
  if (triage) all.add(triage.onDidChange(surface.drawSoon));
  return {
    isShown: (key) => (panel?.visible ?? false) && selection.key() === key,
    async show(key) {
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
    },
    dispose: () => {
      panel?.dispose();
      all.dispose();
    },
  };
}
