/**
 * Gemini CLI. Sources: payloads recorded from version 0.61.0 (test/fixtures/hooks/gemini-cli), and the documentation it
 * ships (docs/hooks/reference.md, docs/reference/tools.md).
 */
import path from 'node:path';
import type { Adapter } from './adapter.ts';
import { isFields, textOf } from './fields.ts';
import type { Fields } from './fields.ts';
import { acts, opaque, reads, shell, table } from './toolKinds.ts';
import type { ToolKind } from './toolKinds.ts';

const readingsAtMost = 100;

/** The path as Gemini CLI may read it after its hooks: without a leading `@`, without `..`, percent-decoded. */
function readings(written: string): string[] | null {
  const found = new Set([written]);
  for (const text of found) {
    if (found.size > readingsAtMost) return null;
    if (/^@./s.test(text)) found.add(text.replace(/^@[/\\]*/, '') || text);
    for (const { normalize } of text.includes('\\') ? [path.posix, path.win32] : [path.posix])
      found.add(normalize(text));
    try {
      found.add(decodeURIComponent(text));
    } catch {
      // Gemini CLI leaves it as it is, too.
    }
  }
  return [...found];
}

const given = (input: Fields) => ['file_path', 'path'].flatMap((field) => textOf(input, field) ?? []);

const writes: ToolKind = {
  kind: 'edits',
  files: (input) => {
    const all = given(input).map(readings);
    return all.includes(null) ? null : all.flatMap((names) => names ?? []);
  },
};

/** It also finds a file whose path ends in the given one. */
const replaces: ToolKind = { ...writes, searched: given };

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
    write_file: writes,
    replace: replaces,
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
