/**
 * A host as data: where its JSON has the tool, and what its tools do. Enough for every host that runs a command before a
 * tool and obeys its exit code or its output (docs/dev/recipes.md, "An agent host").
 */
import { UnreadableCall } from '../call.ts';
import type { HookHost } from '../names.ts';
import type { Adapter } from './adapter.ts';
import { denialJson } from './denial.ts';
import type { Denial } from './denial.ts';
import { isFields, textOf, toolNamePart } from './fields.ts';
import type { Fields } from './fields.ts';
import { edits, powershell, reads, shell } from './toolKinds.ts';
import type { ToolKind, ToolTable } from './toolKinds.ts';

/** Names of fields may be paths: `tool_info.cwd`, `folders.0`. Tools that are not listed may change anything. */
export interface HostForm {
  /** Where the host names its event: any other than this one is refused. */
  readonly event?: { readonly field: string; readonly before: string };
  readonly tool: string;
  readonly input: string;
  readonly session?: string;
  /** The folder of relative paths: the first of these fields that is set. */
  readonly cwd?: readonly string[];
  readonly reads?: readonly string[];
  /** By tool: the fields of its input that name files. */
  readonly edits?: Readonly<Record<string, readonly string[]>>;
  /** By tool: the field of its input that is a command for a shell. */
  readonly shells?: Readonly<Record<string, string>>;
  /** How tools of MCP servers are named: prefix, server, separator, tool. */
  readonly servers?: { readonly prefix: string; readonly separator: string };
  /** One tool for all MCP servers, whose input names the server, the tool and the tool's input. */
  readonly serverCall?: {
    readonly tool: string;
    readonly server: string;
    readonly name: string;
    readonly input: string;
  };
  /** In addition to the reason on standard error and exit code 2. */
  readonly deny?: Denial;
}

const claudeStyle = { prefix: 'mcp__', separator: '__' };

export function adapterOf(host: HookHost, form: HostForm): Adapter {
  const { prefix, separator } = form.servers ?? claudeStyle;
  return {
    host,
    events: { PreToolUse: 'tool' },
    tools: toolsOf(form),
    commonForm: (payload) => commonForm(payload, form),
    isServerTool: (name) => name.startsWith(prefix),
    serverToolName: (server, tool) => `${prefix}${toolNamePart(server)}${separator}${toolNamePart(tool)}`,
    print: (answer) => (answer.kind === 'deny' && form.deny ? denialJson(form.deny, answer.reason) : null),
    ...(form.deny ? { denialExit: form.deny.exit } : {}),
  };
}

function toolsOf({ reads: reading = [], edits: editing = {}, shells = {} }: HostForm): ToolTable {
  const kinds: readonly (readonly [string, ToolKind])[] = [
    ...reading.map((name) => [name, reads] as const),
    ...Object.entries(editing).map(([name, fields]) => [name, edits(...fields)] as const),
    ...Object.entries(shells).map(([name, field]) => [name, shellOf(name, field)] as const),
  ];
  return Object.fromEntries(kinds);
}

function shellOf(name: string, field: string): ToolKind {
  const kind = /pwsh|powershell/i.test(name) ? powershell : shell;
  return { ...kind, kind: 'shell', command: (input) => textOf(input, field) };
}

/** The fields that `readCall` reads, from this host's. */
function commonForm(payload: Fields, form: HostForm): Fields {
  const { event, serverCall } = form;
  const said = event ? at(payload, event.field) : event;
  if (event && (typeof said !== 'string' || said.toLowerCase() !== event.before.toLowerCase()))
    throw new UnreadableCall(`the event "${String(said).slice(0, 80)}" is not ${event.before}`);
  const tool = at(payload, form.tool);
  const input = at(payload, form.input);
  const cwd = (form.cwd ?? []).map((field) => at(payload, field)).find((value) => value !== undefined);
  const isServerCall = serverCall !== undefined && tool === serverCall.tool;
  return {
    ...Object.fromEntries(versionFields.map((field) => [field, payload[field]])),
    hook_event_name: 'PreToolUse',
    session_id: form.session === undefined ? undefined : at(payload, form.session),
    cwd,
    tool_name: isServerCall ? serverToolOf(input, form) : tool,
    tool_input: isServerCall && isFields(input) ? at(input, serverCall.input) : input,
  };
}

const versionFields = ['v', 'hook_version', 'hookVersion', 'schema_version'];

function serverToolOf(input: unknown, { serverCall, servers = claudeStyle }: HostForm): string {
  const [server, name] = [serverCall?.server, serverCall?.name].map((field) =>
    isFields(input) && field !== undefined ? at(input, field) : undefined,
  );
  if (typeof server !== 'string' || typeof name !== 'string')
    throw new UnreadableCall('the host did not say which tool of which MCP server this is');
  return `${servers.prefix}${toolNamePart(server)}${servers.separator}${toolNamePart(name)}`;
}

/** The value at a path such as `tool_info.cwd` or `folders.0`. */
function at(payload: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return (value as readonly unknown[])[Number(key)];
    return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, payload);
}
