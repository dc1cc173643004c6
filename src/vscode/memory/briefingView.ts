/**
 * The view "Briefing": what of project memory concerns the file in the editor. It follows the editor unless it is pinned,
 * sends whole snapshots, and takes what is signed only from the rendering that is on the screen now.
 */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { limits } from '../../core/kit/words.ts';
import type {
  BriefingAct,
  BriefingMessage,
  BriefingSnapshot,
  BriefingView,
  Compose,
} from '../../protocol/memory/briefing.ts';
import type { Outcome, UnavailableView } from '../../protocol/question/question.ts';
import type { AnswerView } from '../question/answerView.ts';
import { signInBriefing } from './briefingActs.ts';
import { briefingModel, whyNotSigned } from './briefingModel.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { harmless, noFolder, notShown } from '../surface/harmless.ts';
import { ids } from '../kit/ids.ts';
import { inTurn } from '../kit/inTurn.ts';
import { inEditor, onLookingElsewhere } from '../kit/inEditor.ts';
import type { Place } from '../kit/inEditor.ts';
import { problemWords } from '../kit/problemWords.ts';
import { refused } from '../surface/signedActs.ts';
import type { Keys } from '../surface/signer.ts';
import { snapshotHead } from '../kit/strings.ts';
import { webviewHtml, webviewOptions } from '../surface/webviewHtml.ts';
import { openFile } from '../kit/workspaceFiles.ts';
import { policyKey } from '../surface/workspaceForms.ts';

/** Loaded when there is something to send or to read: at the start of the editor there is neither. */
const schemas = () => import('../../protocol/memory/briefing.ts');

export interface Briefings extends Closable {
  /** Brings the view up; with an event, unfolded. Signs nothing. */
  show(reveal?: { readonly folder: OpenFolder; readonly id: string }): Promise<void>;
  /** Brings up the form for a new event. Records nothing. */
  compose(begin: Omit<Compose, 'token'>, place?: Place): Promise<void>;
}

export interface BriefingViewOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly answers: AnswerView;
}

const keptName = 'holdpoint.briefing.kept';
const pinnedName = 'holdpoint.briefing.pinned';
/** Records come in bursts: they are drawn together. */
const burstMs = 80;

interface Pin {
  /** The folder's address. */
  readonly folder: string;
  readonly path: string;
}

export function registerBriefingView({ context, folders, keys, answers }: BriefingViewOptions): Briefings {
  const all = collect();
  let view: vscode.WebviewView | null = null;
  /** The page runs: what is sent before is lost. */
  let listening = false;
  let pin = context.workspaceState.get<Pin>(pinnedName);
  /** Where the reader was last, for when nothing of any folder is in the editor. */
  let lastFolder: OpenFolder | null = null;
  /** What is on the screen: only this rendering can sign. */
  let rendered: BriefingView | null = null;
  /** What was sent last, without its nonce: the same need not be drawn again. */
  let sent = '';
  let outcome: Outcome | undefined;
  let compose: Compose | undefined;
  let reveal: BriefingSnapshot['reveal'];
  /** A page that has just begun gets its drafts back. */
  let begins = false;
  const acts = new Map<string, Promise<Outcome>>();
  let timer: NodeJS.Timeout | undefined;

  function draw(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return drawInTurn();
  }

  function drawSoon(): void {
    timer ??= setTimeout(() => void draw(), burstMs);
  }

  const drawInTurn = inTurn(drawOnce);

  async function drawOnce(): Promise<void> {
    if (!view?.visible || !listening) return;
    const model = await currentView().catch(notShown);
    const content = JSON.stringify({ ...model, render: '' });
    const isNew = begins || outcome !== undefined || compose !== undefined || reveal !== undefined;
    if (!isNew && content === sent && rendered !== null) return;
    sent = content;
    rendered = model.type === 'briefing' ? model : null;
    const kept = context.workspaceState.get<string>(keptName);
    const message: BriefingSnapshot = {
      ...snapshotHead(),
      limits: { text: limits.otherText, scopes: limits.listItems },
      view: model,
      ...(begins && kept !== undefined ? { kept } : {}),
      ...(outcome ? { outcome } : {}),
      ...(compose ? { compose } : {}),
      ...(reveal ? { reveal } : {}),
    };
    begins = false;
    outcome = compose = reveal = undefined;
    await view.webview.postMessage((await schemas()).briefingSnapshot.parse(message));
  }

  async function currentView(): Promise<BriefingView | UnavailableView> {
    const { place, note } = lookedAt();
    const folder = place?.folder ?? standIn();
    if (!folder)
      return noFolder(
        vscode.l10n.t('What is known about a project belongs to its folder. Open the folder your agents work in.'),
      );
    lastFolder = folder;
    const { problem } = folder.workspace.standing();
    if (problem)
      return {
        type: 'unavailable',
        title: vscode.l10n.t('Holdpoint cannot tell what is known here'),
        text:
          problem.code === 'newer'
            ? problemWords(problem)
            : vscode.l10n.t('{0} The view "Answer" shows the ways out.', problemWords(problem)),
      };
    const store = await folder.workspace.store();
    const standing = await keys.standing(folder.workspace);
    const locked = whyNotSigned(standing, store.readOnly);
    const options = { folders, folder, view: store.read(), note, standing, locked, render: randomUUID() };
    return briefingModel({ ...options, focus: place?.path ?? null, pinned: place !== null && isPinned(place) });
  }

  /** The pinned place, else what is in the editor, else why it is the whole project. */
  function lookedAt(): { readonly place: Place | null; readonly note?: string } {
    const folder = folders.all.find(({ uri }) => uri.toString() === pin?.folder);
    if (pin && folder) return { place: { folder, path: pin.path } };
    const looking = inEditor(folders);
    switch (looking.kind) {
      case 'file':
        return { place: looking.place };
      case 'nothing':
        return { place: null };
      case 'untitled':
        return {
          place: null,
          note: vscode.l10n.t('{0} is not saved yet: this is about the whole project.', looking.name),
        };
      case 'outside':
        return {
          place: null,
          note: vscode.l10n.t('{0} is no file of this project: this is about all of it.', looking.name),
        };
    }
  }

  function standIn(): OpenFolder | undefined {
    return lastFolder && folders.all.includes(lastFolder) ? lastFolder : folders.all[0];
  }

  function isPinned({ folder, path }: Place): boolean {
    return pin?.folder === folder.uri.toString() && pin.path === path;
  }

  async function setPin(place: Place | null): Promise<void> {
    pin = place ? { folder: place.folder.uri.toString(), path: place.path } : undefined;
    await context.workspaceState.update(pinnedName, pin);
  }

  async function receive(raw: unknown): Promise<void> {
    const parsed = (await schemas()).briefingMessage.safeParse(raw);
    if (!parsed.success) return;
    const message = parsed.data;
    if ('act' in message) {
      outcome = await once(message);
      await draw();
    } else await wish(message);
  }

  /** One act is carried out once: a repeated message waits for the first one's outcome. */
  function once(message: BriefingAct): Promise<Outcome> {
    const known = acts.get(message.act);
    if (known) return known;
    const isCurrent = view?.visible === true && rendered !== null && isShown(rendered, message);
    const done = isCurrent
      ? signInBriefing(folders, keys, message)
      : Promise.resolve(
          refused(
            message.act,
            'changed',
            vscode.l10n.t('This was drawn anew meanwhile. Look again, then do it once more.'),
          ),
        );
    // A rendering signs once.
    if (isCurrent) rendered = null;
    acts.set(message.act, done);
    return done;
  }

  async function wish(message: Exclude<BriefingMessage, BriefingAct>): Promise<void> {
    switch (message.type) {
      case 'ready':
        listening = begins = true;
        return draw();
      case 'keep':
        await context.workspaceState.update(keptName, message.saved);
        return;
      case 'pin':
        await setPin(message.on ? lookedAt().place : null);
        return draw();
      case 'openFile': {
        const found = folders.find(message.key);
        if (found) await openFile(found.folder.workspace, message.path, message.line);
        return;
      }
      case 'openForm':
        return answers.show(message.key);
      case 'enrol': {
        // The form of the policy begins with the enrolment where the editor is a stranger.
        const found = folders.find(message.key);
        if (found) await answers.show(policyKey(folders, found.folder));
        return;
      }
      case 'do':
        await harmless(message.action);
    }
  }

  async function reach(): Promise<void> {
    await vscode.commands.executeCommand(`${ids.views.briefing}.focus`);
    await draw();
  }

  all.add(
    vscode.window.registerWebviewViewProvider(ids.views.briefing, {
      resolveWebviewView(resolved) {
        view = resolved;
        listening = false;
        resolved.webview.options = webviewOptions(context.extensionUri);
        resolved.webview.onDidReceiveMessage((raw: unknown) => receive(raw));
        resolved.onDidChangeVisibility(() => {
          // A hidden page is gone: the next one says when it runs.
          if (!resolved.visible) listening = false;
          sent = '';
          void draw();
        });
        resolved.onDidDispose(() => {
          view = rendered = null;
          listening = false;
        });
        resolved.webview.html = webviewHtml(resolved.webview, context.extensionUri, 'memory', 'Holdpoint');
      },
    }),
  );
  all.add(folders.onDidChange(drawSoon));
  all.add(
    onLookingElsewhere(() => {
      if (!pin) void draw();
    }),
  );
  return {
    async show(wanted) {
      if (wanted) {
        lastFolder = wanted.folder;
        reveal = { token: randomUUID(), id: wanted.id };
      }
      await reach();
    },
    async compose(begin, place) {
      if (place && pin) await setPin(null);
      compose = { token: randomUUID(), ...begin };
      await reach();
    },
    dispose: () => {
      clearTimeout(timer);
      all.dispose();
    },
  };
}

/** Whether an act is about just what this rendering shows. */
function isShown(rendered: BriefingView, { render, key, shown }: BriefingAct): boolean {
  if (rendered.render !== render) return false;
  const { proposals, critical, relevant, other } = rendered;
  const groups = [critical, ...Object.values(relevant), other];
  const there = [rendered, ...proposals, ...groups.flatMap(({ items }) => items)];
  return there.some((one) => one.key === key && one.shown === shown);
}
