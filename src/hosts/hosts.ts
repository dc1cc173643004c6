/** The supported hosts. */
import { antigravity } from './antigravity.ts';
import { claudeCode } from './claudeCode.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilotCli.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './geminiCli.ts';
import type { Host, HostName } from './host.ts';
import { kiro } from './kiro.ts';
import { opencode } from './opencode.ts';
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

/** Whether programs of this agent type get stamped calls: a stamp from any other host was not added by a hook. */
export function isStampedType(type: string): boolean {
  return Object.values(hosts).some(
    ({ agentType, alsoCalled, stampsCalls }) => stampsCalls && [agentType, ...alsoCalled].includes(type),
  );
}
