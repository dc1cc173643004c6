/**
 * Codex. Sources: payloads recorded from version 0.169.0 (test/fixtures/hooks/codex), and
 * developers.openai.com/codex/hooks. It puts the namespace of a built-in tool before its name, without a separator.
 */
import path from 'node:path';
import { recordOf, hookGroups, hookTimeout, postToolUse, type Host, type SettingsReader } from './host.ts';
import { isFields, toolNamePart, acts, edits, opaque, patches, reads, table, typed } from './payload/toolKinds.ts';
import { hookSpecific, printing } from './payload/print.ts';

function userSettings({ env, home }: SettingsReader): string {
  return path.join(env['CODEX_HOME'] ?? path.join(home, '.codex'), 'config.toml');
}

export const codex: Host = {
  host: 'codex',
  title: 'Codex',
  agentType: 'codex',
  alsoCalled: [],
  // Codex accepts a changed input only together with an "allow".
  stampsCalls: false,
  events: {
    PreToolUse: 'tool',
    SessionStart: 'sessionStart',
    UserPromptSubmit: 'prompt',
    Stop: 'stop',
    PostToolUse: 'after',
    ...recordOf('PermissionRequest PreCompact PostCompact SubagentStart SubagentStop SessionEnd Notification', 'other'),
  },
  tools: {
    ...table(
      reads,
      'update_plan view_image web_search read_file list_dir grep_files request_user_input tool_search spawn_agent resume_agent send_input wait_agent list_mcp_resources list_mcp_resource_templates read_mcp_resource get_goal create_goal update_goal request_user_input_async clockcurr_time clocksleep collaborationfollowup_task collaborationlist_agents collaborationsend_message collaborationspawn_agent collaborationwait_agent multi_agent_v1resume_agent multi_agent_v1send_input multi_agent_v1spawn_agent multi_agent_v1wait_agent',
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
  print: printing(hookSpecific),
  levels: [
    {
      level: 'advisory',
      stopped: 'edits, commands, MCP servers and subagents, in scripts too',
      open: 'everything until you trust the folder and review the hook in Codex (`/hooks`); input typed into a running program',
      testedWith: 'Codex 0.169.0 with a scripted model',
      tests: 'hosts/hostCanaries',
      plugin: 'skill only',
    },
  ],
  setup: {
    signs: { workspace: ['.codex'], home: ['.codex'], program: 'codex' },
    files: (to) => {
      const looks = { matcher: '*', after: true };
      const after = hookGroups(to, { answers: { matcher: 'request_user_input' }, looks });
      return [
        {
          file: ['.codex', 'hooks.json'],
          strictJson: true,
          hooks: {
            ...hookGroups(to, {
              PreToolUse: { denying: true, matcher: '*' },
              ...{ SessionStart: {}, UserPromptSubmit: {}, Stop: {} },
            }),
            PostToolUse: [after.answers, after.looks],
          },
        },
        {
          file: ['.codex', 'config.toml'],
          kind: 'mcp',
          table: ['mcp_servers', 'holdpoint'],
          lines: [`command = ${JSON.stringify(to.mcp.command)}`, `args = ${JSON.stringify(to.mcp.args)}`],
        },
      ];
    },
    canary: (file) => {
      const lines = ['*** Begin Patch', `*** Update File: ${file}`, '@@', '-a', '+b', '*** End Patch', ''];
      return { edit: ['apply_patch', { command: lines.join('\n') }], read: ['Bash', { command: 'cat held.txt' }] };
    },
    called: postToolUse,
    // By the feature's name, or its older one.
    disabledIn: (read) => {
      const ofMachine =
        read.machineFile === null ? [] : [path.join(path.dirname(read.machineFile), 'config.toml'), read.machineFile];
      const files = [path.join(read.workspace, '.codex', 'config.toml'), userSettings(read), ...ofMachine];
      const isOff = (file: string) => {
        const { features } = read.settings(file);
        return isFields(features) && (features['hooks'] === false || features['codex_hooks'] === false);
      };
      return files.find(isOff) ?? null;
    },
    // Codex reads the files of a trusted folder only.
    wayAround: (read) => {
      const { projects } = read.settings(userSettings(read));
      const isTrusted = read.folders.some((folder) => {
        const project = isFields(projects) ? projects[folder] : undefined;
        return isFields(project) && project['trust_level'] === 'trusted';
      });
      return { code: isTrusted ? 'codexReview' : 'codexUntrusted', about: read.workspace };
    },
    machine: {
      linux: '/etc/codex/requirements.toml',
      darwin: '/etc/codex/requirements.toml',
      win32: 'C:\\ProgramData\\OpenAI\\Codex\\requirements.toml',
      // Codex has only the form with a shell; it takes the one that its own environment names (docs/setup.md).
      files: (to) => {
        const hook = (denying: boolean) =>
          `{ type = "command", command = ${JSON.stringify(to.line(denying))}, timeout = ${String(hookTimeout)} }`;
        const lines = [
          'allow_managed_hooks_only = true',
          'features.hooks = true',
          `hooks.PreToolUse = [{ matcher = "*", hooks = [${hook(true)}] }]`,
          `hooks.PostToolUse = [{ matcher = "*", hooks = [${hook(false)}] }]`,
          `hooks.Stop = [{ hooks = [${hook(false)}] }]`,
        ];
        return [{ lines }];
      },
    },
  },
};
