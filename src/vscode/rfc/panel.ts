/** The review of an RFC, in one editor tab per RFC. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { limits } from '../../core/kit/limits.ts';
import type { UnavailableView } from '../../ui/kit/view.ts';
import { rfcMessage, type RfcMessage } from '../../ui/rfc/messages.ts';
import type { RfcSnapshot, RfcView } from '../../ui/rfc/model.ts';
import { collect, type Closable } from '../../ui/kit/timing.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { outageOf, problemWords } from '../../ui/kit/problemWords.ts';
import { runHarmless, pageOfPanel, webviewHtml, webviewOptions, type Forms } from '../kit/pages.ts';
import { dispatch, type Handlers } from '../../ui/surface/signedActs.ts';
import { ids } from '../../ui/kit/ids.ts';
import {
  carryOut,
  type Seen,
  readImage,
  currentReview,
  type Reading,
  type ReviewOptions,
} from '../../ui/rfc/review.ts';
import { watchModels, type Models } from './reviewer.ts';
import { compareHeld, restoreFile, pageRequests } from '../kit/files.ts';
import {
  createSigningSurface,
  type SigningSurface,
  type Unsigned,
  type Current,
} from '../../ui/surface/signingSurface.ts';
import { strangerWords, type Keys, type SignerStanding } from '../../ui/surface/standing.ts';
import { enrolKey, whyLocked } from '../../ui/surface/workspaceForms.ts';
import type { RfcView as AppRfc } from '../../app/rfc/views.ts';

export interface RfcPanelOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly forms: Forms;
  readonly reviews: Reviews;
  readonly models: Models;
  /** The RFC's key, from `Folders.keyOf`. */
  readonly key: string;
  readonly panel: vscode.WebviewPanel;
}

export interface RfcPanel extends Closable {
  reveal(): void;
}

export function openRfcPanel(options: RfcPanelOptions): RfcPanel {
  const { context, folders, keys, reviews, models, key, panel } = options;
  const all = collect();
  const reading: Reading = {};
  const requests = requestsOf(options, reading, () => surface);
  const surface = all.add(
    createSigningSurface<RfcSnapshot, RfcMessage, Seen>({
      parse: (raw) => Promise.resolve(rfcMessage.safeParse(raw).data),
      current: (render) => reviewNow(options, reading, render),
      beside: () => ({
        ...outageOf(folders),
        limits: { text: limits.otherText, name: limits.title, lines: limits.listItems, answer: limits.answerText },
      }),
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

async function reviewNow(
  { folders, keys, reviews, models, key, panel }: RfcPanelOptions,
  reading: Reading,
  render: string,
): Promise<Current<RfcView, Seen>> {
  const found = folders.find(key);
  if (!found) return { view: closedFolder() };
  const { folder, id } = found;
  const { problem } = folder.workspace.standing();
  if (problem) return unavailable(l10n.t('Holdpoint cannot tell which work is held'), problemWords(problem));
  const reviewed: ReviewOptions['reviewed'] = (rfc, revision, me) => {
    panel.title = `${id}: ${rfc.title}`.slice(0, 80);
    const last = reviews.lastReview(folder, rfc, revision, me);
    reviews.saw(folder, id, revision);
    return last;
  };
  const locked = (standing: SignerStanding, readOnly: boolean) => {
    const why = whyLocked(readOnly);
    if (why !== undefined) return { why };
    if (standing.kind !== 'stranger') return undefined;
    return { why: strangerWords(standing), enrol: enrolKey(folders, folder, standing) };
  };
  const reader = { standing: keys.standing.bind(keys), locked, reviewed, hasModel: models.some() };
  return currentReview({ folders, reading, render, where: 'editor', ...reader }, found);
}

function requestsOf(
  { context, folders, forms, key }: RfcPanelOptions,
  reading: Reading,
  surface: () => SigningSurface<RfcSnapshot>,
): Handlers<Unsigned<RfcMessage>> {
  return {
    ...pageRequests(folders, context.extension.id),
    selectRevision({ revision }) {
      reading.revision = revision;
      return surface().draw();
    },
    showDiff({ from }) {
      reading.compared = from;
      return surface().draw();
    },
    async openQuestion({ id }) {
      const found = folders.find(key);
      if (found) await forms.show(folders.keyOf(found.folder, id));
    },
    async showImage({ path }) {
      const found = folders.find(key);
      if (!found) return;
      surface().add({ image: await readImage(found.folder.workspace, path) });
      await surface().draw();
    },
    compareHeld: (message) => compareHeld(folders, message, vscode.ViewColumn.Beside),
    restoreHeld: (message) => restoreFile(folders, message),
    askReviewer: () => vscode.commands.executeCommand(ids.commands.reviewRfc, key),
    openForm: (message) => forms.show(message.key),
    do: ({ action }) => runHarmless(action),
  };
}

function unavailable(title: string, text: string): { readonly view: UnavailableView } {
  return { view: { type: 'unavailable', title, text } };
}

function closedFolder(): UnavailableView {
  return {
    type: 'unavailable',
    title: l10n.t('Its folder is not open'),
    text: l10n.t('This RFC belongs to a folder that is not open in this window. Open that folder to read it.'),
    action: 'openFolder',
  };
}

// The open reviews of this window: at most one per RFC, including those restored after a reload.

export interface RfcPanels extends Closable {
  /** Opens the review of an RFC. Decides nothing. */
  open(key: string): void;
  isShown(key: string): boolean;
  /** The RFC whose review is in front, whose buttons nothing should cover. */
  reviewing(): string | undefined;
  readonly onDidChangeReviewing: vscode.Event<void>;
}

export interface RfcPanelsOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly forms: Forms;
}

export function registerRfcPanels({ context, folders, keys, forms }: RfcPanelsOptions): RfcPanels {
  const all = collect();
  const reviews = openReviews(context.workspaceState);
  // Created with the first review: the editor's start must not query models.
  let models: Models | undefined;
  const byKey = new Map<string, { readonly opened: RfcPanel; readonly panel: vscode.WebviewPanel }>();
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
    open(key) {
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
    isShown: (key) => byKey.get(key)?.panel.visible ?? false,
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

export interface Reviews {
  /** The page's saved state. */
  kept(key: string): string | undefined;
  keep(key: string, saved: string): Promise<void>;
  saw(folder: OpenFolder, id: string, revision: number): void;
  /** The revision of the reader's last review before `shown`; `shown` itself once they have acted on it. */
  lastReview(folder: OpenFolder, rfc: AppRfc, shown: number, me: string | null): number | undefined;
}

const keptName = 'holdpoint.keptReviews';
const seenName = 'holdpoint.seenRevisions';
/** Maximum number of reviews; the oldest are dropped. */
const atMost = 50;

export function openReviews(memory: vscode.Memento): Reviews {
  const entry = ({ workspace }: OpenFolder, id: string) => `${workspace.location.root} ${id}`;
  const seenOf = (folder: OpenFolder, id: string) =>
    memory.get<Record<string, readonly number[]>>(seenName, {})[entry(folder, id)] ?? [];

  return {
    kept: (key) => memory.get<Record<string, string>>(keptName, {})[key],

    async keep(key, saved) {
      await memory.update(keptName, withLatest(memory.get<Record<string, string>>(keptName, {}), key, saved));
    },

    saw(folder, id, revision) {
      const seen = seenOf(folder, id);
      if (seen.includes(revision)) return;
      const all = memory.get<Record<string, readonly number[]>>(seenName, {});
      void memory.update(seenName, withLatest<readonly number[]>(all, entry(folder, id), [...seen, revision]));
    },

    lastReview(folder, rfc, shown, me) {
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
