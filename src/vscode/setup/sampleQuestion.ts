/**
 * "Try a Sample Question": a real question in a throwaway workspace. Its agent uses the same tools as any other; a human
 * answers it in the same form; then everything is deleted.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { openAgent } from '../../app/workspace/agents.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { failure, information } from '../kit/messages.ts';
import type { Forms } from '../kit/forms.ts';
import { openSampleWorkspace } from './sampleWorkspace.ts';

/** How long the result stays readable. Milliseconds. */
const readableMs = 8_000;
const workId = 't-1';

/** The open sample of this window. */
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
    const [{ operations }, { runOperation }] = await Promise.all([
      import('../../tools/operations.ts'),
      import('../../tools/kit/operation.ts'),
    ]);
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
