/** The supported hosts: programs that run an agent and call Holdpoint's hooks. */
export const hostNames = [
  'vscode',
  'claude-code',
  'copilot-cli',
  'codex',
  'opencode',
  'gemini-cli',
  'cursor',
  'windsurf',
  'kiro',
  'antigravity',
  'qwen-code',
] as const;
