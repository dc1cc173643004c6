/** The review of an RFC, in one editor tab per RFC. */
import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lookAtHeldBy } from '../../app/hold/lookAtHeld.ts';
import { rfcView } from '../../app/rfc/views.ts';
import { limits } from '../../core/kit/words.ts';
import type { UnavailableView } from '../../ui/kit/view.ts';
import type { RfcMessage } from '../../ui/rfc/messages.ts';
import type { RfcSnapshot, RfcView } from '../../ui/rfc/model.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { outageOf } from '../../ui/surface/outage.ts';
import { harmless } from '../kit/harmless.ts';
import { dispatch } from '../../ui/surface/handlers.ts';
import type { Handlers } from '../../ui/surface/handlers.ts';
import type { Forms } from '../kit/forms.ts';
import { ids } from '../../ui/kit/ids.ts';
import { problemWords } from '../../ui/kit/problemWords.ts';
import { carryOut } from '../../ui/rfc/acts.ts';
import type { Seen } from '../../ui/rfc/acts.ts';
import { raisedHashes } from '../../ui/rfc/answering.ts';
import { readImage } from '../../ui/rfc/images.ts';
import { rfcModel } from '../../ui/rfc/model.ts';
import type { Models } from './models.ts';
import type { Reviews } from './reviews.ts';
import { pageOfPanel } from '../kit/page.ts';
import { compareHeld, restoreFile } from '../kit/heldChanges.ts';
import { pageRequests } from '../kit/pageRequests.ts';
import { createSigningSurface } from '../../ui/surface/signingSurface.ts';
import type { SigningSurface, Unsigned } from '../../ui/surface/signingSurface.ts';
import type { Current } from '../../ui/surface/snapshots.ts';
import { strangerWords } from '../../ui/surface/strangerWords.ts';
import type { Keys, SignerStanding } from '../../ui/surface/keys.ts';
import { webviewHtml } from '../kit/webviewHtml.ts';
import { inBrowser } from '../../ui/surface/inBrowser.ts';
import { enrolKey, whyLocked } from '../../ui/surface/workspaceForms.ts';

const schemas = () => import('../../ui/rfc/messages.ts');

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

/** The reader's place. The displayed revision stays when later ones arrive. */
interface Reading {
  revision?: number;
  compared?: number | undefined;
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
      parse: async (raw) => (await schemas()).rfcMessage.safeParse(raw).data,
      current: (render) => currentReview(options, reading, render),
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
    dispose: () => {
      all.dispose();
    },
  };
}

async function currentReview(
  { folders, keys, reviews, models, key, panel }: RfcPanelOptions,
  reading: Reading,
  render: string,
): Promise<Current<RfcView, Seen>> {
  const found = folders.find(key);
  if (!found) return { view: closedFolder() };
  const { folder, id } = found;
  const { problem } = folder.workspace.standing();
  if (problem) return unavailable(l10n.t('Holdpoint cannot tell which work is held'), problemWords(problem));
  // A decision must not overlook a change that no hook saw.
  await lookAtHeldBy(folder.workspace, id).catch(() => undefined);
  const store = await folder.workspace.store();
  const view = store.read();
  const rfc = rfcView(view, id);
  const stored = view.state.rfcs.get(id);
  if (!rfc || !stored)
    return unavailable(l10n.t('There is no {0} here.', id), l10n.t('It was never proposed in this folder.'));
  const standing = await keys.standing(folder.workspace);
  const revision = Math.min(reading.revision ?? rfc.text_revision, rfc.revision);
  reading.revision = revision;
  if (reading.compared !== undefined && reading.compared >= revision) reading.compared = undefined;
  const { compared } = reading;
  const me = standing.kind === 'enrolled' ? standing.name : null;
  const reviewed = reviews.lastReview(folder, rfc, revision, me);
  reviews.saw(folder, id, revision);
  panel.title = `${id}: ${rfc.title}`.slice(0, 80);
  const locked = whyNotSigned(standing, store.readOnly);
  const model = rfcModel({
    ...{ folders, folder, view, rfc, stored, standing, locked, revision, compared, reviewed, render },
    // A passkey of the browser decides it, whatever this editor's key may do.
    browser: whyLocked(store.readOnly) === undefined ? inBrowser(view.state, stored, standing) : {},
    hasModel: models.some(),
    where: 'editor',
  });
  const layout = JSON.stringify([revision, compared]);
  return {
    view: model,
    seen: { targets: [model], layout, view: model, rfc: stored, raised: raisedHashes(view.state, stored) },
  };
}

function whyNotSigned(standing: SignerStanding, readOnly: boolean): RfcView['locked'] {
  const why = whyLocked(readOnly);
  if (why !== undefined) return { why };
  if (standing.kind !== 'stranger') return undefined;
  return { why: strangerWords(standing), ...(standing.managed === null ? { action: 'enrol' } : {}) };
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
    async openQuestion({ question }) {
      if (folders.find(question)) await forms.show(question);
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
    openDocument: () => vscode.commands.executeCommand(ids.commands.openRfcDocument, key),
    async do({ action }) {
      if (action !== 'enrol') return harmless(action);
      // The "Answer" view contains the enrolment form.
      const found = folders.find(key);
      return found && forms.show(enrolKey(folders, found.folder));
    },
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
