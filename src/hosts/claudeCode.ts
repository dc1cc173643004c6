/**
 * Claude Code. Sources: payloads recorded from version 2.1.330 (test/fixtures/hooks/claude-code), its tool inputs
 * (sdk-tools.d.ts) and code.claude.com/docs/en/hooks.
 */
import path from 'node:path';
import { recordOf, hookGroups, hookTimeout, mcpEntry, postToolUse, type Host, type SettingsReader } from './host.ts';
import { toolNamePart, acts, bash, edits, editsAll, opaque, powershell, reads, table } from './payload/toolKinds.ts';
import { hookSpecific, printing, specific } from './payload/print.ts';

/** Read by the shell that runs a hook, before anything can clear them. */
const loaded = /^(?:LD_|DYLD_|BASH_FUNC_|BASH_ENV$|ENV$|SHELLOPTS$)/;
/**
 * Variables of the settings of users and projects that make the system's loader run other code in the hook. Managed
 * settings take precedence, so an empty value there undoes them.
 */
const loaders = 'LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH BASH_ENV ENV'.split(' ');

function settingsOf({ workspace, home, settings }: SettingsReader) {
  return [
    path.join(workspace, '.claude', 'settings.local.json'),
    path.join(workspace, '.claude', 'settings.json'),
    path.join(home, '.claude', 'settings.json'),
  ].map((file) => ({ file, content: settings(file) }));
}

export const claudeCode: Host = {
  host: 'claude-code',
  title: 'Claude Code',
  agentType: 'claude-code',
  alsoCalled: [],
  stampsCalls: true,
  events: {
    PreToolUse: 'tool',
    SessionStart: 'sessionStart',
    UserPromptSubmit: 'prompt',
    Stop: 'stop',
    PostToolUse: 'after',
    PostToolUseFailure: 'after',
    ...recordOf(
      'Elicitation ElicitationResult PostToolBatch Notification PermissionRequest PermissionDenied SubagentStart SubagentStop PreCompact PostCompact SessionEnd Setup',
      'other',
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
  print: printing({ ...hookSpecific, stamp: (updatedInput, event) => specific(event, { updatedInput }) }),
  levels: [
    {
      level: 'enforced',
      stopped: 'every tool, of subagents and MCP servers too',
      open: 'everything with `disableAllHooks` in a settings file (shown as broken)',
      testedWith: 'Claude Code 2.1.330 with a scripted model',
      tests: 'hosts/claudeCodeInEditor hosts/claudeCode',
      plugin: 'enforces',
    },
  ],
  setup: {
    signs: { workspace: ['.claude', 'CLAUDE.md'], home: ['.claude', '.claude.json'], program: 'claude' },
    windowsShell: 'posix',
    // Local settings, not shared ones: the entries contain paths of this machine, and would stop agents everywhere else.
    files: (to) => {
      const looks = { matcher: '*', after: true };
      const after = hookGroups(to, { answers: { matcher: 'AskUserQuestion' }, looks });
      return [
        {
          file: ['.claude', 'settings.local.json'],
          strictJson: true,
          hooks: {
            ...hookGroups(to, {
              PreToolUse: { denying: true, matcher: '*' },
              ...{ SessionStart: {}, UserPromptSubmit: {}, Stop: {} },
              ...{ Elicitation: { matcher: '*' }, ElicitationResult: { matcher: '*' } },
            }),
            PostToolUse: [after.answers, after.looks],
            PostToolUseFailure: [after.looks],
          },
        },
        mcpEntry({ type: 'stdio', ...to.mcp }, '.mcp.json'),
      ];
    },
    canary: (file) => ({
      edit: ['Edit', { file_path: file, old_string: 'a', new_string: 'b' }],
      read: ['Read', { file_path: file }],
    }),
    called: postToolUse,
    disabledIn: (read) => {
      const files = [...settingsOf(read).map(({ file }) => file), read.machineFile ?? ''];
      return files.find((file) => read.settings(file)['disableAllHooks'] === true) ?? null;
    },
    wayAround: (read) => {
      for (const { file, content } of settingsOf(read)) {
        const { env } = content;
        const names =
          typeof env === 'object' && env !== null ? Object.keys(env).filter((name) => loaded.test(name)) : [];
        if (names.length > 0) return { code: 'environment', about: `${names.join(', ')} in ${file}` };
      }
      return null;
    },
    machine: {
      linux: '/etc/claude-code/managed-settings.json',
      darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
      win32: 'C:\\Program Files\\ClaudeCode\\managed-settings.json',
      files: (to) => {
        const group = (denying: boolean, matcher?: '*') => ({
          ...(matcher ? { matcher } : {}),
          hooks: [{ type: 'command', ...to.program(denying), timeout: hookTimeout }],
        });
        const hooks = {
          PreToolUse: group(true, '*'),
          ...{ SessionStart: group(false), UserPromptSubmit: group(false), Stop: group(false) },
          ...{ PostToolUse: group(false, '*'), PostToolUseFailure: group(false, '*') },
        };
        // Only managed hooks run: a hook of a project could change the input of a tool after this one has seen it.
        return [
          { kind: 'other', at: ['allowManagedHooksOnly'], value: true },
          ...(to.platform === 'win32' ? [] : loaders).map(
            (name) => ({ kind: 'other', at: ['env', name], value: '' }) as const,
          ),
          { strictJson: true, hooks },
        ];
      },
    },
  },
};
