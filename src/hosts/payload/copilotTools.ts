/**
 * Tools of the Copilot agents. VS Code and the Copilot CLI read the same `.github/hooks/*.json`, so either may run the
 * other's file: both adapters use both lists. Sources: the tool names of the Copilot extension in VS Code 1.139.1,
 * payloads of Copilot CLI 1.0.102, and the GitHub Copilot hooks reference.
 */
import {
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
} from './toolKinds.ts';
import type { ToolTable } from './toolKinds.ts';

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
  apply_patch: patches,
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

export const copilotTools: ToolTable = { ...vscodeTools, ...cliTools, ...cliToolsAsClaude };
