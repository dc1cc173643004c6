/**
 * Agent mode of VS Code. Sources: payloads of VS Code 1.139.1 (test/fixtures/hooks/vscode), the Copilot extension it
 * ships, and its hooks reference.
 */
import type { Adapter } from './adapter.ts';
import { copilotEvents, printCopilot, unnamedCopilotEvent } from './copilotEvents.ts';
import { copilotTools } from './copilotTools.ts';

export const vscode: Adapter = {
  host: 'vscode',
  events: copilotEvents,
  unnamedEvent: unnamedCopilotEvent,
  tools: copilotTools,
  questionTools: ['vscode_askQuestions', 'ask_user'],
  isServerTool: (name) => name.startsWith('mcp_'),
  // Long server names are truncated. If two then start alike, the second gets a number; we never match that one.
  serverToolName: (server, tool) =>
    `mcp_${server.toLowerCase().slice(0, 13)}_${tool.replaceAll('.', '_')}`.slice(0, 64),
  print: printCopilot,
};
