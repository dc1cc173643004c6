/** Which host makes a call. Its own object is loaded, and no other's. */
import { hostNames } from '../core/kit/limits.ts';
import type { Printed } from './call.ts';
import type { Adapter, Denial, HookHost, HostName } from './host.ts';
import { denialJson } from './payload/print.ts';
import { isFields, textOf } from './payload/toolKinds.ts';

const adapters: Readonly<Record<HostName, () => Promise<Adapter>>> = {
  vscode: async () => (await import('./vscode.ts')).vscode,
  'claude-code': async () => (await import('./claudeCode.ts')).claudeCode,
  'copilot-cli': async () => (await import('./copilotCli.ts')).copilotCli,
  codex: async () => (await import('./codex.ts')).codex,
  opencode: async () => (await import('./opencode.ts')).opencode,
  'gemini-cli': async () => (await import('./geminiCli.ts')).geminiCli,
  cursor: async () => (await import('./cursor.ts')).cursor,
  windsurf: async () => (await import('./windsurf.ts')).windsurf,
  kiro: async () => (await import('./kiro.ts')).kiro,
  antigravity: async () => (await import('./antigravity.ts')).antigravity,
  'qwen-code': async () => (await import('./qwenCode.ts')).qwenCode,
};

export function isHookHost(name: string): name is HookHost {
  return name === 'generic' || hostNames.some((known) => known === name);
}

/**
 * @param form the description of a generic host, as JSON
 * @throws UnreadableCall for a description that is not valid
 */
export async function adapterFor(host: HookHost, form: string | undefined): Promise<Adapter> {
  if (host !== 'generic') return adapters[host]();
  const { fromForm, genericForm } = await import('./payload/form.ts');
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
 * Denies because the gate could not be asked: the reason on one line, and the remedy. Never rejects: without the host's
 * object, exit code 2 and standard error deny.
 *
 * @param form the description of a generic host
 */
export async function failure(why: string, host?: HookHost, form?: string): Promise<Printed> {
  const line = why
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 600)
    .replace(/[.!]?$/, '.');
  const err = `Holdpoint denies this because it could not check for holds: ${line} ${remedy}`;
  const denial = host && (await denialOf(host, form).catch(() => undefined));
  return { exit: denial?.exit ?? 2, out: denial ? JSON.stringify(denialJson(denial, err)) : '', err };
}

async function denialOf(host: HookHost, form: string | undefined): Promise<Denial | undefined> {
  if (host !== 'generic') return (await adapters[host]()).deny;
  return (await import('./payload/form.ts')).genericDenial(form);
}
