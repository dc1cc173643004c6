/**
 * Agents behind the proxy of the Agent Client Protocol (src/acp). The payload is the message that the proxy gates:
 * `{method, params, session_id, cwd}`, for the end of an elicitation with its `result`. A tool call has what all its
 * updates said, with `paths`: those of its locations and diffs. Sources: the schema of `@agentclientprotocol/sdk` 2.4.0 (protocol version 1), and messages recorded from
 * claude-agent-acp 0.101.0 (test/fixtures/acp).
 */
import { isOwnTool } from '../ownTools.ts';
import type { Adapter } from './adapter.ts';
import { elicitationInput } from './acpElicitation.ts';
import { commandOf, has, isFields, pathsIn, textOf } from './fields.ts';
import type { Fields } from './fields.ts';
import { acts, edits, patches, reads, shell, table } from './toolKinds.ts';
import type { ToolKind } from './toolKinds.ts';

/** What a client grants once; a tool of any other kind may change something. */
const readingKinds = 'read search think fetch';
const kinds = new Set([...readingKinds.split(' '), 'switch_mode', 'edit', 'delete', 'move', 'execute']);

/** A name too many holds too much, one too few is a hole. */
const editing = (input: Fields): ToolKind => {
  const raw = isFields(input['rawInput']) ? input['rawInput'] : {};
  const isPatch = has(raw, 'patch', 'patchText', 'patch_text', 'diff', 'input');
  return {
    kind: 'edits',
    files() {
      const named = pathsIn(input);
      const patched = isPatch && patches.kind === 'edits' ? patches.files(raw) : [];
      return named && patched && [...named, ...patched];
    },
  };
};

/** A client may run the words as a program, or hand them to a shell as they are. */
function terminalLine(input: Fields): string | null {
  const { command, args = [], env = [] } = input;
  if (typeof command !== 'string' || command === '') return null;
  if (!Array.isArray(args) || !args.every((word) => typeof word === 'string')) return null;
  const set = assignments(env);
  if (set === null) return null;
  if (args.length === 0) return `${set}${command}`;
  const quoted = commandOf({ words: [command, ...args] }, 'words') ?? '';
  const plain = [command, ...args].join(' ');
  return quoted === plain ? `${set}${plain}` : `${set}${quoted}\n${set}${plain}`;
}

function assignments(env: unknown): string | null {
  if (env === null) return '';
  if (!Array.isArray(env)) return null;
  const set = env.map((one: unknown) => {
    const name = isFields(one) ? textOf(one, 'name') : null;
    const value = isFields(one) ? one['value'] : null;
    return name !== null && /^[a-z_]\w*$/i.test(name) && typeof value === 'string'
      ? `${name}='${value.replaceAll("'", `'\\''`)}' `
      : null;
  });
  return set.includes(null) ? null : set.join('');
}

export const acp: Adapter = {
  host: 'acp',
  events: { PreToolUse: 'tool', PostToolUse: 'other', SessionStart: 'sessionStart', UserPromptSubmit: 'prompt' },
  commonForm,
  tools: {
    'fs/write_text_file': edits('path'),
    'terminal/create': { kind: 'shell', command: terminalLine },
    ...table(reads, `${readingKinds} elicitation`),
    switch_mode: acts,
    edit: editing,
    delete: editing,
    move: editing,
    execute: shell,
  },
  questionTools: ['elicitation'],
  isServerTool: (name) => name.startsWith('mcp__'),
  serverToolName: (server, tool) => `mcp__${server}__${tool}`,
  print: (answer) => (answer.kind === 'context' ? { context: answer.text } : null),
};

/** The fields that `readCall` reads. */
function commonForm({ method, params, result, session_id, cwd }: Fields): Fields {
  const given = isFields(params) ? params : {};
  const common = { session_id: session_id ?? undefined, cwd: cwd ?? undefined };
  switch (method) {
    case 'session/new':
      return { ...common, hook_event_name: 'SessionStart' };
    case 'session/prompt':
      return { ...common, hook_event_name: 'UserPromptSubmit' };
    case 'elicitation/create':
      return {
        ...common,
        hook_event_name: result === undefined ? 'PreToolUse' : 'PostToolUse',
        tool_name: 'elicitation',
        ...elicitationInput(given, result),
      };
    case 'session/request_permission':
      return {
        ...common,
        hook_event_name: 'PreToolUse',
        ...toolOf(isFields(given['toolCall']) ? given['toolCall'] : {}),
      };
    case 'terminal/create':
      return { ...common, ...started(given), hook_event_name: 'PreToolUse', tool_name: method, tool_input: given };
    case 'fs/write_text_file':
      return { ...common, hook_event_name: 'PreToolUse', tool_name: method, tool_input: given };
    default:
      return { ...common, hook_event_name: 'PreToolUse', tool_name: `request ${String(method)}`, tool_input: given };
  }
}

/** A terminal in a folder that is not absolute starts in an unknown one. */
function started({ cwd }: Fields): Fields {
  return cwd === undefined || cwd === null ? {} : { cwd };
}

function toolOf(call: Fields): Fields {
  const name = toolNameOf(call);
  if (name !== null && (isOwnTool(name) || name.startsWith('mcp__')))
    return { tool_name: name, tool_input: inputOf(call) };
  const said = textOf(call, 'kind') ?? '';
  const kind = kinds.has(said) ? said : 'other';
  const { rawInput, paths } = call;
  if (kind === 'execute') return { tool_name: kind, tool_input: inputOf(call) };
  // A tool of another kind has no entry in the table, so that it may change anything.
  return { tool_name: kind, tool_input: { rawInput, paths } };
}

function inputOf({ rawInput }: Fields): unknown {
  return isFields(rawInput) ? rawInput : {};
}

/** The agent's name for the tool, where it gives one: a title may be any text. */
export function toolNameOf(call: Fields): string | null {
  const meta = isFields(call['_meta']) ? call['_meta'] : {};
  const claude = isFields(meta['claudeCode']) ? meta['claudeCode'] : {};
  return textOf(call, 'name') ?? textOf(claude, 'toolName') ?? geminiTool(call);
}

/** Gemini CLI gives no names; the title and the id of a call of our server have it (0.61.0). */
function geminiTool(call: Fields): string | null {
  const [, tool] = /^(holdpoint_\w+) \(holdpoint MCP Server\)$/.exec(textOf(call, 'title') ?? '') ?? [];
  const name = `mcp_holdpoint_${tool ?? ''}`;
  const isOurs = call['kind'] === 'other' && (textOf(call, 'toolCallId') ?? '').startsWith(`${name}__${name}_`);
  return tool !== undefined && isOurs ? name : null;
}

/** Whether a call needs no gate. */
export function onlyReads(call: Fields): boolean {
  const name = toolNameOf(call);
  if (name !== null && isOwnTool(name)) return true;
  if (name?.startsWith('mcp__') === true) return false;
  return readingKinds.split(' ').includes(textOf(call, 'kind') ?? '');
}
