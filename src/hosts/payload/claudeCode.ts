/**
 * Claude Code. Sources: payloads recorded from version 2.1.330 (test/fixtures/hooks/claude-code), its tool inputs
 * (sdk-tools.d.ts) and code.claude.com/docs/en/hooks.
 */
import { hostFacts } from '../names.ts';
import type { Adapter } from './adapter.ts';
import { toolNamePart } from './fields.ts';
import { hookSpecific } from './hookSpecific.ts';
import { acts, bash, edits, editsAll, opaque, powershell, reads, table } from './toolKinds.ts';

export const claudeCode: Adapter = {
  host: 'claude-code',
  events: {
    PreToolUse: 'tool',
    SessionStart: 'sessionStart',
    UserPromptSubmit: 'prompt',
    Stop: 'stop',
    PostToolUse: 'after',
    PostToolUseFailure: 'after',
    ...Object.fromEntries(
      'Elicitation ElicitationResult PostToolBatch Notification PermissionRequest PermissionDenied SubagentStart SubagentStop PreCompact PostCompact SessionEnd Setup'
        .split(' ')
        .map((name) => [name, 'other'] as const),
    ),
  },
  tools: {
    ...table(
      reads,
      'Read Grep Glob LS NotebookRead WebFetch WebSearch TodoRead TodoWrite TaskCreate TaskGet TaskUpdate TaskList TaskOutput Task Agent ListAgents BashOutput AskUserQuestion EnterPlanMode ExitPlanMode ToolSearch ListMcpResources ListMcpResourcesTool ReadMcpResource ReadMcpResourceTool ReadMcpResourceDir ReportFindings ReadNotifications CronList LSP DeferredToolPlaceholder SendMessage SendUserMessage StructuredOutput WaitForMcpServers',
    ),
    ...table(edits('file_path', 'path'), 'Edit Write'),
    MultiEdit: editsAll,
    NotebookEdit: edits('notebook_path', 'file_path'),
    Bash: bash,
    Monitor: bash,
    PowerShell: powershell,
    // Its text may contain commands, which run without asking hooks.
    Skill: {
      kind: 'opaque',
      instead:
        'Commands in the text of a skill would run without a check: read its SKILL.md and do its steps one by one.',
    },
    ...table(acts, 'KillShell KillBash TaskStop ScheduleWakeup CronDelete PushNotification TeamCreate TeamDelete'),
    ...table(opaque, 'Workflow CronCreate RemoteTrigger EnterWorktree ExitWorktree'),
  },
  questionTools: ['AskUserQuestion'],
  isServerTool: (name, payload) => name.startsWith('mcp__') || payload['mcp_server'] !== undefined,
  serverToolName: (server, tool) => `mcp__${toolNamePart(server)}__${toolNamePart(tool)}`,
  print: hookSpecific({ stamps: hostFacts['claude-code'].stampsCalls }),
};
