/** The "Answer" view: the forms of questions, requests and damaged stores. Settings have a tab. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { ids } from '../../ui/kit/ids.ts';
import type { Forms } from '../kit/forms.ts';
import { pageOfView } from '../kit/page.ts';
import { webviewHtml, webviewOptions } from '../kit/webviewHtml.ts';
import { settingsForm } from '../../ui/surface/workspaceForms.ts';
import { registerHeldContent } from '../kit/heldChanges.ts';
import { registerEvidence } from './evidence.ts';
import { createFormSurface } from './formSurface.ts';
import type { FormOptions } from './formSurface.ts';
import { registerFormTab } from './formTab.ts';
import { createSelection } from '../../ui/answer/selection.ts';
import { settingsSections } from './settingsSections.ts';

export interface AnswerView extends Forms, Closable {
  /** Fires with an item's key when a different item is shown. */
  readonly onDidShow: vscode.Event<string>;
  /** Shows the waiting items one after another in a tab. Decides nothing. */
  showQueue(): Promise<void>;
  /** Whether the form of this item is visible, in the view or in a tab. */
  isShown(key: string): boolean;
}

export function registerAnswerView(options: FormOptions): AnswerView {
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
      title: l10n.t('Holdpoint Settings'),
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
  all.add(registerEvidence(folders));
  all.add(registerHeldContent(folders));
  const onShow = sayOnce(shown);
  const surface = all.add(createFormSurface({ ...options, forms, selection, onShow, kept: 'holdpoint.kept' }));
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
    onDidShow: shown.event,
    showQueue: tab.showQueue,
    isShown: (key) => (isVisible() && selection.key() === key) || tab.isShown(key),
    dispose: () => {
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
