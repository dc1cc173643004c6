/** The supported hosts, and which of them makes a call. */
import { hostNames } from '../core/kit/limits.ts';
import { antigravity } from './antigravity.ts';
import type { Printed } from './call.ts';
import { claudeCode } from './claudeCode.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilotCli.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './geminiCli.ts';
import type { Adapter, Denial, HookHost, Host, HostName } from './host.ts';
import { kiro } from './kiro.ts';
import { opencode } from './opencode.ts';
import { isFields, textOf } from './payload/toolKinds.ts';
import { fromForm, genericDenial, genericForm } from './payload/form.ts';
import { denialJson, printCopilot } from './payload/print.ts';
import { qwenCode } from './qwenCode.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';

export const hosts: Readonly<Record<HostName, Host>> = {
  vscode,
  'claude-code': claudeCode,
  'copilot-cli': copilotCli,
  codex,
  opencode,
  'gemini-cli': geminiCli,
  cursor,
  windsurf,
  kiro,
  antigravity,
  'qwen-code': qwenCode,
};

export function isHookHost(name: string): name is HookHost {
  return name === 'generic' || hostNames.some((known) => known === name);
}

/** Whether programs of this agent type get stamped calls: a stamp from any other host was not added by a hook. */
export function isStampedType(type: string): boolean {
  return Object.values(hosts).some(
    ({ agentType, alsoCalled, stampsCalls }) => stampsCalls && [agentType, ...alsoCalled].includes(type),
  );
}

/**
 * @param form the description of a generic host, as JSON
 * @throws UnreadableCall for a description that is not valid
 */
export function adapterFor(host: HookHost, form: string | undefined): Adapter {
  if (host !== 'generic') return hosts[host];
  return fromForm({ host, title: 'Another host', agentType: host }, genericForm(form));
}

/**
 * Detects which host runs a hook. VS Code and Copilot CLI both run every file of `.github/hooks`, and no field limits a
 * command to one of them: both accept `linux`, `osx` and `windows`, then `bash` and `powershell`, then `command`, and
 * both spellings of the events (VS Code 1.139.1, Copilot CLI 1.0.102). Cursor also runs the hooks of Claude Code's
 * settings, with its own payloads. So the call itself must identify its host.
 *
 * @param named the host whose file contains the hook; the result unless the call shows another
 */
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

const remedy =
  'Stop, and ask your human to open the Holdpoint view in VS Code, and to run "Holdpoint: Set Up Agents…".';

/**
 * Denies because the gate could not be asked: the reason on one line, and the remedy.
 *
 * @param form the description of a generic host
 * @param todo what to do; default: the human's remedy
 */
export function failure(why: string, host?: HookHost, form?: string, todo = remedy): Printed {
  const line = why
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 600)
    .replace(/[.!]?$/, '.');
  const err = `Holdpoint denies this because it could not check for holds: ${line} ${todo}`;
  // Copilot CLI does not show standard error to its model.
  if (host === 'copilot-cli')
    return { exit: 2, out: JSON.stringify(printCopilot({ kind: 'deny', reason: err }, { eventName: '' })), err };
  const denial: Denial | undefined = host === 'generic' ? genericDenial(form) : host && hosts[host].deny;
  return { exit: denial?.exit ?? 2, out: denial ? JSON.stringify(denialJson(denial, err)) : '', err };
}
