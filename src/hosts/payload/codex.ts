/**
 * Codex. Sources: payloads recorded from version 0.169.0 (test/fixtures/hooks/codex), and
 * developers.openai.com/codex/hooks. It puts the namespace of a built-in tool before its name, without a separator.
 */
import { hostFacts } from '../names.ts';
import type { Adapter } from './adapter.ts';
import { toolNamePart } from './fields.ts';
import { hookSpecific } from './hookSpecific.ts';
import { acts, edits, opaque, patches, reads, table, typed } from './toolKinds.ts';

export const codex: Adapter = {
  host: 'codex',
  events: {
    PreToolUse: 'tool',
    SessionStart: 'sessionStart',
    UserPromptSubmit: 'prompt',
    Stop: 'stop',
    PostToolUse: 'after',
    ...Object.fromEntries(
      'PermissionRequest PreCompact PostCompact SubagentStart SubagentStop SessionEnd Notification'
        .split(' ')
        .map((name) => [name, 'other'] as const),
    ),
  },
  tools: {
    ...table(
      reads,
      'update_plan view_image web_search read_file list_dir grep_files request_user_input tool_search spawn_agent resume_agent send_input wait_agent list_mcp_resources list_mcp_resource_templates read_mcp_resource get_goal create_goal update_goal request_user_input_async',
    ),
    ...table(
      reads,
      'clockcurr_time clocksleep collaborationfollowup_task collaborationlist_agents collaborationsend_message collaborationspawn_agent collaborationwait_agent multi_agent_v1resume_agent multi_agent_v1send_input multi_agent_v1spawn_agent multi_agent_v1wait_agent',
    ),
    ...table(typed, 'Bash shell local_shell exec_command shell_command container.exec unified_exec'),
    apply_patch: patches,
    ...table(edits('file_path', 'path'), 'Edit Write'),
    ...table(acts, 'close_agent collaborationinterrupt_agent multi_agent_v1close_agent'),
    ...table(opaque, 'write_stdin'),
  },
  questionTools: ['request_user_input', 'request_user_input_async'],
  isServerTool: (name) => name.startsWith('mcp__'),
  serverToolName: (server, tool) => `mcp__${toolNamePart(server)}__${toolNamePart(tool)}`,
  // Codex accepts a changed input only together with an "allow".
  print: hookSpecific({ stamps: hostFacts.codex.stampsCalls }),
};
