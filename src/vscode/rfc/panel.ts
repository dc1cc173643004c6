/** The review of an RFC, in one editor tab per RFC. */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { RfcMessage } from '../../ui/rfc/messages.ts';
import type { RfcSnapshot } from '../../ui/rfc/model.ts';
import { collect } from '../../ui/kit/timing.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { outageOf } from '../../ui/kit/problemWords.ts';
import { runHarmless, pageOfPanel, webviewHtml, webviewOptions, type Forms } from '../kit/pages.ts';
import { dispatch, type Handlers } from '../../ui/surface/signedActs.ts';
import { ids } from '../../ui/kit/ids.ts';
import { carryOut, openReview, type Seen } from '../../ui/rfc/review.ts';
import type { HeldFileMessage } from '../../ui/answer/messages.ts';
import type { HarmlessAction } from '../../ui/kit/view.ts';
import { watchModels, type Models } from './reviewer.ts';
import { compareHeld, restoreFile, pageRequests } from '../kit/files.ts';
import { createSigningSurface, type Unsigned } from '../../ui/surface/signingSurface.ts';
import type { Keys } from '../../ui/surface/standing.ts';
import type { RfcView as AppRfc } from '../../app/rfc/views.ts';

interface RfcPanelOptions extends RfcPanelsOptions {
  readonly reviews: Reviews;
  readonly models: Models;
  /** The RFC's key, from `Folders.keyOf`. */
  readonly key: string;
  readonly panel: vscode.WebviewPanel;
}

function openRfcPanel(options: RfcPanelOptions) {
  const { context, folders, keys, reviews, models, key, panel } = options;
  const all = collect();
  const review = openReview({
    ...{ folders, key, where: 'editor', hasModel: () => models.some(), standing: keys.standing.bind(keys) },
    reviewed(folder, rfc, revision, me) {
      panel.title = `${rfc.id}: ${rfc.title}`.slice(0, 80);
      const last = reviews.lastReview(folder, rfc, revision, me);
      reviews.saw(folder, rfc.id, revision);
      return last;
    },
  });
  const requests: Handlers<Unsigned<RfcMessage>> = {
    ...requestsOf(options),
    ...review.requests(() => surface),
  };
  const surface = all.add(
    createSigningSurface<RfcSnapshot, RfcMessage, Seen>({
      ...review,
      beside: () => ({ ...outageOf(folders), limits: review.limits }),
      kept: () => reviews.kept(key),
      keep: (saved) => reviews.keep(key, saved),
      sign: (message, seen) => carryOut({ folders, keys, seen }, message),
      receive: (message) => dispatch(requests, message),
    }),
  );
  surface.attach(pageOfPanel(panel));
  all.add(folders.onDidChange(surface.drawSoon));
  all.add(models.onDidChange(surface.drawSoon));
  panel.iconPath = new vscode.ThemeIcon('git-pull-request');
  panel.webview.html = webviewHtml(panel.webview, context.extensionUri, 'rfc', 'Holdpoint');
  return {
    reveal() {
      surface.add({ focus: randomUUID() });
      panel.reveal();
      void surface.draw();
    },
    dispose: all.dispose,
  };
}

function requestsOf({ context, folders, forms, key }: RfcPanelOptions) {
  return {
    ...pageRequests(folders, context.extension.id),
    async openQuestion({ id }: { readonly id: string }) {
      const found = folders.find(key);
      if (found) await forms.show(folders.keyOf(found.folder, id));
    },
    compareHeld: (message: HeldFileMessage) => compareHeld(folders, message, vscode.ViewColumn.Beside),
    restoreHeld: (message: HeldFileMessage) => restoreFile(folders, message),
    askReviewer: () => vscode.commands.executeCommand(ids.commands.reviewRfc, key),
    openForm: (message: { readonly key: string }) => forms.show(message.key),
    do: ({ action }: { readonly action: HarmlessAction }) => runHarmless(action),
  };
}

// The open reviews of this window: at most one per RFC, including those restored after a reload.

export type RfcPanels = ReturnType<typeof registerRfcPanels>;

interface RfcPanelsOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly forms: Forms;
}

export function registerRfcPanels({ context, folders, keys, forms }: RfcPanelsOptions) {
  const all = collect();
  const reviews = openReviews(context.workspaceState);
  // Created with the first review: the editor's start must not query models.
  let models: Models | undefined;
  const byKey = new Map<
    string,
    { readonly opened: ReturnType<typeof openRfcPanel>; readonly panel: vscode.WebviewPanel }
  >();
  const changed = all.add(new vscode.EventEmitter<void>());

  function take(key: string, panel: vscode.WebviewPanel): void {
    models ??= all.add(watchModels());
    const opened = openRfcPanel({ context, folders, keys, forms, reviews, models, key, panel });
    byKey.set(key, { opened, panel });
    panel.onDidChangeViewState(() => {
      changed.fire();
    });
    panel.onDidDispose(() => {
      opened.dispose();
      if (byKey.get(key)?.opened === opened) byKey.delete(key);
      changed.fire();
    });
    changed.fire();
  }

  all.add(
    vscode.window.registerWebviewPanelSerializer(ids.panels.rfc, {
      // The editor requires a promise.
      async deserializeWebviewPanel(panel, state: unknown) {
        await Promise.resolve();
        const key = keyOf(state);
        if (key === null || byKey.has(key)) panel.dispose();
        else {
          panel.webview.options = webviewOptions(context.extensionUri);
          take(key, panel);
        }
      },
    }),
  );
  return {
    /** Opens the review of an RFC. Decides nothing. */
    open(key: string): void {
      const known = byKey.get(key);
      if (known) {
        known.opened.reveal();
        changed.fire();
        return;
      }
      const id = folders.find(key)?.id ?? '';
      const panel = vscode.window.createWebviewPanel(
        ids.panels.rfc,
        id,
        vscode.ViewColumn.Active,
        webviewOptions(context.extensionUri),
      );
      take(key, panel);
    },
    isShown: (key: string) => byKey.get(key)?.panel.visible ?? false,
    /** The RFC whose review is in front, whose buttons nothing should cover. */
    reviewing: () => [...byKey].find(([, { panel }]) => panel.active)?.[0],
    onDidChangeReviewing: changed.event,
    dispose: () => {
      for (const { opened } of byKey.values()) opened.dispose();
      all.dispose();
    },
  };
}

function keyOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('key' in state)) return null;
  return typeof state.key === 'string' && state.key !== '' ? state.key : null;
}

// What this editor remembers about reviews: drafts, and revisions the human has seen.

type Reviews = ReturnType<typeof openReviews>;

const keptName = 'holdpoint.keptReviews';
const seenName = 'holdpoint.seenRevisions';
/** Maximum number of reviews; the oldest are dropped. */
const atMost = 50;

function openReviews(memory: vscode.Memento) {
  const entry = ({ workspace }: OpenFolder, id: string) => `${workspace.location.root} ${id}`;
  const seenOf = (folder: OpenFolder, id: string) =>
    memory.get<Record<string, readonly number[]>>(seenName, {})[entry(folder, id)] ?? [];

  return {
    /** The page's saved state. */
    kept: (key: string) => memory.get<Record<string, string>>(keptName, {})[key],
    async keep(key: string, saved: string) {
      await memory.update(keptName, withLatest(memory.get<Record<string, string>>(keptName, {}), key, saved));
    },
    saw(folder: OpenFolder, id: string, revision: number): void {
      const seen = seenOf(folder, id);
      if (seen.includes(revision)) return;
      const all = memory.get<Record<string, readonly number[]>>(seenName, {});
      void memory.update(seenName, withLatest<readonly number[]>(all, entry(folder, id), [...seen, revision]));
    },
    /** The revision of the reader's last review before `shown`; `shown` itself once they have acted on it. */
    lastReview(folder: OpenFolder, rfc: AppRfc, shown: number, me: string | null): number | undefined {
      const acted = me === null ? [] : actsOf(rfc, me);
      if (acted.includes(shown)) return shown;
      const before = [...acted, ...seenOf(folder, rfc.id)].filter((revision) => revision < shown);
      return before.length === 0 ? undefined : Math.max(...before);
    },
  };
}

function actsOf({ threads, decisions }: AppRfc, me: string): number[] {
  return [
    ...threads.flatMap(({ signed, by, revision }) => (signed && by === me ? [revision] : [])),
    ...decisions.flatMap(({ by, revision }) => (by === me && revision !== null ? [revision] : [])),
  ];
}

function withLatest<Value>(all: Readonly<Record<string, Value>>, key: string, value: Value): Record<string, Value> {
  const others = Object.entries(all).filter(([one]) => one !== key);
  return Object.fromEntries([...others, [key, value] as const].slice(-atMost));
}
