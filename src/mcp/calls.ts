/** Tools over MCP: listing them and calling them. */
import type { CallToolResult, ProgressNotification, Tool as McpTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { AgentSession } from '../app/workspace/session.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { catalog } from '../tools/catalog.ts';
import { errorResult, runTool } from '../tools/kit/tool.ts';
import type { Tool, ToolResult } from '../tools/kit/tool.ts';

/** Common clients time out after 60 seconds; the model must learn before that that the question still waits. */
const waitMs = 45_000;

export interface Call {
  readonly workspace: Workspace;
  readonly session: AgentSession;
  readonly signal: AbortSignal;
  /** Default: shorter than the usual client timeout. */
  readonly waitMs?: number | undefined;
  /** Takes what goes on after the result was returned. */
  readonly later?: ((work: Promise<void>) => void) | undefined;
  readonly progress: { readonly token: string | number; send(notification: ProgressNotification): void } | null;
}

export function toolNamed(name: string): Tool | undefined {
  return catalog.find((tool) => tool.name === name);
}

/** Whether a call can wait for a human. */
export function waits(tool: Tool): boolean {
  return 'wait_seconds' in tool.input.shape;
}

export function listedTools(): McpTool[] {
  return catalog.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool),
    annotations: { title: tool.title, readOnlyHint: tool.readOnly, destructiveHint: false, openWorldHint: false },
    ...(waits(tool) ? { execution: { taskSupport: 'optional' } } : {}),
  }));
}

function inputSchema(tool: Tool): McpTool['inputSchema'] {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: 'input' });
  return schema as McpTool['inputSchema'];
}

/** Never throws: the model gets internal failures as an error, and the log gets the details. */
export async function callTool(tool: Tool, input: object | undefined, call: Call): Promise<CallToolResult> {
  const { workspace, session, signal, later } = call;
  try {
    const context = {
      workspace,
      session,
      signal,
      later,
      waitMs: call.waitMs ?? waitMs,
      onTick: progressOf(tool, call.progress),
    };
    return asMcp(await runTool(tool, context, input));
  } catch (error) {
    console.error(error);
    const why = error instanceof Error ? error.message : String(error);
    return asMcp(errorResult('internal', `Holdpoint failed: ${why}. Stop, and tell your human.`));
  }
}

function asMcp({ status, text, data }: ToolResult): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    // With the text, because some clients pass nothing else to the model (Claude Code 2.1).
    structuredContent: { status, text, ...data },
    ...(status === 'error' ? { isError: true } : {}),
  };
}

/** Progress must increase with each notification, so it counts them; the message has the elapsed time for people. */
function progressOf(tool: Tool, progress: Call['progress']): ((waitedMs: number) => void) | undefined {
  if (!progress) return undefined;
  let count = 0;
  const [whom, how] =
    tool.name === 'holdpoint_await_request'
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
