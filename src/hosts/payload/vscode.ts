/** Agent mode of VS Code. Sources: payloads recorded from VS Code 1.139.1 (test/fixtures/hooks/vscode), its hooks reference. */
import type { Adapter } from './adapter.ts';
import { copilotEvents, printCopilot, unnamedCopilotEvent } from './copilotEvents.ts';
import { copilotTools } from './copilotTools.ts';

export const vscode: Adapter = {
  host: 'vscode',
  events: copilotEvents,
  unnamedEvent: unnamedCopilotEvent,
  tools: copilotTools,
  isServerTool: (name) => name.startsWith('mcp_'),
  print: printCopilot,
};
