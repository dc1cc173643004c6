/**
 * GitHub Copilot CLI. Sources: payloads recorded from version 1.0.102 (test/fixtures/hooks/copilot-cli), and
 * docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference. VS Code and the CLI both read every
 * file of `.github/hooks`, take the same fields for commands, and pass different input. So either host may run the
 * other's file: the hook detects its caller (payload/read.ts), and both hosts use both lists of tools.
 */
import path from 'node:path';
import { canarySession, recordOf, hookTimeout, mcpEntry, type Host, type SetupTarget } from './host.ts';
import {
  has,
  toolNamePart,
  acts,
  edits,
  editsAll,
  opaque,
  patches,
  powershell,
  reads,
  shell,
  table,
  terminal,
  viewOrEdit,
  type Fields,
  type ToolTable,
} from './payload/toolKinds.ts';
import { printCopilot } from './payload/print.ts';

/** From the Copilot extension in VS Code 1.139.1. */
const vscodeTools: ToolTable = {
  ...table(
    reads,
    'semantic_search get_vscode_api file_search grep_search read_file view_image list_dir get_errors get_changed_files read_project_structure search_workspace_symbols copilot_getNotebookSummary read_notebook_cell_output fetch_webpage test_search github_repo github_text_search manage_todo_list get_terminal_output terminal_selection terminal_last_command get_task_output testFailure runSubagent vscode_get_confirmation vscode_get_confirmation_with_options vscode_reviewPlan vscode_get_terminal_confirmation search_subagent explore_subagent vscode_askQuestions tool_search resolve_memory_file_uri get_search_view_results vscode_listCodeUsages vscode_fetchWebPage_internal skill',
  ),
  ...table(
    edits('filePath', 'path', 'file_path'),
    'create_file replace_string_in_file insert_edit_into_file edit_notebook_file run_notebook_cell',
  ),
  create_directory: edits('dirPath', 'path'),
  multi_replace_string_in_file: editsAll,
  run_in_terminal: terminal,
  ...table(acts, 'kill_terminal install_extension switch_agent memory runTests'),
  ...table(
    opaque,
    'edit_files send_to_terminal create_and_run_task run_task run_vscode_command create_new_workspace create_new_jupyter_notebook vscode_renameSymbol execution_subagent',
  ),
};

const cliTools: ToolTable = {
  ...table(
    reads,
    'view grep glob rg write_agent web_fetch web_search task read_agent list_agents report_intent update_todo ask_user fetch_copilot_cli_documentation show_file read_bash read_powershell list_bash list_powershell exit_plan_mode sql session_store_sql lsp',
  ),
  ...table(edits('path', 'file_path', 'filePath'), 'create edit insert str_replace'),
  str_replace_editor: viewOrEdit,
  apply_patch: patches,
  bash: terminal,
  powershell,
  local_shell: shell,
  ...table(acts, 'stop_bash stop_powershell store_memory'),
  ...table(opaque, 'write_bash write_powershell'),
};

/**
 * The CLI's tool names in hooks whose event is spelled `PreToolUse`, as in VS Code's file; its other tools keep their
 * names.
 */
const cliToolsAsClaude: ToolTable = {
  ...table(reads, 'Read Grep Glob Agent'),
  // Also used for `apply_patch`; the input is then the patch.
  Edit: patches,
  Write: edits('path', 'file_path'),
  Bash: terminal,
};

/** What both hosts have in common. Events have both spellings. */
export const copilot: Pick<Host, 'stampsCalls' | 'events' | 'unnamedEvent' | 'tools' | 'questionTools'> = {
  // Its tools reject fields that their schema does not list, and one VS Code agent serves all chats of a window.
  stampsCalls: false,
  events: {
    ...recordOf('PreToolUse preToolUse', 'tool'),
    ...recordOf('SessionStart sessionStart', 'sessionStart'),
    ...recordOf('UserPromptSubmit userPromptSubmitted', 'prompt'),
    ...recordOf('Stop agentStop', 'stop'),
    ...recordOf('PostToolUse postToolUse PostToolUseFailure postToolUseFailure', 'after'),
    ...recordOf(
      'SubagentStart subagentStart SubagentStop subagentStop PreCompact preCompact SessionEnd sessionEnd ErrorOccurred errorOccurred Notification notification PermissionRequest permissionRequest',
      'other',
    ),
  },
  /** A payload in the CLI's own form does not name its event. */
  unnamedEvent: (payload: Fields) => {
    if (has(payload, 'toolName', 'tool_name') && has(payload, 'toolResult', 'tool_result', 'error')) return 'after';
    if (has(payload, 'toolResult', 'tool_result', 'error')) return 'other';
    if (has(payload, 'toolName', 'tool_name')) return 'tool';
    if (has(payload, 'stopReason', 'stop_reason')) return 'stop';
    if (has(payload, 'source', 'initialPrompt', 'initial_prompt')) return 'sessionStart';
    if (has(payload, 'prompt')) return 'prompt';
    return has(payload, 'reason') ? 'other' : null;
  },
  tools: { ...vscodeTools, ...cliTools, ...cliToolsAsClaude },
  questionTools: ['vscode_askQuestions', 'ask_user'],
};

/** A file of `.github/hooks`. */
export function copilotHooks(to: SetupTarget, events: string, more: object = {}): string {
  const entry = (event: string) => {
    const name = event.toLowerCase();
    const kind = { host: 'copilot-cli', denying: name === 'pretooluse', after: name === 'posttooluse' } as const;
    return {
      ...{ type: 'command', ...more },
      bash: to.hook({ ...kind, shell: 'posix' }),
      powershell: to.hook({ ...kind, shell: 'powershell' }),
      timeoutSec: hookTimeout,
    };
  };
  const hooks = Object.fromEntries(events.split(' ').map((event) => [event, [entry(event)]]));
  return hookFile(hooks);
}

export function hookFile(hooks: object): string {
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
}

export const copilotCli: Host = {
  host: 'copilot-cli',
  title: 'Copilot CLI',
  agentType: 'copilot-cli',
  alsoCalled: ['github-copilot-developer', 'github-copilot'],
  ...copilot,
  // MCP tools are named `server-tool`; built-in tools have no hyphen.
  isServerTool: (name) => name.includes('-') || name.startsWith('mcp_'),
  serverToolName: (server, tool) => `${toolNamePart(server)}-${toolNamePart(tool)}`,
  // In the other form, with exit code 2, its model does not receive the reason.
  print: (answer) => printCopilot(answer, { eventName: '' }),
  deny: { json: { permissionDecision: 'deny', permissionDecisionReason: '$reason' }, exit: 2 },
  levels: [
    {
      level: 'enforced',
      stopped: 'every tool, of subagents and MCP servers too',
      open: 'everything until you trust the folder in Copilot CLI (shown as advisory)',
      testedWith: 'Copilot CLI 1.0.102 with a scripted model',
      tests: 'hosts/hostCanaries',
      plugin: 'enforces',
    },
  ],
  setup: {
    signs: { workspace: ['.github/copilot'], home: ['.copilot'], program: 'copilot' },
    windowsShell: 'posix',
    // With the other spelling, it uses other tool names, and its model does not receive the reason for a denial.
    files: (to) => [
      {
        file: ['.github', 'hooks', 'holdpoint-copilot-cli.json'],
        whole: copilotHooks(to, 'preToolUse sessionStart userPromptSubmitted agentStop postToolUse'),
      },
      mcpEntry({ type: 'stdio', ...to.mcp, tools: ['*'] }, '.github', 'mcp.json'),
    ],
    canary: (file) => ({ edit: ['edit', { path: file, old_str: 'a', new_str: 'b' }], read: ['view', { path: file }] }),
    call: ([toolName, toolArgs], folder) => ({
      ...{ sessionId: canarySession, timestamp: Date.now(), cwd: folder },
      ...{ toolName, toolArgs },
    }),
    called: (call) => ({ ...call, toolResult: { resultType: 'success', textResultForLlm: 'done' } }),
    // Only in a folder that it trusts, or below one, does it read the folder's files.
    wayAround: ({ settings, env, home, isBelow, workspace }) => {
      const { trustedFolders } = settings(path.join(env['COPILOT_HOME'] ?? path.join(home, '.copilot'), 'config.json'));
      const trusted: readonly unknown[] = Array.isArray(trustedFolders) ? trustedFolders : [];
      const isTrusted = trusted.some((one) => typeof one === 'string' && path.isAbsolute(one) && isBelow(one));
      return isTrusted ? null : { code: 'copilotUntrusted', about: workspace };
    },
    machine: {
      linux: '/etc/github-copilot/policy.d/holdpoint.json',
      darwin: '/etc/github-copilot/policy.d/holdpoint.json',
      win32: 'C:\\ProgramData\\GitHub\\Copilot\\policy.d\\holdpoint.json',
      files: (to) => {
        const hook = (denying: boolean) => {
          const { command: exec, args } = to.program(denying);
          return [{ type: 'command', exec, args, timeoutSec: hookTimeout }];
        };
        return [{ whole: hookFile({ preToolUse: hook(true), postToolUse: hook(false), agentStop: hook(false) }) }];
      },
    },
  },
};
