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
  if (!isFields(payload) || (named !== 'vscode' && named !== 'copilot-cli')) return named;
  const transcript = textOf(payload, 'transcript_path', 'transcriptPath') ?? '';
  // First: a VS Code that was started by something of the CLI may have its environment.
  if (/[\\/]GitHub\.copilot-chat[\\/]/i.test(transcript)) return 'vscode';
  // The CLI tells hooks their folder.
  return (env['COPILOT_HOOK_DIR'] ?? '') === '' ? named : 'copilot-cli';
}
