/** Facts about the supported hosts that several files need. */
import { hostNames } from '../core/kit/hostNames.ts';

export type HostName = (typeof hostNames)[number];

/** Any other host calls the hook as `generic`, and describes itself (payload/form.ts). */
export type HookHost = HostName | 'generic';

export interface HostFacts {
  /** Display name. */
  readonly title: string;
  /**
   * The agent type in the agent's id (`claude-code-001`). The hook uses this value; the MCP server takes it from
   * `--agent-type`, which setup writes, or from the client's name. So both act for the same agent.
   */
  readonly agentType: string;
  /** Types that its MCP clients register under where `--agent-type` is missing, from their client names. */
  readonly alsoCalled: readonly string[];
  /** It passes the session id that its hook adds to the input of Holdpoint's own tools (stamp.ts). */
  readonly stampsCalls: boolean;
}

export const hostFacts: Readonly<Record<HookHost, HostFacts>> = {
  vscode: {
    title: 'VS Code',
    agentType: 'copilot',
    alsoCalled: ['visual-studio-code', 'visual-studio-code-insiders'],
    stampsCalls: false,
  },
  'claude-code': { title: 'Claude Code', agentType: 'claude-code', alsoCalled: [], stampsCalls: true },
  'copilot-cli': {
    title: 'Copilot CLI',
    agentType: 'copilot-cli',
    alsoCalled: ['github-copilot-developer', 'github-copilot'],
    stampsCalls: false,
  },
  codex: { title: 'Codex', agentType: 'codex', alsoCalled: [], stampsCalls: false },
  opencode: { title: 'opencode', agentType: 'opencode', alsoCalled: [], stampsCalls: false },
  'gemini-cli': {
    title: 'Gemini CLI',
    agentType: 'gemini-cli',
    alsoCalled: ['gemini-cli-mcp-client'],
    stampsCalls: false,
  },
  cursor: { title: 'Cursor', agentType: 'cursor', alsoCalled: [], stampsCalls: false },
  windsurf: { title: 'Windsurf', agentType: 'windsurf', alsoCalled: [], stampsCalls: false },
  kiro: { title: 'Kiro', agentType: 'kiro', alsoCalled: [], stampsCalls: false },
  antigravity: { title: 'Antigravity', agentType: 'antigravity', alsoCalled: [], stampsCalls: false },
  generic: { title: 'Another host', agentType: 'generic', alsoCalled: [], stampsCalls: false },
};

export function isHookHost(name: string): name is HookHost {
  return name === 'generic' || hostNames.some((known) => known === name);
}

/** Whether programs of this agent type get stamped calls: a stamp from any other host was not added by a hook. */
export function isStampedType(type: string): boolean {
  return Object.values(hostFacts).some(
    ({ agentType, alsoCalled, stampsCalls }) => stampsCalls && [agentType, ...alsoCalled].includes(type),
  );
}
