/**
 * The view "Answer": the one place where decisions are made. It sends whole snapshots, and takes a decision only from
 * the rendering that is on the screen now, for the item and the content that rendering showed.
 */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { diagnose } from '../../app/recovery/recovery.ts';
import { questionView } from '../../app/question/views.ts';
import { isRfcId } from '../../core/waiting/items.ts';
import { isWaiting } from '../../core/state/state.ts';
import { eventId } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/words.ts';
import type { Decision, Outcome, QuestionMessage, Snapshot, View } from '../../protocol/question/question.ts';
import { decide } from './answerDecisions.ts';
import type { Decidable } from './answerDecisions.ts';
import { nothingModel, questionModel, waitingQueue } from './answerModel.ts';
import type { CopyKeeper } from '../recovery/copyKeeper.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import { createDwell } from '../surface/dwell.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { listForgeries } from './forgeries.ts';
import { harmless, noFolder, notShown } from '../surface/harmless.ts';
import { ids } from '../kit/ids.ts';
import { inTurn } from '../kit/inTurn.ts';
import { enrolModel, keysModel, publicLine } from '../keys/forms.ts';
import { recoveryModel } from '../recovery/model.ts';
import { askModel } from '../request/askForm.ts';
import { appointModel, isRequestId, requestModel } from '../request/forms.ts';
import { linkTo } from '../kit/link.ts';
import { drawnAnew } from '../surface/signedActs.ts';
import type { Keys, Standing } from '../surface/signer.ts';
import { snapshotHead } from '../kit/strings.ts';
import { touchedSince } from '../surface/touched.ts';
import { waitingOf } from '../waiting/nodes.ts';
import { webviewHtml, webviewOptions } from '../surface/webviewHtml.ts';
import { openFile } from '../kit/workspaceFiles.ts';
import { policyModel, releaseAllModel, whyLocked, workspaceForm } from '../surface/workspaceForms.ts';
import type { WorkspaceForm } from '../surface/workspaceForms.ts';

/** Loaded when there is something to send or to read: at the start of the editor there is neither. */
const schemas = () => import('../../protocol/question/question.ts');

export interface AnswerView extends Closable {
  /** Brings the form of one item up; of the first that waits without a key. Decides nothing. */
  show(key?: string): Promise<void>;
}

export interface AnswerViewOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
  readonly copies: CopyKeeper;
}

const dismissedName = 'holdpoint.dismissedForgeries';
const keptName = 'holdpoint.kept';

export function registerAnswerView({ context, folders, keys, copies }: AnswerViewOptions): AnswerView {
  const all = collect();
  let view: vscode.WebviewView | null = null;
  let selected: string | null = null;
  /** What was selected before a form about more than one question took its place. */
  let before: string | null = null;
  /** What is on the screen: only this rendering can decide. */
  let rendered: Decidable | null = null;
  /** The renderings of just that content: none of them has decided yet. */
  const renders = new Set<string>();
  const dwell = createDwell();
  /** What was sent last, and the wish for the keyboard that went with it. */
  let sent = '';
  let focused: string | undefined;
  let focus: string | undefined;
  let outcome: Outcome | undefined;
  /** Outcomes by act, so that an act sent twice is done once. */
  const acts = new Map<string, Promise<Outcome>>();
  /** A public key that was pasted into the form of keys, for a look at it. */
  let pasted = '';
  /** A page that has just begun gets its drafts back. */
  let begins = false;

  const draw = inTurn(drawOnce);

  async function drawOnce(): Promise<void> {
    if (!view?.visible) return;
    const model = await currentView().catch(notShown);
    const dismissed = context.workspaceState.get<readonly string[]>(dismissedName, []);
    const forged = listForgeries(folders).filter(({ key }) => !dismissed.includes(key));
    const content = JSON.stringify([{ ...model, render: '' }, forged]);
    // Agents write many times a second, mostly what this form does not show: then it is left alone.
    if (!begins && outcome === undefined && focus === focused && content === sent && (rendered || !('render' in model)))
      return;
    sent = content;
    focused = focus;
    const before = rendered;
    rendered = 'render' in model ? model : null;
    // Agents work on while a human reads: the same item with the same content, drawn anew, is what the human saw.
    if (!rendered || begins || before?.key !== rendered.key || before.shown !== rendered.shown) {
      renders.clear();
      dwell.begin();
    }
    if (rendered) renders.add(rendered.render);
    const kept = context.workspaceState.get<string>(keptName);
    const message: Snapshot = {
      ...snapshotHead(),
      limits: { answer: limits.answerText, reason: limits.otherText, name: limits.title },
      view: model,
      forgeries: forged,
      ...(begins && kept !== undefined ? { kept } : {}),
      ...(outcome ? { outcome } : {}),
      ...(focus === undefined ? {} : { focus }),
    };
    begins = false;
    await view.webview.postMessage((await schemas()).snapshot.parse(message));
  }

  async function currentView(): Promise<View> {
    const render = randomUUID();
    if (folders.all.length === 0)
      return noFolder(
        vscode.l10n.t('Questions belong to a folder on this machine. Open the folder your agents work in.'),
      );
    if (!vscode.workspace.isTrusted && waitingOf(folders) === 0) return untrusted();
    const broken = folders.all.find(({ workspace }) => workspace.standing().problem !== null);
    if (broken && (selected === null || folders.find(selected)?.folder === broken))
      return broken.workspace.standing().problem?.code === 'newer' ? newer() : recovery(broken, render);
    const queue = await waitingQueue(folders);
    const first = queue.find(({ id }) => !isRfcId(id));
    const chosen = (selected === null ? null : folders.find(selected)) ?? folders.find(first?.key ?? '');
    if (!chosen) return nothingModel(folders, queue);
    const { folder, id } = chosen;
    const form = workspaceForm(id);
    if (form) return (await wideForm(folder, form, render)) ?? leave();
    // What is on the screen stays there: neither a more urgent arrival nor its own answer moves it away.
    selected = folders.keyOf(folder, id);
    if (isRequestId(id)) return (await requestForm(folder, id, render)) ?? forget();
    const store = await folder.workspace.store();
    const rows = store.read();
    const question = questionView(rows, id);
    if (!question) return forget();
    const standing = await keys.standing(folder.workspace);
    if (standing.kind === 'stranger' && question.resolution === null) return stranger(folder, standing, render);
    const locked = whyLocked(store.readOnly);
    const goesOn = question.mode === 'async' && question.resolution === null;
    const touched = goesOn ? await touchedSince(folder, question.raised_at) : [];
    return questionModel({ folders, folder, view: rows, question, standing, render, locked, queue, touched });
  }

  function forget(): Promise<View> {
    selected = null;
    return currentView();
  }

  async function requestForm(folder: OpenFolder, id: string, render: string): Promise<View | null> {
    const store = await folder.workspace.store();
    const standing = await keys.standing(folder.workspace);
    if (standing.kind === 'stranger') return stranger(folder, standing, render);
    const options = { folders, folder, view: store.read(), standing, render, locked: whyLocked(store.readOnly) };
    return requestModel({ ...options, id, store });
  }

  /** Null when there is nothing it could be about any more. */
  async function wideForm(folder: OpenFolder, form: WorkspaceForm, render: string): Promise<View | null> {
    const store = await folder.workspace.store();
    const standing = await keys.standing(folder.workspace);
    if (standing.kind === 'stranger') return stranger(folder, standing, render);
    const options = { folders, folder, view: store.read(), standing, render, locked: whyLocked(store.readOnly) };
    if (form.kind === 'appoint') return appointModel(options);
    if (form.kind === 'ask') return askModel(options);
    if (form.kind === 'keys') return keysModel({ ...options, keys, pasted });
    return form.kind === 'releaseAll' ? releaseAllModel({ ...options, agent: form.agent }) : policyModel(options);
  }

  function leave(): Promise<View> {
    select(before);
    return currentView();
  }

  function isWide(key: string | null): boolean {
    return workspaceForm(folders.find(key ?? '')?.id ?? '') !== null;
  }

  function select(key: string | null): void {
    if (isWide(key)) before = isWide(selected) ? before : selected;
    else before = null;
    selected = key;
    pasted = '';
  }

  async function recovery(folder: OpenFolder, render: string): Promise<View> {
    const diagnosis = diagnose(folder.workspace, copies.fileFor(folder.workspace));
    if (!diagnosis) return currentView();
    if (!vscode.workspace.isTrusted) return untrusted();
    const standing = await keys.standing(folder.workspace);
    if (standing.kind === 'stranger') return stranger(folder, standing, render);
    return recoveryModel(folders, folder, diagnosis, standing, render);
  }

  function isOpen(key: string | null): boolean {
    const found = key === null ? null : folders.find(key);
    const question = found?.folder.workspace.standing().state?.questions.get(found.id);
    const request = found?.folder.workspace.standing().state?.requests.has(found.id) ?? false;
    return isWide(key) || request || (question !== undefined && isWaiting(question));
  }

  /** Of the questions of an agent that were let go: the one the reader came from, else the latest. */
  function released(key: string): string | null {
    const found = folders.find(key);
    const form = workspaceForm(found?.id ?? '');
    const { state } = found?.folder.workspace.standing() ?? { state: null };
    if (!found || !state || form?.kind !== 'releaseAll') return before;
    const keysOf = [...state.questions.values()]
      .filter(({ asker, resolution }) => asker.id === form.agent && resolution?.how === 'released')
      .sort((a, b) => (a.resolution?.at ?? '').localeCompare(b.resolution?.at ?? ''))
      .map(({ id }) => folders.keyOf(found.folder, id));
    return keysOf.find((one) => one === before) ?? keysOf.at(-1) ?? before;
  }

  async function stranger(
    folder: OpenFolder,
    standing: Extract<Standing, { kind: 'stranger' }>,
    render: string,
  ): Promise<View> {
    return enrolModel(folders, folder, standing, await keys.own(), render);
  }

  async function receive(raw: unknown): Promise<void> {
    const parsed = (await schemas()).questionMessage.safeParse(raw);
    if (!parsed.success) return;
    const message = parsed.data;
    if ('act' in message) {
      outcome = await once(message);
      // The first of them shows how it ended, and what comes next.
      if (message.type === 'releaseAll' && outcome.type === 'done') select(released(message.key));
      if (message.type === 'keys' && outcome.type === 'done') pasted = '';
      await draw();
    } else await wish(message);
  }

  /** One act, one decision: the promise is kept, so that a repeated message waits for the first one's outcome. */
  function once(message: Decision): Promise<Outcome> {
    const known = acts.get(message.act);
    if (known) return known;
    const current = rendered;
    const isCurrent =
      current?.key === message.key && current.shown === message.shown && renders.has(message.render) && dwell.isOver();
    const done =
      isCurrent && view?.visible
        ? decide({ folders, keys, copies, rendered: current, pasted }, message)
        : Promise.resolve<Outcome>(drawnAnew(message.act));
    // A rendering decides once.
    if (isCurrent) {
      rendered = null;
      renders.clear();
    }
    acts.set(message.act, done);
    return done;
  }

  async function wish(message: Exclude<QuestionMessage, Decision>): Promise<void> {
    switch (message.type) {
      case 'ready':
        begins = true;
        return draw();
      case 'keep':
        await context.workspaceState.update(keptName, message.saved);
        return;
      case 'select':
        // RFCs are reviewed in a tab of their own.
        if (isRfcId(folders.find(message.key)?.id ?? '')) {
          await vscode.commands.executeCommand(ids.commands.openRfc, message.key);
          return;
        }
        // Events are looked at in the briefing.
        if (eventId.safeParse(folders.find(message.key)?.id).success) {
          await vscode.commands.executeCommand(ids.commands.openEvent, message.key);
          return;
        }
        select(message.key);
        outcome = undefined;
        return draw();
      case 'back':
        select(before);
        outcome = undefined;
        focus = randomUUID();
        return draw();
      case 'openFile': {
        const found = folders.find(message.key);
        if (found) await openFile(found.folder.workspace, message.path, message.line);
        return;
      }
      case 'copyLink': {
        const found = folders.find(message.key);
        if (found) await vscode.env.clipboard.writeText(linkTo(context.extension.id, found.folder, found.id));
        return;
      }
      case 'lookAtKey':
        pasted = message.text;
        return draw();
      case 'copyPublicKey': {
        const found = folders.find(message.key);
        if (found) await vscode.env.clipboard.writeText(await publicLine(found.folder, keys));
        return;
      }
      case 'copyText':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'dismissForgery':
        await context.workspaceState.update(
          dismissedName,
          [...context.workspaceState.get<readonly string[]>(dismissedName, []), message.key].slice(-500),
        );
        return draw();
      case 'do':
        await harmless(message.action);
    }
  }

  all.add(
    vscode.window.registerWebviewViewProvider(ids.views.answer, {
      resolveWebviewView(resolved) {
        view = resolved;
        resolved.webview.options = webviewOptions(context.extensionUri);
        resolved.webview.onDidReceiveMessage((raw: unknown) => receive(raw));
        resolved.onDidChangeVisibility(() => {
          sent = '';
          if (!isOpen(selected)) selected = null;
          void draw();
        });
        resolved.onDidDispose(() => {
          view = rendered = null;
        });
        resolved.webview.html = webviewHtml(resolved.webview, context.extensionUri, 'question', 'Holdpoint');
      },
    }),
  );
  all.add(folders.onDidChange(() => void draw()));
  return {
    async show(key) {
      select(key ?? null);
      outcome = undefined;
      focus = randomUUID();
      await vscode.commands.executeCommand(`${ids.views.answer}.focus`);
      await draw();
    },
    dispose: () => {
      all.dispose();
    },
  };
}

function untrusted(): View {
  return {
    type: 'unavailable',
    title: vscode.l10n.t('This folder is not trusted'),
    text: vscode.l10n.t(
      'Until you trust it Holdpoint writes nothing here, and agents of this window cannot use its tools.',
    ),
    action: 'manageTrust',
  };
}

/** No way out is offered: nothing is wrong with the store. */
function newer(): View {
  return {
    type: 'unavailable',
    title: vscode.l10n.t('Update Holdpoint'),
    text: vscode.l10n.t(
      'A newer Holdpoint wrote this workspace, and this one cannot tell what it holds: nothing may go on. Nothing is lost. Update Holdpoint, then reload this window.',
    ),
    action: 'reloadWindow',
  };
}
