/** Qwen Code. Sources: payloads recorded from version 0.24.4 with a scripted model, and its documentation of hooks. */
import path from 'node:path';
import { hookGroups, mcpEntry, namedHook, type Host, type HostForm } from './host.ts';
import { fromForm, withForm } from './payload/form.ts';

const form: HostForm = {
  event: { field: 'hook_event_name', before: 'PreToolUse' },
  tool: 'tool_name',
  input: 'tool_input',
  session: 'session_id',
  cwd: ['cwd'],
  reads: 'read_file list_directory glob grep_search web_fetch todo_write ask_user_question task_list task_get'.split(
    ' ',
  ),
  edits: { edit: ['file_path'], write_file: ['file_path'], notebook_edit: ['notebook_path'] },
  shells: { run_shell_command: 'command' },
};

export const qwenCode: Host = {
  ...fromForm({ host: 'qwen-code', title: 'Qwen Code', agentType: 'qwen-code' }, form),
  host: 'qwen-code',
  levels: [
    {
      level: 'advisory',
      stopped: 'edits, commands and MCP tools, by `PreToolUse`',
      open: 'subagents were not tried. Sessions get no briefing',
      testedWith: 'Qwen Code 0.24.4 with a scripted model',
      tests: 'hosts/qwenCode',
    },
  ],
  setup: {
    ...withForm(form, 'Qwen Code'),
    signs: { workspace: ['.qwen', 'QWEN.md'], home: ['.qwen'], program: 'qwen' },
    files: (to) => {
      const file = ['.qwen', 'settings.json'];
      const hooks = hookGroups(to, { PreToolUse: { denying: true, matcher: '*' } }, namedHook);
      return [{ file, hooks }, mcpEntry(to.mcp, ...file)];
    },
    disabledIn: ({ workspace, home, settings }) =>
      [workspace, home]
        .map((folder) => path.join(folder, '.qwen', 'settings.json'))
        .find((file) => settings(file)['disableAllHooks'] === true) ?? null,
    wayAround: () => null,
  },
};
