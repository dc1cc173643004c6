/** Kiro, from kiro.dev/docs/hooks: its program could not be run for this. */
import { recordOf, hookTimeout, mcpEntry, type Host, type HostForm } from './host.ts';
import { fromForm, withForm } from './payload/form.ts';

const form: HostForm = {
  event: { field: 'hook_event_name', before: 'PreToolUse' },
  tool: 'tool_name',
  input: 'tool_input',
  session: 'session_id',
  cwd: ['cwd'],
  reads: 'fs_read read_file read_files list_directory file_search grep_search get_diagnostics'.split(' '),
  edits: recordOf('fs_write fs_append str_replace delete_file', ['path', 'targetFile']),
  shells: recordOf('execute_bash execute_pwsh', 'command'),
  servers: { prefix: '@', separator: '/' },
};

export const kiro: Host = {
  ...fromForm({ host: 'kiro', title: 'Kiro', agentType: 'kiro' }, form),
  host: 'kiro',
  levels: [
    {
      level: 'not proven',
      stopped: 'every tool of an agent in Kiro 1.x',
      open: 'earlier versions',
      testedWith: 'payloads as documented',
      tests: 'contract/hooks',
    },
  ],
  setup: {
    ...withForm(form, 'Kiro'),
    signs: { workspace: ['.kiro'], home: ['.kiro'], program: 'kiro' },
    files: (to) => {
      const hook = {
        ...{ name: 'holdpoint', trigger: 'PreToolUse', matcher: '.*' },
        action: { type: 'command', command: to.hook({ denying: true }) },
        ...{ timeout: hookTimeout, enabled: true },
      };
      return [
        {
          file: ['.kiro', 'hooks', 'holdpoint.json'],
          whole: `${JSON.stringify({ version: 'v1', hooks: [hook] }, null, 2)}\n`,
        },
        mcpEntry(to.mcp, '.kiro', 'settings', 'mcp.json'),
      ];
    },
  },
};
