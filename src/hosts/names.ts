/** The hosts whose hooks ask Holdpoint: each is a program that runs an agent. Facts about them that several files need. */

export const hostNames = ['vscode', 'claude-code', 'copilot-cli', 'codex', 'opencode'] as const;

export type HostName = (typeof hostNames)[number];

export interface HostFacts {
  /** As people call it. */
  readonly title: string;
  /**
   * The agent's type in its id (`claude-code-001`). The MCP server takes it from `--agent-type`, which setup writes, or
   * from the client's name; the hook from here: so both speak for the same agent.
   */
  readonly agentType: string;
}

export const hostFacts: Readonly<Record<HostName, HostFacts>> = {
  vscode: { title: 'VS Code', agentType: 'copilot' },
  'claude-code': { title: 'Claude Code', agentType: 'claude-code' },
  'copilot-cli': { title: 'Copilot CLI', agentType: 'copilot-cli' },
  codex: { title: 'Codex', agentType: 'codex' },
  opencode: { title: 'opencode', agentType: 'opencode' },
};

export function isHostName(name: string): name is HostName {
  return hostNames.some((known) => known === name);
}
