/**
 * Detects which host runs a hook. VS Code and Copilot CLI both run every file of `.github/hooks`, and no field limits a
 * command to one of them: both accept `linux`, `osx` and `windows`, then `bash` and `powershell`, then `command`, and
 * both spellings of the events (VS Code 1.139.1, Copilot CLI 1.0.102). Cursor also runs the hooks of Claude Code's
 * settings, with its own payloads. So the call itself must identify its host.
 */
import type { HookHost } from '../names.ts';
import { isFields, textOf } from './fields.ts';

/** @param named the host whose file contains the hook; the result unless the call shows another */
export function callerOf(
  named: HookHost,
  payload: unknown,
  env: Readonly<Record<string, string | undefined>>,
): HookHost {
  if (isFields(payload) && named === 'claude-code' && textOf(payload, 'cursor_version') !== null) return 'cursor';
  if (!isFields(payload) || (named !== 'vscode' && named !== 'copilot-cli')) return named;
  const transcript = textOf(payload, 'transcript_path', 'transcriptPath') ?? '';
  // First, because a VS Code started from the CLI may inherit its environment.
  if (/[\\/]GitHub\.copilot-chat[\\/]/i.test(transcript)) return 'vscode';
  // The CLI sets this for its hooks.
  return (env['COPILOT_HOOK_DIR'] ?? '') === '' ? named : 'copilot-cli';
}
