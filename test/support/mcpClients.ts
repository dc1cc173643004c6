/** The official MCP clients, of both eras of the protocol, behind one interface. */
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { resultOf, type Result } from './mcp.ts';

/** A program over standard input and output, or an address over HTTP. */
export type Server =
  | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> }
  | { readonly url: URL; readonly token: string };

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number; readonly message?: string | undefined }) => void;
}

export interface AnyClient {
  /** The version of the protocol that both sides speak. */
  readonly version: string | undefined;
  readonly instructions: string | undefined;
  tools(): Promise<string[]>;
  resources(): Promise<string[]>;
  read(uri: string): Promise<string>;
  call(name: string, input: object, options?: CallOptions): Promise<Result>;
  close(): Promise<void>;
}

/** What a person does with a link that the client is asked to open. */
export type Opens = (shown: {
  readonly message: string;
  readonly url: string;
}) => 'accept' | 'decline' | 'cancel' | null;

/** @param opens if omitted, the client cannot open links; null leaves it open */
export type Connect = (server: Server, opens?: Opens) => Promise<AnyClient>;

const able = (opens: Opens | undefined) => (opens ? { elicitation: { url: {} } } : {});

async function opened(opens: Opens, params: object): Promise<{ action: 'accept' | 'decline' | 'cancel' }> {
  const action = opens(params as Parameters<Opens>[0]);
  return action === null ? new Promise(() => undefined) : { action };
}

const info = { name: 'codex-mcp-client', version: '1.0.0' };
const headersOf = (token: string) => ({ requestInit: { headers: { authorization: token } } });

const connectOld: Connect = async (server, opens) => {
  const client = new OldClient(info, { capabilities: able(opens) });
  if (opens) client.setRequestHandler(ElicitRequestSchema, ({ params }) => opened(opens, params));
  let version: string | undefined;
  const transport = 'url' in server ? new OldHttp(server.url, headersOf(server.token)) : new OldStdio(server);
  const seen = Object.assign(transport, { setProtocolVersion: (chosen: string) => (version = chosen) });
  await client.connect(seen);
  return {
    version,
    instructions: client.getInstructions(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async (uri) => textOf((await client.readResource({ uri })).contents),
    call: async (name, input, options = {}) =>
      resultOf(
        (await client.callTool({ name, arguments: { ...input } }, CallToolResultSchema, options)) as CallToolResult,
      ),
    close: () => client.close(),
  };
};

const connectNew =
  (version: '2026-07-28' | 'older'): Connect =>
  async (server, opens) => {
    const mode = version === 'older' ? ('legacy' as const) : { pin: version };
    const client = new NewClient(info, { capabilities: able(opens), versionNegotiation: { mode } });
    if (opens) client.setRequestHandler('elicitation/create', ({ params }) => opened(opens, params));
    await client.connect('url' in server ? new NewHttp(server.url, headersOf(server.token)) : new NewStdio(server));
    return {
      version: client.getNegotiatedProtocolVersion(),
      instructions: client.getInstructions(),
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
      read: async (uri) => textOf((await client.readResource({ uri })).contents),
      call: async (name, input, options = {}) =>
        resultOf((await client.callTool({ name, arguments: { ...input } }, options)) as CallToolResult),
      close: () => client.close(),
    };
  };

function textOf([content]: readonly object[]): string {
  return content && 'text' in content ? String(content.text) : '';
}

export const officialClients: readonly (readonly [name: string, version: string, connect: Connect])[] = [
  ['@modelcontextprotocol/sdk', '2025-11-25', connectOld],
  ['@modelcontextprotocol/client as before', '2025-11-25', connectNew('older')],
  ['@modelcontextprotocol/client', '2026-07-28', connectNew('2026-07-28')],
];
