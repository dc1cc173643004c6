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
  /** It passes the session id that its hook adds to the input of Holdpoint's own tools (stamp.ts). */
  readonly stampsCalls: boolean;
}

export const hostFacts: Readonly<Record<HostName, HostFacts>> = {
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
};

export function isHostName(name: string): name is HostName {
  return hostNames.some((known) => known === name);
}

/** Whether programs of this agent type get stamped calls: a stamp from any other host was not added by a hook. */
export function isStampedType(type: string): boolean {
  return Object.values(hostFacts).some(
    ({ agentType, alsoCalled, stampsCalls }) => stampsCalls && [agentType, ...alsoCalled].includes(type),
  );
}
