/** Agent mode of VS Code. Sources: what VS Code 1.139.1 sends (test/fixtures/hooks/vscode), the Copilot extension it ships, its hooks reference. */
import type { Adapter } from './adapter.ts';
import { copilotEvents, printCopilot, unnamedCopilotEvent } from './copilotEvents.ts';
import { copilotTools } from './copilotTools.ts';

export const vscode: Adapter = {
  host: 'vscode',
  events: copilotEvents,
  unnamedEvent: unnamedCopilotEvent,
  tools: copilotTools,
  isServerTool: (name) => name.startsWith('mcp_'),
  // The name of a server is cut; the second of the same beginning gets a number, and is not meant.
  serverToolName: (server, tool) =>
    `mcp_${server.toLowerCase().slice(0, 13)}_${tool.replaceAll('.', '_')}`.slice(0, 64),
  print: printCopilot,
};
