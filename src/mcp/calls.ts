/** Tools over MCP: listing them and calling them. */
import type { CallToolResult, ProgressNotification, Tool as McpTool } from '@modelcontextprotocol/server';
import type { AgentSession } from '../app/workspace/session.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { inputSchema, runAgentTool, type AgentTool } from '../tools/agent/tool.ts';
import type { Shown } from '../tools/agent/shown.ts';
import { catalog } from '../tools/catalog.ts';
import { errorResult, type ToolResult } from '../tools/kit/operation.ts';

/** Common clients time out after 60 seconds; the model must learn before that that the question still waits. */
const waitMs = 45_000;

export interface Call {
  readonly workspace: Workspace;
  readonly session: AgentSession;
  readonly signal: AbortSignal;
  /** Takes work that continues after the result was returned. */
  readonly later?: ((work: Promise<void>) => void) | undefined;
  readonly lastLines?: ((result: ToolResult) => string) | undefined;
  /** Called while the call waits. */
  readonly onWait?: (() => void) | undefined;
  readonly progress: { readonly token: string | number; send(notification: ProgressNotification): void } | null;
}

export function toolNamed(name: string): AgentTool | undefined {
  return catalog.find((tool) => tool.name === name);
}

export const toolNames = catalog.map(({ name }) => name).join(', ');

export function listedTools(shown: ReadonlySet<Shown>): McpTool[] {
  return catalog
    .filter((tool) => shown.has(tool.shown))
    .map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchema(tool) as McpTool['inputSchema'],
      annotations: { readOnlyHint: tool.readOnly, destructiveHint: false, openWorldHint: false },
    }));
}

/** Never throws: the model gets internal failures as an error, and the log gets the details. */
export async function callTool(tool: AgentTool, input: object | undefined, call: Call): Promise<CallToolResult> {
  const { workspace, session, signal, later } = call;
  const report = progressOf(awaitsRequest(input), call.progress);
  try {
    const context = {
      workspace,
      session,
      signal,
      later,
      waitMs,
      onTick(waitedMs: number) {
        report?.(waitedMs);
        call.onWait?.();
      },
    };
    return asMcp(await runAgentTool(tool, context, input, call.lastLines));
  } catch (error) {
    console.error(error);
    const why = error instanceof Error ? error.message : String(error);
    return asMcp(errorResult('internal', `Holdpoint failed: ${why}. Stop, and tell your human.`));
  }
}

/**
 * Data for programs, in `_meta` of a result, whole even where the text is cut. Not as structured content: Claude Code 2.1
 * and Codex 0.169 give that to their models instead of the text, and Copilot CLI 1.0 with it.
 */
export const dataKey = 'holdpoint/data';

function asMcp({ status, text, data }: ToolResult): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    _meta: { [dataKey]: { status, ...data } },
    ...(status === 'error' ? { isError: true } : {}),
  };
}

function awaitsRequest(input: object | undefined): boolean {
  return input !== undefined && 'id' in input && /^R-\d/.test(String(input.id));
}

/** Progress must increase with each notification, so it counts them; the message has the elapsed time for people. */
function progressOf(isRequest: boolean, progress: Call['progress']): ((waitedMs: number) => void) | undefined {
  if (!progress) return undefined;
  let count = 0;
  const [whom, how] = isRequest
    ? ['the other responsibility', 'a later result also brings the outcome']
    : ['a human', 'humans answer in the editor or a browser'];
  return (waitedMs) => {
    const seconds = Math.round(waitedMs / 1000);
    progress.send({
      method: 'notifications/progress',
      params: {
        progressToken: progress.token,
        progress: ++count,
        message: `Waiting for ${whom}${seconds > 0 ? ` (${String(seconds)} s)` : ''}: ${how}`,
      },
    });
  };
}
