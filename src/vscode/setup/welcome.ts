/** Facts for menus, welcomes and steps of the walkthrough; the prompt that a step copies; and the user pages. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { collect, type Closable } from '../../ui/kit/timing.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { information, failure } from '../kit/messages.ts';
import { sharedStatus } from '../../ui/kit/problemWords.ts';
import { waitingOf } from '../../ui/tree/nodes.ts';
import { openAgent } from '../../app/workspace/agents.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Forms } from '../kit/pages.ts';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { openWorkspaceIn } from '../kit/folders.ts';
import { openKeys } from '../kit/keys.ts';
import type { Keys } from '../../ui/surface/standing.ts';

const openChat = 'workbench.action.chat.open';

export function registerWelcome({ extensionUri }: vscode.ExtensionContext, folders: Folders): Closable {
  const all = collect();
  const hasNewAnswer = newAnswers(folders);
  const set = (name: string, value: unknown) => void vscode.commands.executeCommand('setContext', name, value);
  const look = () => {
    const state = folders.all.length > 0 ? 'ready' : vscode.workspace.workspaceFolders?.length ? 'virtual' : 'none';
    set(ids.context.state, state);
    set(ids.context.connected, isConnected(folders));
    set(ids.context.waits, waitingOf(folders) > 0);
    set(
      ids.context.holding,
      folders.stores.some(([{ workspace }]) => (workspace.standing().state?.holders.size ?? 0) > 0),
    );
    set(ids.context.team, sharedStatus(folders) !== null);
    if (hasNewAnswer()) set(ids.context.answered, true);
  };
  all.add(folders.onDidChange(look));
  all.add(
    vscode.commands.registerCommand(ids.commands.promptAgent, async () => {
      const query = l10n.t(
        'Before you change anything, ask me one question about this project with #holdpoint_raise_question, and wait for my answer.',
      );
      await vscode.env.clipboard.writeText(query);
      const hasChat = (await vscode.commands.getCommands(true)).includes(openChat);
      const inChat = l10n.t('Open chat');
      const text = l10n.t('The prompt is copied. Paste it to your agent.');
      if ((await information(text, ...(hasChat ? [inChat] : []))) === inChat)
        await vscode.commands.executeCommand(openChat, { query, isPartialQuery: true });
    }),
  );
  all.add(
    vscode.commands.registerCommand(ids.commands.openDocs, async () => {
      const page = vscode.Uri.joinPath(extensionUri, 'docs', 'README.md');
      await vscode.commands.executeCommand('markdown.showPreview', page);
    }),
  );
  return all;
}

/** Whether an agent has recorded something; also true for a store that cannot be read. */
function isConnected({ stores }: Folders): boolean {
  return stores.some(([{ workspace }]) => {
    const { problem, state } = workspace.standing();
    return problem !== null || state.workspace !== null;
  });
}

/** Says whether a question that was waiting at an earlier look is answered by now. */
function newAnswers(folders: Folders): () => boolean {
  let waited: readonly string[] = [];
  return () => {
    const states = folders.stores.flatMap(([{ workspace }]) => workspace.standing().state ?? []);
    const isAnswered = states.some(({ questions }) =>
      waited.some((id) => questions.get(id)?.resolution?.how === 'answered'),
    );
    waited = states.flatMap(({ undecided }) => [...undecided]);
    return isAnswered;
  };
}

// "Try a Sample Question": a real question in a throwaway workspace. Its agent uses the same tools as any other; a
// human answers it in the same form; then everything is deleted.

/** How long the result stays readable. Milliseconds. */
const readableMs = 8_000;
const workId = 't-1';

interface Sample extends Closable {
  /** Key of its question, once raised. */
  readonly raised: Promise<string>;
}

export function registerSample(context: vscode.ExtensionContext, folders: Folders, forms: Forms): Closable {
  const all = collect();
  const parent = vscode.Uri.joinPath(context.globalStorageUri, 'sample').fsPath;
  let sample: Sample | null = null;

  function begin(): Sample {
    const parts = collect();
    const { folder } = parts.add(openSampleWorkspace(context.extensionPath, parent));
    parts.add(folders.showSample(folder));
    const controller = new AbortController();
    const end = () => {
      if (sample === own) sample = null;
      controller.abort();
      parts.dispose();
    };
    const agent = sampleAgent(folder.workspace, controller.signal);
    const raised = agent.ask().then((id) => folders.keyOf(folder, id));
    const own = { raised, dispose: end };
    raised
      .then(() => agent.resume())
      .then(() => {
        if (controller.signal.aborted) return;
        const timer = setTimeout(end, readableMs);
        parts.add({
          dispose() {
            clearTimeout(timer);
          },
        });
        void offerConnecting();
      })
      .catch((error: unknown) => {
        if (controller.signal.aborted) return;
        end();
        const why = error instanceof Error ? error.message : String(error);
        void failure(l10n.t('The sample question failed: {0}', why));
      });
    return own;
  }

  all.add(
    vscode.commands.registerCommand(ids.commands.trySample, async () => {
      if (!vscode.workspace.isTrusted) {
        void information(l10n.t('This folder is not trusted. Trust it to try a sample question.'));
        return;
      }
      sample ??= begin();
      await forms.show(await sample.raised);
    }),
  );
  all.add({
    dispose() {
      sample?.dispose();
    },
  });
  return all;
}

async function offerConnecting(): Promise<void> {
  const connect = l10n.t('Set Up Agents');
  const text = l10n.t('The sample agent received your decision and continued. The sample question deletes itself.');
  if ((await information(text, connect)) === connect) await vscode.commands.executeCommand(ids.commands.setUpAgents);
}

/** @throws Error when a tool refuses */
function sampleAgent(workspace: Workspace, signal: AbortSignal) {
  const { session } = openAgent(workspace, { type: 'sample', host: 'vscode', given: 'sample-001' });
  let id = '';

  async function call(name: string, input: unknown): Promise<void> {
    const { operations } = await import('../../tools/catalog.ts');
    const { runOperation } = await import('../../tools/kit/operation.ts');
    const tool = operations.find((one) => one.name === name);
    if (!tool) throw new RangeError(name);
    const { status, text } = await runOperation(tool, { workspace, session, signal, waitMs: Infinity }, input);
    if (status === 'error') throw new Error(text);
  }

  return {
    /** Raises the question and returns its id. */
    async ask(): Promise<string> {
      const title = l10n.t('Sign-in of the sample shop');
      await call('register_work', { id: workId, kind: 'task', title, status: 'in_progress' });
      await call('raise_question', { ...question(), work_id: workId, wait_seconds: 0 });
      [id = ''] = workspace.standing().state?.questions.keys() ?? [];
      return id;
    },
    /** Waits for the human and continues, which the form shows. */
    async resume(): Promise<void> {
      await call('await_answer', { id });
      if (!signal.aborted) await call('update_work', { id: workId, status: 'done' });
    },
  };
}

function question() {
  return {
    type: 'decision',
    text: l10n.t('Should sign-ins survive a restart of the server?'),
    background: l10n.t(
      'This is a sample. The agent and its task are made up, but the question, the form and your signed answer are real. Nothing in your project is touched, and all of it is deleted afterwards.',
    ),
    choices: [
      {
        label: l10n.t('Yes: keep sessions in the database'),
        description: l10n.t('One more table; users stay signed in when you deploy.'),
        recommended: true,
      },
      {
        label: l10n.t('No: keep sessions in memory'),
        description: l10n.t('Simple and fast; users sign in again after each deployment.'),
      },
    ],
  };
}

// A throwaway workspace for the sample question. It has its own user folder, and so its own key ring, anchor and
// snapshots: the user's folders, key ring and state are neither read nor written.

const samples = new WeakSet<Workspace>();

/** Another window may be using a sample; one this old is a leftover. Milliseconds. */
const leftBehindMs = 24 * 60 * 60_000;

/**
 * Closing it deletes its files.
 * @param parent folder that contains only samples
 */
function openSampleWorkspace(extensionPath: string, parent: string): Closable & { readonly folder: OpenFolder } {
  removeOlder(parent);
  const place = path.join(parent, randomUUID());
  const root = path.join(place, 'sample');
  const home = path.join(place, 'home');
  fs.mkdirSync(home, { recursive: true });
  // Makes the folder a repository root; otherwise the store would go to a surrounding repository.
  fs.mkdirSync(path.join(root, '.git'), { recursive: true });
  const workspace = openWorkspaceIn(root, extensionPath, {
    home,
    env: {},
    managedFolder: path.join(home, 'managed'),
    saveBeside: undefined,
  });
  const remove = () => {
    workspace.close();
    fs.rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  };
  if (workspace.location.root !== fs.realpathSync.native(root) || !isInside(home, workspace.userFolder)) {
    remove();
    throw new Error(l10n.t('The sample does not have its own workspace.'));
  }
  samples.add(workspace);
  const folder = { workspace, name: l10n.t('Sample'), uri: vscode.Uri.file(root) };
  return { folder, dispose: remove };
}

function isInside(folder: string, file: string): boolean {
  return file.startsWith(folder + path.sep);
}

function removeOlder(parent: string): void {
  if (!fs.existsSync(parent)) return;
  for (const name of fs.readdirSync(parent)) {
    const place = path.join(parent, name);
    const made = fs.statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - made > leftBehindMs) fs.rmSync(place, { recursive: true, force: true });
  }
}

// Signs decisions about the sample question with a separate key, in memory: trying the sample creates no key in
// SecretStorage and trusts none on this machine.

export function withSampleKeys(own: Keys): Keys {
  const secrets = new Map<string, string>();
  const sample = openKeys({
    get: (name) => Promise.resolve(secrets.get(name)),
    store(name, value) {
      secrets.set(name, value);
      return Promise.resolve();
    },
  });
  const of = (workspace: Workspace) => (samples.has(workspace) ? sample : own);
  return {
    own: own.own,
    make: own.make,
    standing: (workspace) => of(workspace).standing(workspace),
    enrol: (workspace, name) => of(workspace).enrol(workspace, name),
    enrolBeside: (scope, name, others) => of(scope.workspaces[0]).enrolBeside(scope, name, others),
    rotate: (scope) => of(scope.workspaces[0]).rotate(scope),
    signer: (workspace) => of(workspace).signer(workspace),
    strangers: (workspace) => of(workspace).strangers(workspace),
    know: (workspace, keyid) => of(workspace).know(workspace, keyid),
  };
}
