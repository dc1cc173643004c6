/**
 * Starts parked agents again in terminals of the editor: after a decision where the signed policy says so for their host,
 * else when a person clicks. A start is noted on this machine, so that several windows start no session twice.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { noteStart, startOf, type Start } from '../../app/question/parkedSessions.ts';
import { questionView, type QuestionView } from '../../app/question/views.ts';
import { recordOffer } from '../../app/waiting/delivery.ts';
import { unlessOffline } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { toolGuide } from '../../core/kit/guide.ts';
import type { State } from '../../core/state/state.ts';
import type { Notification } from '../../core/waiting/eventStream.ts';
import type { QuestionForm } from '../../ui/answer/question.ts';
import { programsOf } from '../../store/journal/programs.ts';
import type { View } from '../../store/store.ts';
import { resumePrompt } from '../../tools/kit/texts.ts';
import { whileOpen, type Folders, type OpenFolder } from '../../ui/kit/folders.ts';
import { resumePlan, commandText, type ResumePlan } from './resumePlan.ts';

export type Resuming = ReturnType<typeof registerResuming>;

type Ready = Extract<ResumePlan, { kind: 'ready' }>;

export function registerResuming(folders: Folders) {
  const terminals = new Map<string, vscode.Terminal>();
  /** What to do when a terminal is closed. */
  const gone = new Map<vscode.Terminal, () => void>();

  async function run({ workspace }: OpenFolder, question: QuestionView, plan: Ready, first: boolean): Promise<void> {
    const { id, parked } = question;
    const { clock, fs } = workspace.options;
    const name = l10n.t('Holdpoint: {0}', parked?.by ?? '');
    const about = { id, at: parked?.at ?? '' };
    const command = commandText(plan.program, plan.args);
    const begun = { terminal: name, command, at: clock(), program: null };
    if (!noteStart(workspace, about, begun, first)) return;
    if (plan.delivers) await offer(workspace, question, plan.session);
    const terminal = vscode.window.createTerminal({
      ...{ name, shellPath: plan.program, shellArgs: [...plan.args], cwd: plan.folder },
      iconPath: new vscode.ThemeIcon('debug-restart'),
      // The editor would run the command again after a restart.
      isTransient: true,
    });
    terminals.set(terminalKey(workspace, about), terminal);
    gone.set(terminal, () => {
      noteStart(workspace, about, { ...begun, closed: true });
      workspace.changed();
    });
    terminal.show(true);
    const pid = await terminal.processId;
    const { self } = programsOf(fs, clock);
    const program = pid === undefined ? null : { pid, started: null, noted: self.noted };
    if (gone.has(terminal)) noteStart(workspace, about, { ...begun, program });
    workspace.changed();
  }

  async function afterDecision(folder: OpenFolder, notification: Notification): Promise<void> {
    const decided = ['blocker_resolved', 'blocker_cancelled', 'blocker_released'].includes(notification.type);
    if (!decided || !('blocker_id' in notification) || !vscode.workspace.isTrusted) return;
    const view = (await folder.workspace.store()).read();
    const question = questionView(view, notification.blocker_id);
    if (!question || question.effect === 'stop') return;
    const plan = resumePlan(folder.workspace, view.state, question);
    if (plan?.kind === 'ready' && plan.ended && startsByItself(view.state, plan))
      await run(folder, question, plan, true);
  }

  const following = whileOpen(
    folders,
    () => folders.stores.map(([folder]) => folder),
    (folder) =>
      folder.workspace.onNotify((notification) => {
        afterDecision(folder, notification).catch((error: unknown) => {
          console.error('holdpoint: a parked agent cannot be started', error);
        });
      }),
  );
  const closing = vscode.window.onDidCloseTerminal((closed) => {
    for (const [key, terminal] of terminals) if (terminal === closed) terminals.delete(key);
    gone.get(closed)?.();
    gone.delete(closed);
  });
  return {
    model({ workspace }: OpenFolder, { state }: View, question: QuestionView): QuestionForm['resume'] {
      const here = terminals.has(terminalKey(workspace, { id: question.id, at: question.parked?.at ?? '' }));
      return modelOf({ workspace, state, question, here });
    },
    /** A person asks for it. Starts nothing that runs already. */
    async start(key: string): Promise<void> {
      const found = folders.find(key);
      if (!found || !vscode.workspace.isTrusted) return;
      const { folder, id } = found;
      const view = (await folder.workspace.store()).read();
      const question = questionView(view, id);
      const plan = question && resumePlan(folder.workspace, view.state, question);
      if (!plan || question.resolution === null) return;
      if (plan.kind === 'chat') await openChat(id);
      const open = terminals.get(terminalKey(folder.workspace, { id, at: question.parked?.at ?? '' }));
      if (open) open.show();
      else if (plan.kind === 'ready' && !runningStart(folder.workspace, question))
        await run(folder, question, plan, false);
    },
    dispose() {
      following.dispose();
      closing.dispose();
    },
  };
}

function terminalKey({ location }: Workspace, { id, at }: { readonly id: string; readonly at: string }): string {
  return `${location.root} ${id} ${at}`;
}

function startsByItself({ policy }: State, { host }: Ready): boolean {
  return policy.resuming?.hosts.includes(host) === true;
}

/** The prompt is not sent: the person does that. */
async function openChat(id: string): Promise<void> {
  const query = resumePrompt({ id }, toolGuide);
  await vscode.commands.executeCommand('workbench.action.chat.open', { query, mode: 'agent', isPartialQuery: true });
}

/** The prompt delivers the outcome, as a hook would with it. */
async function offer(workspace: Workspace, { id, recipient }: QuestionView, session: string): Promise<void> {
  const actor = { kind: 'agent' as const, id: recipient, worktree: workspace.worktree, session };
  const store = await workspace.store();
  if (!store.readOnly) await unlessOffline(recordOffer(store, { actor, host: 'resume' }, [id], false));
}

/** The latest start, while its program runs. */
function runningStart(workspace: Workspace, { id, parked }: QuestionView): Start | null {
  const begun = startOf(workspace, id, parked?.at ?? '');
  if (!begun || begun.closed) return null;
  const { fs, clock } = workspace.options;
  const startingMs = 10_000;
  const runs = begun.program ? programsOf(fs, clock).isRunning(begun.program) : clock() - begun.at < startingMs;
  return runs ? begun : null;
}

interface Shown {
  readonly workspace: Workspace;
  readonly state: State;
  readonly question: QuestionView;
  /** Whether its terminal is one of this window. */
  readonly here: boolean;
}

function modelOf({ workspace, state, question, here }: Shown): QuestionForm['resume'] {
  const plan = resumePlan(workspace, state, question);
  if (!plan) return undefined;
  const isDecided = question.resolution !== null;
  const agent = question.parked?.by ?? '';
  const running = plan.kind === 'chat' ? null : runningStart(workspace, question);
  if (running) {
    const { command, at, terminal } = running;
    return { type: 'started', command, at: new Date(at).toISOString(), terminal, here };
  }
  switch (plan.kind) {
    case 'chat':
      return isDecided ? { type: 'chat' } : undefined;
    case 'missing':
      return { type: 'missing', agent, program: plan.program };
    case 'running':
    case 'elsewhere':
      return { type: plan.kind, agent };
    case 'ready': {
      const { program, args, folder, ended } = plan;
      const will = !isDecided && ended && startsByItself(state, plan);
      const again = startOf(workspace, question.id, question.parked?.at ?? '') !== null;
      return { type: will ? 'willStart' : 'canStart', command: commandText(program, args), folder, again };
    }
  }
}
