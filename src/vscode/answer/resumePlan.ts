/**
 * How a parked agent is started again: its host's program with its session, in its folder. What names them comes
 * from an agent, so the program follows from the host, the id must have that host's form, and the folder must be one
 * of this workspace.
 */
import { parkedSession } from '../../app/question/parkedSessions.ts';
import type { QuestionView } from '../../app/question/views.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { toolGuide } from '../../core/kit/guide.ts';
import type { State } from '../../core/state/state.ts';
import { resumePrompt, fullResumePrompt } from '../../tools/kit/texts.ts';
import { isAlive } from '../../app/workspace/agents.ts';
import { resumeCommand } from '../../core/question/parking.ts';
import type { ResumableHost } from '../../core/records/policy.ts';
import { hosts } from '../../hosts/hosts.ts';
import { isWithin, programOf } from '../../hosts/setup/place.ts';
import { findStore } from '../../store/journal/findStore.ts';
import { readerOf } from '../../tools/kit/reader.ts';

export type ResumePlan =
  | { readonly kind: 'chat' | 'elsewhere' | 'running' }
  | { readonly kind: 'missing'; readonly program: string }
  | {
      readonly kind: 'ready';
      readonly host: ResumableHost;
      /** Absolute. */
      readonly program: string;
      readonly args: readonly string[];
      readonly folder: string;
      readonly session: string;
      /** Whether the prompt has brief and answer, because the host's hooks deliver none. */
      readonly delivers: boolean;
      /** A program of the agent was seen to end. */
      readonly ended: boolean;
    };

/** Its plugin has no event for the start of a session, nor for prompts. */
const withoutContext: readonly ResumableHost[] = ['opencode'];

/** Null where there is nothing to say: it is not parked, or its agent has continued. */
export function resumePlan(workspace: Workspace, state: State, question: QuestionView): ResumePlan | null {
  const { id, parked, recipient, acknowledged_at, resolution } = question;
  if (!parked || acknowledged_at !== null || recipient !== parked.by) return null;
  const type = state.agents.get(parked.by)?.type ?? '';
  if (type === hosts.vscode.agentType) return { kind: 'chat' };
  const noted = parkedSession(workspace, id);
  if (!noted) return null;
  const { host, session } = noted;
  const { agentType, alsoCalled } = hosts[host];
  const delivers = withoutContext.includes(host);
  const decided = resolution === null ? null : question;
  const reader = readerOf({ workspace, session: { actor: { kind: 'agent', id: recipient, session }, host: 'resume' } });
  const prompt = delivers ? fullResumePrompt(id, decided, reader) : resumePrompt({ id }, toolGuide);
  const command = resumeCommand(host, session, prompt);
  const folder = folderOf(workspace, noted.folder);
  if (!command || folder === null || ![agentType, ...alsoCalled].includes(type)) return { kind: 'elsewhere' };
  const alive = isAlive(workspace, parked.by);
  if (alive === true) return { kind: 'running' };
  const program = programOf(workspace.options, command.program);
  if (program === undefined || isOfAgents(workspace, folder, program))
    return { kind: 'missing', program: command.program };
  return { kind: 'ready', host, program, args: command.args, folder, session, delivers, ended: alive === false };
}

/** Its real path, if it is the workspace or a worktree of it; null otherwise. */
function folderOf(workspace: Workspace, named: string): string | null {
  const { fs } = workspace.options;
  try {
    const { root, worktree, problem } = findStore(fs, workspace.userFolder, named);
    const real = fs.realpathSync.native(named);
    return problem === null && root === workspace.location.root && real === worktree ? real : null;
  } catch {
    return null;
  }
}

/** Whether agents may have written it, because it is in their folder. */
function isOfAgents({ options, location }: Workspace, folder: string, program: string): boolean {
  const real = options.fs.realpathSync.native(program);
  return [location.root, location.worktree, folder].some((one) => isWithin(real, one) || isWithin(program, one));
}

/** The command as a person would type it; never run. */
export function commandText(program: string, args: readonly string[]): string {
  return [program, ...args].map((word) => (/^[\w./:=@\\-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}
