/**
 * Gemini CLI. Sources: payloads recorded from version 0.61.0 (test/fixtures/hooks/gemini-cli), and the documentation it
 * ships (docs/hooks/reference.md, docs/reference/tools.md).
 */
import type { Adapter } from './adapter.ts';
import { isFields } from './fields.ts';
import { acts, edits, opaque, reads, shell, table } from './toolKinds.ts';

export const geminiCli: Adapter = {
  host: 'gemini-cli',
  events: {
    BeforeTool: 'tool',
    SessionStart: 'sessionStart',
    BeforeAgent: 'prompt',
    AfterAgent: 'stop',
    ...Object.fromEntries(
      'AfterTool BeforeModel AfterModel BeforeToolSelection Notification PreCompress SessionEnd'
        .split(' ')
        .map((name) => [name, 'other'] as const),
    ),
  },
  tools: {
    ...table(
      reads,
      'read_file read_many_files list_directory glob grep_search search_file_content web_fetch google_web_search ask_user write_todos update_topic invoke_agent complete_task activate_skill get_internal_docs enter_plan_mode exit_plan_mode list_mcp_resources read_mcp_resource list_background_processes read_background_output tracker_get_task tracker_list_tasks tracker_visualize',
    ),
    ...table(edits('file_path', 'path'), 'replace write_file'),
    run_shell_command: shell,
    ...table(acts, 'tracker_create_task tracker_update_task tracker_add_dependency'),
    ...table(opaque, 'save_memory'),
  },
  isServerTool: (name, payload) => name.startsWith('mcp_') || isFields(payload['mcp_context']),
  serverToolName: (server, tool) => `mcp_${server}_${tool}`,
  print: (answer, { eventName }) => {
    switch (answer.kind) {
      case 'deny':
        return { decision: 'deny', reason: answer.reason };
      case 'context':
        return { hookSpecificOutput: { hookEventName: eventName, additionalContext: answer.text } };
      case 'goOn':
        return { decision: 'block', reason: answer.reason };
      case 'nothing':
      case 'stamp':
        return null;
    }
  },
};
