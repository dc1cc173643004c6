/**
 * GitHub Copilot CLI. Sources: payloads recorded from version 1.0.102 (test/fixtures/hooks/copilot-cli), and
 * docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference.
 */
import type { Adapter } from './adapter.ts';
import { copilotEvents, printCopilot, unnamedCopilotEvent } from './copilotEvents.ts';
import { copilotTools } from './copilotTools.ts';
import { toolNamePart } from './fields.ts';

export const copilotCli: Adapter = {
  host: 'copilot-cli',
  events: copilotEvents,
  unnamedEvent: unnamedCopilotEvent,
  tools: copilotTools,
  questionTools: ['vscode_askQuestions', 'ask_user'],
  // MCP tools are named `server-tool`; built-in tools have no hyphen.
  isServerTool: (name) => name.includes('-') || name.startsWith('mcp_'),
  serverToolName: (server, tool) => `${toolNamePart(server)}-${toolNamePart(tool)}`,
  // In the other form, with exit code 2, its model does not receive the reason.
  print: (answer) => printCopilot(answer, { eventName: '' }),
};
