/**
 * Gemini CLI. Sources: payloads recorded from version 0.61.0 (test/fixtures/hooks/gemini-cli), and the documentation it
 * ships (docs/hooks/reference.md, docs/reference/tools.md).
 */
import path from 'node:path';
import { recordOf, hookGroups, mcpEntry, namedHook, toolCall, type Host, type SettingsReader } from './host.ts';
import {
  isFields,
  textOf,
  acts,
  opaque,
  reads,
  shell,
  table,
  type Fields,
  type ToolKind,
} from './payload/toolKinds.ts';
import { hookSpecific, printing } from './payload/print.ts';

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

function fieldsAt(settings: Fields, key: string): Fields {
  const value = settings[key];
  return isFields(value) ? value : {};
}

function userSettings({ home }: SettingsReader): string {
  return path.join(home, '.gemini', 'settings.json');
}

function systemSettings({ env, platform }: SettingsReader): string {
  const given = env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'];
  if (given !== undefined && given !== '') return given;
  if (platform === 'darwin') return '/Library/Application Support/GeminiCli/settings.json';
  return platform === 'win32' ? 'C:\\ProgramData\\gemini-cli\\settings.json' : '/etc/gemini-cli/settings.json';
}

export const geminiCli: Host = {
  host: 'gemini-cli',
  title: 'Gemini CLI',
  agentType: 'gemini-cli',
  alsoCalled: ['gemini-cli-mcp-client'],
  stampsCalls: false,
  events: {
    BeforeTool: 'tool',
    SessionStart: 'sessionStart',
    BeforeAgent: 'prompt',
    AfterAgent: 'stop',
    ...recordOf('AfterTool BeforeModel AfterModel BeforeToolSelection Notification PreCompress SessionEnd', 'other'),
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
  print: printing({ ...hookSpecific, deny: (reason) => ({ decision: 'deny', reason }) }),
  levels: [
    {
      level: 'enforced',
      stopped: 'every tool, of subagents and MCP servers too',
      open: 'everything until you trust the folder in Gemini CLI (shown as advisory); `--skip-trust` alone does not run hooks',
      testedWith: 'Gemini CLI 0.61.0 with a scripted model',
      tests: 'hosts/geminiCli',
    },
  ],
  setup: {
    signs: { workspace: ['.gemini', 'GEMINI.md'], home: ['.gemini/settings.json'], program: 'gemini' },
    windowsShell: 'powershell',
    files: (to) => {
      const file = ['.gemini', 'settings.json'];
      const events = { BeforeTool: { denying: true, matcher: '*' }, SessionStart: {}, BeforeAgent: {}, AfterAgent: {} };
      return [{ file, hooks: hookGroups(to, events, namedHook) }, mcpEntry(to.mcp, ...file)];
    },
    canary: (file) => ({
      edit: ['replace', { file_path: file, old_string: 'a', new_string: 'b', instruction: 'Change it.' }],
      read: ['read_file', { file_path: file }],
    }),
    call: toolCall('BeforeTool'),
    // All hooks, or this one by its name.
    disabledIn: (read) => {
      const files = [path.join(read.workspace, '.gemini', 'settings.json'), userSettings(read), systemSettings(read)];
      const isOff = (file: string) => {
        const { enabled, disabled } = fieldsAt(read.settings(file), 'hooksConfig');
        return enabled === false || (Array.isArray(disabled) && disabled.includes('holdpoint'));
      };
      return files.find(isOff) ?? null;
    },
    // It reads the settings of a trusted folder only, and with them the hooks. By its own rules, as in version 0.61.0.
    wayAround: (read) => {
      const { enabled } = fieldsAt(fieldsAt(read.settings(userSettings(read)), 'security'), 'folderTrust');
      if (enabled === false) return null;
      const file =
        read.env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] ?? path.join(read.home, '.gemini', 'trustedFolders.json');
      const [rule] = Object.entries(read.settings(file))
        .filter(([folder, kind]) => read.isReallyBelow(kind === 'TRUST_PARENT' ? path.dirname(folder) : folder))
        .sort(([a], [b]) => b.length - a.length);
      const isTrusted = rule?.[1] === 'TRUST_FOLDER' || rule?.[1] === 'TRUST_PARENT';
      return isTrusted ? null : { code: 'geminiUntrusted', about: read.workspace };
    },
  },
};
