/**
 * The review of an RFC in an editor tab, one for each. As in the view "Answer": whole snapshots, and an act is taken
 * only from the rendering that is on the screen, of the RFC and the content that rendering showed.
 */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { rfcView } from '../../app/rfc/views.ts';
import type { Outcome, UnavailableView } from '../../protocol/question/question.ts';
import type { Rfc } from '../../core/state/rfc.ts';
import { limits } from '../../core/kit/words.ts';
import type { RfcAct, RfcMessage, RfcSnapshot, RfcView } from '../../protocol/rfc/rfc.ts';
import type { AnswerView } from '../question/answerView.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import { createDwell } from '../surface/dwell.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { harmless, notShown } from '../surface/harmless.ts';
import { ids } from '../kit/ids.ts';
import { inTurn } from '../kit/inTurn.ts';
import { linkTo } from '../kit/link.ts';
import { strangerWords } from '../keys/forms.ts';
import { problemWords } from '../kit/problemWords.ts';
import { carryOut } from './acts.ts';
import type { Rendered } from './acts.ts';
import { rfcModel } from './model.ts';
import type { Reviews } from './reviews.ts';
import { drawnAnew } from '../surface/signedActs.ts';
import type { Keys } from '../surface/signer.ts';
import { snapshotHead } from '../kit/strings.ts';
import { webviewHtml } from '../surface/webviewHtml.ts';
import { openFile } from '../kit/workspaceFiles.ts';
import { policyKey, whyLocked } from '../surface/workspaceForms.ts';

/** Loaded when there is something to send or to read: at the start of the editor there is neither. */
const schemas = () => import('../../protocol/rfc/rfc.ts');

export interface RfcPanelOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly answers: AnswerView;
  readonly reviews: Reviews;
  /** What it is about, as `Folders.keyOf` names it. */
  readonly key: string;
  readonly panel: vscode.WebviewPanel;
}

/** What there is to show, and the RFC as the fold knows it. */
interface Current {
  readonly view: RfcView | UnavailableView;
  readonly rfc: Rfc | null;
}

/** Records come in bursts. */
const burstMs = 80;

export interface RfcPanel extends Closable {
  reveal(): void;
}

export function openRfcPanel({ context, folders, keys, answers, reviews, key, panel }: RfcPanelOptions): RfcPanel {
  const all = collect();
  /** What is on the screen: only this rendering can decide. */
  let rendered: Rendered | null = null;
  const dwell = createDwell();
  /** The revision one reads stays while later ones come. */
  let revision: number | undefined;
  let compared: number | undefined;
  let focus: string | undefined;
  let focused: string | undefined;
  let outcome: Outcome | undefined;
  /** Outcomes by act, so that an act sent twice is done once. */
  const acts = new Map<string, Promise<Outcome>>();
  let timer: NodeJS.Timeout | undefined;
  /** What was sent last, without its nonce: the same need not be drawn again. */
  let sent = '';
  /** A page that has just begun gets its drafts back. */
  let begins = false;

  /** Draws after what is being drawn now: snapshots leave in order. */
  function draw(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return drawInTurn();
  }

  /** Records come in bursts: they are drawn together. */
  function drawSoon(): void {
    timer ??= setTimeout(() => void draw(), burstMs);
  }

  const drawInTurn = inTurn(drawOnce);

  async function drawOnce(): Promise<void> {
    if (!panel.visible) return;
    const { view, rfc } = await current().catch((error: unknown) => ({ view: notShown(error), rfc: null }));
    const content = JSON.stringify({ ...view, render: '' });
    if (!begins && outcome === undefined && content === sent && rendered !== null && focus === focused) return;
    sent = content;
    focused = focus;
    const before = rendered?.view;
    rendered = view.type === 'rfc' && rfc ? { view, rfc } : null;
    if (begins || before?.shown !== rendered?.view.shown) dwell.begin();
    const kept = reviews.kept(key);
    const message: RfcSnapshot = {
      ...snapshotHead(),
      limits: { text: limits.otherText, name: limits.title, lines: limits.listItems },
      view,
      ...(begins && kept !== undefined ? { kept } : {}),
      ...(outcome ? { outcome } : {}),
      ...(focus === undefined ? {} : { focus }),
    };
    begins = false;
    outcome = undefined;
    await panel.webview.postMessage((await schemas()).rfcSnapshot.parse(message));
  }

  async function current(): Promise<Current> {
    const found = folders.find(key);
    if (!found) return { view: closedFolder(), rfc: null };
    const { folder, id } = found;
    const { problem } = folder.workspace.standing();
    if (problem) return unavailable(vscode.l10n.t('Holdpoint cannot tell what is held'), problemWords(problem));
    const store = await folder.workspace.store();
    const view = store.read();
    const rfc = rfcView(view, id);
    const stored = view.state.rfcs.get(id);
    if (!rfc || !stored)
      return unavailable(
        vscode.l10n.t('There is no {0} here.', id),
        vscode.l10n.t('It was never proposed in this folder.'),
      );
    const standing = await keys.standing(folder.workspace);
    const why = whyLocked(store.readOnly);
    const locked: RfcView['locked'] =
      why !== undefined
        ? { why }
        : standing.kind === 'stranger'
          ? { why: strangerWords(standing), ...(standing.managed === null ? { action: 'enrol' } : {}) }
          : undefined;
    revision = Math.min(revision ?? rfc.revision, rfc.revision);
    if (compared !== undefined && compared >= revision) compared = undefined;
    const me = standing.kind === 'enrolled' ? standing.name : null;
    const reviewed = reviews.lastReview(folder, rfc, revision, me);
    reviews.saw(folder, id, revision);
    panel.title = `${id}: ${rfc.title}`.slice(0, 80);
    const model = rfcModel({
      ...{ folders, folder, view, rfc, stored, standing, locked, revision, compared, reviewed },
      render: randomUUID(),
    });
    return { view: model, rfc: stored };
  }

  async function receive(raw: unknown): Promise<void> {
    const parsed = (await schemas()).rfcMessage.safeParse(raw);
    if (!parsed.success) return;
    const message = parsed.data;
    if ('act' in message) {
      outcome = await once(message);
      await draw();
    } else await wish(message);
  }

  /** One act, one deed: the promise is kept, so that a repeated message waits for the first one's outcome. */
  function once(message: RfcAct): Promise<Outcome> {
    const known = acts.get(message.act);
    if (known) return known;
    const seen = rendered;
    const isCurrent =
      seen?.view.render === message.render &&
      seen.view.key === message.key &&
      seen.view.shown === message.shown &&
      dwell.isOver();
    const done =
      isCurrent && panel.visible
        ? carryOut({ folders, keys, rendered: seen }, message)
        : Promise.resolve<Outcome>(drawnAnew(message.act));
    // A rendering decides once.
    if (isCurrent) rendered = null;
    acts.set(message.act, done);
    return done;
  }

  async function wish(message: Exclude<RfcMessage, RfcAct>): Promise<void> {
    const found = folders.find(key);
    switch (message.type) {
      case 'ready':
        begins = true;
        return draw();
      case 'keep':
        return reviews.keep(key, message.saved);
      case 'selectRevision':
        revision = message.revision;
        return draw();
      case 'showDiff':
        compared = message.from;
        return draw();
      case 'openQuestion':
        if (folders.find(message.question)) await answers.show(message.question);
        return;
      case 'openFile':
        if (found) await openFile(found.folder.workspace, message.path, message.line);
        return;
      case 'copyLink':
        if (found) await vscode.env.clipboard.writeText(linkTo(context.extension.id, found.folder, found.id));
        return;
      case 'askReviewer':
        await vscode.commands.executeCommand(ids.commands.reviewRfc, key);
        return;
      case 'do':
        if (message.action === 'enrol') await enrol(found?.folder);
        else await harmless(message.action);
    }
  }

  /** The view "Answer" has the form that adds this editor's key. */
  async function enrol(folder: OpenFolder | undefined): Promise<void> {
    if (folder) await answers.show(policyKey(folders, folder));
  }

  all.add(panel.webview.onDidReceiveMessage((raw: unknown) => receive(raw)));
  all.add(
    panel.onDidChangeViewState(() => {
      if (!panel.visible) rendered = null;
      else void draw();
    }),
  );
  all.add(folders.onDidChange(drawSoon));
  panel.iconPath = new vscode.ThemeIcon('git-pull-request');
  panel.webview.html = webviewHtml(panel.webview, context.extensionUri, 'rfc', 'Holdpoint');
  return {
    reveal() {
      outcome = undefined;
      focus = randomUUID();
      panel.reveal();
      void draw();
    },
    dispose: () => {
      clearTimeout(timer);
      all.dispose();
    },
  };
}

function unavailable(title: string, text: string): Current {
  return { view: { type: 'unavailable', title, text }, rfc: null };
}

function closedFolder(): UnavailableView {
  return {
    type: 'unavailable',
    title: vscode.l10n.t('Its folder is not open'),
    text: vscode.l10n.t('This RFC belongs to a folder that is not open in this window. Open it to read on.'),
    action: 'openFolder',
  };
}
