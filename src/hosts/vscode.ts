/**
 * Agent mode of VS Code. Sources: payloads of VS Code 1.139.1 (test/fixtures/hooks/vscode), the Copilot extension it
 * ships, and its hooks reference.
 */
import { hookTimeout, postToolUse, type Host } from './host.ts';
import { copilot, copilotHooks, hookFile } from './copilotCli.ts';
import { printCopilot } from './payload/print.ts';

export const vscode: Host = {
  host: 'vscode',
  title: 'VS Code',
  agentType: 'copilot',
  alsoCalled: ['visual-studio-code', 'visual-studio-code-insiders'],
  ...copilot,
  isServerTool: (name) => name.startsWith('mcp_'),
  // Long server names are truncated. If two then start alike, the second gets a number; we never match that one.
  serverToolName: (server, tool) =>
    `mcp_${server.toLowerCase().slice(0, 13)}_${tool.replaceAll('.', '_')}`.slice(0, 64),
  print: printCopilot,
  levels: [
    {
      name: 'VS Code (local agent)',
      level: 'enforced',
      stopped: 'every tool, of subagents and MCP servers too',
      open: 'everything while `chat.useHooks` is off (shown as broken). All chats of a window are one agent',
      testedWith: 'the real agent mode of VS Code 1.139.1 with a scripted model',
      tests: 'e2e/hooksAgentMode e2e/agentModeSubagents',
    },
    {
      name: 'VS Code (Copilot agent of the Agent Host)',
      level: 'enforced',
      stopped: 'every tool, of subagents and MCP servers too',
      open: 'sessions in their own worktree, until you set that folder up too. Sessions get no briefing',
      testedWith:
        'the real Agent Host with a simulated Copilot service, and `@github/copilot-sdk` 1.0.14; not yet with a real account',
      tests: 'e2e/agentHost hosts/copilotSdk',
    },
  ],
  setup: {
    signs: {
      workspace: ['.vscode', '.github/copilot-instructions.md'],
      home: ['.vscode', '.vscode-server'],
      program: 'code',
    },
    files: (to) => {
      const system = to.platform === 'win32' ? 'windows' : to.platform === 'darwin' ? 'osx' : 'linux';
      const hook = (denying: boolean, after = false) => [
        {
          type: 'command',
          [system]: to.hook({ denying, after }),
          ...{ bash: 'exit 0', powershell: 'exit 0', timeout: hookTimeout },
        },
      ];
      const others = { windows: 'exit 0', osx: 'exit 0', linux: 'exit 0' };
      return [
        {
          file: ['.github', 'hooks', 'holdpoint.json'],
          whole: hookFile({
            PreToolUse: hook(true),
            ...{ SessionStart: hook(false), UserPromptSubmit: hook(false), Stop: hook(false) },
            PostToolUse: hook(false, true),
          }),
        },
        // For the Copilot agent of the Agent Host, which prefers the fields that the local agent does not use. Without
        // the events of starts and prompts: Copilot CLI runs this file next to its own, and would read each briefing
        // twice. What a stop says is said once, whichever file runs first.
        {
          file: ['.github', 'hooks', 'holdpoint-agent-host.json'],
          whole: copilotHooks(to, 'preToolUse postToolUse agentStop', others),
        },
      ];
    },
    canary: (file) => ({
      edit: ['replace_string_in_file', { filePath: file, oldString: 'a', newString: 'b' }],
      read: ['read_file', { filePath: file, startLine: 1, endLine: 1 }],
    }),
    called: postToolUse,
  },
};
