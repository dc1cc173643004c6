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
  /** Types under which its programs register where `--agent-type` is missing: after the names of their MCP clients. */
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
