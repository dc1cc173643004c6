/** The MCP server of one workspace: the catalog's tools and the resources, over any transport. */
// The low-level server: the one that the SDK recommends parses input itself and throws where we return an error result.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { openAgent } from '../app/workspace/agents.ts';
import type { LiveAgent } from '../app/workspace/agents.ts';
import type { AgentSession } from '../app/workspace/session.ts';
import type { Workspace } from '../app/workspace/workspace.ts';
import { isStampedType } from '../hosts/names.ts';
import { takeStamp } from '../hosts/stamp.ts';
import { callTool, listedTools, toolNamed, waits } from './calls.ts';
import { instructions } from './instructions.ts';
import { briefingTemplate, listResources, questionTemplate, readResource, rfcTemplate } from './resources.ts';
import { openTasks } from './tasks.ts';
import { turn } from './turn.ts';

export interface ServerOptions {
  readonly workspace: Workspace;
  readonly version: string;
  /** The agent's type; defaults to the client's name. */
  readonly agentType?: string | undefined;
  /** The agent's full id (HOLDPOINT_AGENT_ID). */
  readonly agent?: string | undefined;
}

export interface RunningServer {
  connect(transport: Transport): Promise<void>;
  /** Ends all waits, answers pending calls and releases the agent's number. The workspace stays open. */
  close(): Promise<void>;
}

export function createServer({ workspace, version, agentType, agent }: ServerOptions): RunningServer {
  const tasks = openTasks();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- "only for advanced use cases": see above
  const server = new Server(
    { name: 'holdpoint', title: 'Holdpoint', version },
    {
      instructions,
      taskStore: tasks.store,
      jsonSchemaValidator: { getValidator: neverAsks },
      capabilities: {
        tools: {},
        resources: {},
        tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
      },
    },
  );
  const stopping = new AbortController();
  const calls = new Set<Promise<unknown>>();
  let live: LiveAgent | null = null;

  /** Created on the first call, when the client's name is known. */
  function session(stamped: string | null): AgentSession {
    const type = agentType ?? server.getClientVersion()?.name ?? 'mcp';
    live ??= openAgent(workspace, {
      type,
      host: 'mcp',
      session: workspace.options.newId(),
      given: agent,
    });
    if (stamped === null || !isStampedType(type)) return live.session;
    live.serves(stamped);
    return { ...live.session, actor: { ...live.session.actor, session: stamped } };
  }

  function tracked<T>(call: Promise<T>): Promise<T> {
    calls.add(call);
    const done = () => void calls.delete(call);
    call.then(done, done);
    return call;
  }

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools() }));

  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const tool = toolNamed(params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`);
    const { input, session: stamped } = takeStamp(params.arguments);
    const token = params._meta?.progressToken;
    const progress =
      token === undefined
        ? null
        : {
            token,
            send: (notification: Parameters<typeof extra.sendNotification>[0]) => {
              extra.sendNotification(notification).catch(() => undefined); // the client has gone: the call ends by itself
            },
          };
    const start = (signal: AbortSignal, waitMs?: number) =>
      tracked(
        callTool(tool, input, {
          workspace,
          session: session(stamped),
          signal: AbortSignal.any([signal, stopping.signal]),
          waitMs,
          progress,
          later(work) {
            void tracked(work.catch(console.error));
          },
        }),
      );
    if (params.task === undefined || !extra.taskStore) return start(extra.signal);
    if (!waits(tool)) throw new McpError(ErrorCode.MethodNotFound, `${tool.name} does not run as a task`);
    return tasks.start(extra.taskStore, params.task.ttl, (signal) => start(signal, Infinity));
  });

  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: listResources(workspace) }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [questionTemplate, rfcTemplate, briefingTemplate],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => ({
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(await resource(uri), null, 2) }],
  }));

  async function resource(uri: string): Promise<object> {
    const found = await readResource(workspace, uri);
    if (found) return found;
    // -32002: "Resource not found" (MCP specification, "Resources", error handling).
    throw new McpError(-32002, `There is no resource ${uri}`);
  }

  return {
    connect: (transport) => server.connect(transport),
    async close() {
      stopping.abort();
      // A call may leave work behind.
      while (calls.size > 0) await Promise.allSettled(calls);
      await turn();
      live?.release();
      live = null;
    },
  };
}

/** Software can answer elicitations, so Holdpoint never uses them, and their validator is not bundled. */
function neverAsks(): never {
  throw new Error('Holdpoint asks humans in the editor, not through clients');
}
