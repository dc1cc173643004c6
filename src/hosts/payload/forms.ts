/**
 * Hosts that are data. Their programs could not be run for this: the forms are from their documentation of hooks
 * (cursor.com/docs/hooks, docs.windsurf.com/windsurf/cascade/hooks, kiro.dev/docs/hooks, antigravity.google/docs/hooks).
 */
import type { HookHost } from '../names.ts';
import type { Denial } from './denial.ts';
import type { HostForm } from './form.ts';

const words = (text: string) => text.split(' ');

function each<T>(names: string, value: T): Readonly<Record<string, T>> {
  return Object.fromEntries(words(names).map((name) => [name, value]));
}

const cursor: HostForm = {
  event: { field: 'hook_event_name', before: 'preToolUse' },
  tool: 'tool_name',
  input: 'tool_input',
  session: 'conversation_id',
  cwd: ['cwd', 'workspace_roots.0'],
  reads: words('Read Grep Task'),
  edits: each('Write Edit StrReplace Delete', ['file_path', 'path', 'target_file']),
  shells: { Shell: 'command' },
  // It does not say which server a tool belongs to, so no tool counts as signed to be read-only.
  servers: { prefix: 'MCP:', separator: '/' },
  deny: { json: { permission: 'deny', user_message: '$reason', agent_message: '$reason' }, exit: 2 },
};

const windsurf: HostForm = {
  tool: 'agent_action_name',
  input: 'tool_info',
  session: 'trajectory_id',
  cwd: ['tool_info.cwd'],
  reads: words('pre_read_code'),
  edits: { pre_write_code: ['file_path'] },
  shells: { pre_run_command: 'command_line' },
  serverCall: {
    tool: 'pre_mcp_tool_use',
    server: 'mcp_server_name',
    name: 'mcp_tool_name',
    input: 'mcp_tool_arguments',
  },
};

const kiro: HostForm = {
  event: { field: 'hook_event_name', before: 'PreToolUse' },
  tool: 'tool_name',
  input: 'tool_input',
  session: 'session_id',
  cwd: ['cwd'],
  reads: words('fs_read read_file read_files list_directory file_search grep_search get_diagnostics'),
  edits: each('fs_write fs_append str_replace delete_file', ['path', 'targetFile']),
  shells: each('execute_bash execute_pwsh', 'command'),
  servers: { prefix: '@', separator: '/' },
};

const antigravity: HostForm = {
  tool: 'toolCall.name',
  input: 'toolCall.args',
  session: 'conversationId',
  cwd: ['workspacePaths.0'],
  reads: words(
    'view_file list_directory search_directory find_file search_web read_url_content ask_question start_subagent finish',
  ),
  edits: each('create_file edit_file write_to_file replace_file_content', ['TargetFile', 'AbsolutePath']),
  shells: { run_command: 'CommandLine' },
  // What another exit code does is not documented.
  deny: { json: { decision: 'deny', reason: '$reason' }, exit: 0 },
};

export const hostForms = { cursor, windsurf, kiro, antigravity } as const satisfies Readonly<Record<string, HostForm>>;

export type FormHost = keyof typeof hostForms;

export function isFormHost(name: string): name is FormHost {
  return Object.hasOwn(hostForms, name);
}

export function denialOf(host: HookHost): Denial | undefined {
  return isFormHost(host) ? hostForms[host].deny : undefined;
}
