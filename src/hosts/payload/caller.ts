/**
 * Which host runs a hook. VS Code and Copilot CLI both run every file of `.github/hooks`, and there is no field by which
 * a command could be for one of them: both take `linux`, `osx` and `windows`, then `bash` and `powershell`, then
 * `command`, and both spellings of the events (VS Code 1.139.1, Copilot CLI 1.0.102). So the call itself has to tell.
 */
import type { HostName } from '../names.ts';
import { isFields, textOf } from './fields.ts';

/** @param named the host whose file the hook was written into; it counts where nothing shows another one */
export function callerOf(
  named: HostName,
  payload: unknown,
  env: Readonly<Record<string, string | undefined>>,
): HostName {
  if (!isFields(payload)) return named;
  // The CLI tells its hooks the session; a program that was only started in a terminal of the CLI has another one.
  if (named === 'vscode' && isSame(env['COPILOT_AGENT_SESSION_ID'], textOf(payload, 'session_id', 'sessionId')))
    return 'copilot-cli';
  const transcript = textOf(payload, 'transcript_path', 'transcriptPath') ?? '';
  if (named === 'copilot-cli' && /[\\/]GitHub\.copilot-chat[\\/]/i.test(transcript)) return 'vscode';
  return named;
}

function isSame(one: string | undefined, other: string | null): boolean {
  return one !== undefined && one !== '' && one === other;
}
