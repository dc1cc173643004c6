/**
 * A host as data: where its JSON has the tool, and what its tools do. Enough for every host that runs a command before a
 * tool and obeys its exit code or its output (docs/dev/recipes.md, "An agent host").
 */
import { isListOf, isMap, jsonOrNull, type Check } from '../../core/kit/quickChecks.ts';
import { UnreadableCall } from '../call.ts';
import { canarySession, type Adapter, type CanaryTool, type Denial, type HostForm, type HostSetup } from '../host.ts';
import {
  isFields,
  textOf,
  toolNamePart,
  edits,
  powershell,
  reads,
  shell,
  type Fields,
  type ToolKind,
  type ToolTable,
} from './toolKinds.ts';
import { denialJson } from './print.ts';

const claudeStyle = { prefix: 'mcp__', separator: '__' };

export function fromForm(
  facts: Pick<Adapter, 'host' | 'title' | 'agentType'>,
  form: HostForm,
): Adapter & Required<Pick<Adapter, 'commonForm'>> {
  const { prefix, separator } = form.servers ?? claudeStyle;
  return {
    ...facts,
    alsoCalled: [],
    stampsCalls: false,
    events: { PreToolUse: 'tool' },
    tools: toolsOf(form),
    commonForm: (payload) => commonForm(payload, form),
    isServerTool: (name) => name.startsWith(prefix),
    serverToolName: (server, tool) => `${prefix}${toolNamePart(server)}${separator}${toolNamePart(tool)}`,
    print: (answer) => (answer.kind === 'deny' && form.deny ? denialJson(form.deny, answer.reason) : null),
    ...(form.deny ? { deny: form.deny } : {}),
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
  const said = event ? valueAt(payload, event.field) : event;
  if (event && (typeof said !== 'string' || said.toLowerCase() !== event.before.toLowerCase()))
    throw new UnreadableCall(`the event "${typeof said === 'string' ? said.slice(0, 80) : ''}" is not ${event.before}`);
  const tool = valueAt(payload, form.tool);
  const input = valueAt(payload, form.input);
  const cwd = (form.cwd ?? []).map((field) => valueAt(payload, field)).find((value) => value !== undefined);
  const isServerCall = serverCall !== undefined && tool === serverCall.tool;
  return {
    ...Object.fromEntries(versionFields.map((field) => [field, payload[field]])),
    hook_event_name: 'PreToolUse',
    session_id: form.session === undefined ? undefined : valueAt(payload, form.session),
    cwd,
    tool_name: isServerCall ? serverToolOf(input, form) : tool,
    tool_input: isServerCall && isFields(input) ? valueAt(input, serverCall.input) : input,
  };
}

const versionFields = ['v', 'hook_version', 'hookVersion', 'schema_version'];

function serverToolOf(input: unknown, { serverCall, servers = claudeStyle }: HostForm): string {
  const [server, name] = [serverCall?.server, serverCall?.name].map((field) =>
    isFields(input) && field !== undefined ? valueAt(input, field) : undefined,
  );
  if (typeof server !== 'string' || typeof name !== 'string')
    throw new UnreadableCall('the host did not say which tool of which MCP server this is');
  return `${servers.prefix}${toolNamePart(server)}${servers.separator}${toolNamePart(name)}`;
}

/** The value at a path such as `tool_info.cwd` or `folders.0`. */
function valueAt(payload: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return (value as readonly unknown[])[Number(key)];
    return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, payload);
}

export interface CommonCall {
  readonly event?: unknown;
  readonly session?: unknown;
  readonly cwd?: unknown;
  readonly tool?: unknown;
  readonly input?: unknown;
}

/** The call as the host would send it; fields that are undefined are left out. */
export function formCall(form: HostForm, call: CommonCall): Fields {
  const { event, session, cwd = [] } = form;
  const values: readonly (readonly [string | undefined, unknown])[] = [
    [event?.field, call.event ?? event?.before],
    [form.tool, call.tool],
    [form.input, call.input],
    [session, call.session],
    [cwd[0], call.cwd],
  ];
  return values.reduce<Fields>(
    (payload, [path, value]) =>
      path === undefined || value === undefined ? payload : (withValue(payload, path.split('.'), value) as Fields),
    {},
  );
}

function withValue(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return isFields(target) && isFields(value) ? { ...target, ...value } : value;
  if (/^\d+$/.test(key)) return [withValue(undefined, rest, value)];
  const fields = isFields(target) ? target : {};
  return { ...fields, [key]: withValue(fields[key], rest, value) };
}

/** The canary of a host that is data. None of their programs could be run for this. */
export function withForm(form: HostForm, title: string): Pick<HostSetup, 'form' | 'canary' | 'call' | 'wayAround'> {
  return {
    form,
    canary: (file) => formCanary(form, file),
    call: ([tool, input], folder) => formCall(form, { session: canarySession, cwd: folder, tool, input }),
    wayAround: () => ({ code: 'notProven', about: title }),
  };
}

/** @throws UnreadableCall for a form that names no tool of the kinds that the canary calls */
export function formCanary(form: HostForm, file: string): ReturnType<HostSetup['canary']> {
  const [editing, fields = []] = Object.entries(form.edits ?? {})[0] ?? [];
  const [shellTool, command] = Object.entries(form.shells ?? {})[0] ?? [];
  const [reading] = form.reads ?? [];
  const runs = (line: string): CanaryTool | null =>
    shellTool !== undefined && command !== undefined ? [shellTool, { [command]: line }] : null;
  const edit: CanaryTool | null =
    editing !== undefined && fields[0] !== undefined ? [editing, { [fields[0]]: file }] : runs('rm held.txt');
  const read: CanaryTool | null = reading !== undefined ? [reading, {}] : runs('cat held.txt');
  if (!edit || !read)
    throw new UnreadableCall('the description of the host needs a tool that edits or a shell, and a tool that reads');
  return { edit, read };
}

const isText: Check = (value) => typeof value === 'string' && value !== '';
const isTexts: Check = (value) => isListOf(value, isText);
const isRecordOf =
  (check: Check): Check =>
  (value) =>
    isFields(value) && Object.values(value).every(check);
const textsAt = (...names: readonly string[]) => isMap(Object.fromEntries(names.map((name) => [name, isText])));
const isDenial = isMap({
  exit: (value) => value === 0 || value === 2,
  json: (value) =>
    isRecordOf((part) => ['string', 'boolean', 'number'].includes(typeof part))(value) &&
    Object.values(value as Fields).some((part) => typeof part === 'string' && part.includes('$reason')),
});

const checks: Readonly<Record<keyof HostForm, Check>> = {
  event: textsAt('field', 'before'),
  tool: isText,
  input: isText,
  session: isText,
  cwd: isTexts,
  reads: isTexts,
  edits: isRecordOf(isTexts),
  shells: isRecordOf(isText),
  servers: textsAt('prefix', 'separator'),
  serverCall: textsAt('tool', 'server', 'name', 'input'),
  deny: isDenial,
};

/** @throws UnreadableCall with the reason */
export function genericForm(json: string | undefined): HostForm {
  const form = jsonOrNull(json ?? '');
  if (!isFields(form)) throw new UnreadableCall('the description of the host must be a JSON object (--form)');
  for (const name of ['tool', 'input'])
    if (form[name] === undefined) throw new UnreadableCall(`the description of the host lacks "${name}"`);
  for (const [name, value] of Object.entries(form))
    if (!Object.hasOwn(checks, name) || !checks[name as keyof HostForm](value))
      throw new UnreadableCall(`the description of the host has a "${name.slice(0, 80)}" that is not as documented`);
  return form as unknown as HostForm;
}

/** The denial of a description, also where the rest of it is not valid; undefined for none. */
export function genericDenial(json: string | undefined): Denial | undefined {
  const form = jsonOrNull(json ?? '');
  return isFields(form) && isDenial(form['deny']) ? (form['deny'] as Denial) : undefined;
}
