/**
 * The supported hosts: programs that run an agent and call Holdpoint's hooks. Facts about them that several files need.
 */

export const hostNames = ['vscode', 'claude-code', 'copilot-cli', 'codex', 'opencode'] as const;

export type HostName = (typeof hostNames)[number];

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
}

export const hostFacts: Readonly<Record<HostName, HostFacts>> = {
  vscode: { title: 'VS Code', agentType: 'copilot', alsoCalled: ['visual-studio-code', 'visual-studio-code-insiders'] },
  'claude-code': { title: 'Claude Code', agentType: 'claude-code', alsoCalled: [] },
  'copilot-cli': {
    title: 'Copilot CLI',
    agentType: 'copilot-cli',
    alsoCalled: ['github-copilot-developer', 'github-copilot'],
  },
  codex: { title: 'Codex', agentType: 'codex', alsoCalled: [] },
  opencode: { title: 'opencode', agentType: 'opencode', alsoCalled: [] },
};

export function isHostName(name: string): name is HostName {
  return hostNames.some((known) => known === name);
}
