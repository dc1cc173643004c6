/**
 * opencode has plugins, not hooks: the plugin that setup writes passes this JSON, in the spelling below, and throws if
 * the exit code is not 0. `{v: 1, hook_event_name: 'PreToolUse', session_id, cwd, tool_name, tool_input}`; for
 * `SessionStart` and `UserPromptSubmit` without the tool. Its answer is `{deny: reason}` or `{context: text}`. Sources:
 * the plugin's input in version 1.18.33 (test/fixtures/hooks/opencode), opencode.ai/docs/plugins
 * (`tool.execute.before`), opencode.ai/docs/tools.
 */
import type { Host } from './host.ts';
import { printing } from './payload/print.ts';
import { toolNamePart, edits, editsAll, patches, reads, shell, table } from './payload/toolKinds.ts';

export const opencode: Host = {
  host: 'opencode',
  title: 'opencode',
  agentType: 'opencode',
  alsoCalled: [],
  stampsCalls: false,
  events: {
    PreToolUse: 'tool',
    SessionStart: 'sessionStart',
    UserPromptSubmit: 'prompt',
    Stop: 'stop',
    PostToolUse: 'after',
    SessionEnd: 'other',
  },
  tools: {
    ...table(
      reads,
      'read grep glob list ls webfetch websearch codesearch task todowrite todoread skill question lsp batch plan_enter plan_exit list_mcp_resources list_mcp_resource_templates read_mcp_resource invalid',
    ),
    ...table(edits('filePath', 'file_path', 'path'), 'edit write'),
    multiedit: editsAll,
    ...table(patches, 'patch apply_patch'),
    bash: shell,
  },
  questionTools: ['question'],
  // MCP tools are named `server_tool`; of the built-in tools only those listed have an underscore. `invalid` stands for
  // a call of an unknown tool.
  isServerTool: (name) => name.includes('_'),
  serverToolName: (server, tool) => `${toolNamePart(server)}_${toolNamePart(tool)}`,
  print: printing({ deny: (deny) => ({ deny }), context: (context) => ({ context }), goOn: (goOn) => ({ goOn }) }),
  levels: [
    {
      level: 'enforced',
      stopped: 'every tool, of subagents and MCP servers too, by a plugin',
      open: 'nothing known. Sessions get no briefing, and the plugin does not notice when the agent stops',
      testedWith: 'opencode 1.18.33 with a scripted model',
      tests: 'hosts/hostCanaries',
    },
  ],
  setup: {
    signs: {
      workspace: ['.opencode', 'opencode.json', 'opencode.jsonc'],
      home: ['.config/opencode'],
      program: 'opencode',
    },
    isPlugin: true,
    files: (to) => [
      { file: ['.opencode', 'plugins', 'holdpoint.js'], whole: to.plugin() },
      {
        file: ['opencode.json'],
        orFile: ['opencode.jsonc'],
        kind: 'mcp',
        at: ['mcp', 'holdpoint'],
        value: { type: 'local', command: [to.mcp.command, ...to.mcp.args], enabled: true },
        // opencode would add it, and the file would no longer be as setup wrote it.
        made: { $schema: 'https://opencode.ai/config.json' },
      },
    ],
    canary: (file) => ({
      edit: ['edit', { filePath: file, oldString: 'a', newString: 'b' }],
      read: ['read', { filePath: file }],
    }),
  },
};
