/** Windsurf, from docs.windsurf.com/windsurf/cascade/hooks: its program could not be run for this. */
import type { Host, HostForm } from './host.ts';
import { fromForm, withForm } from './payload/form.ts';

const form: HostForm = {
  tool: 'agent_action_name',
  input: 'tool_info',
  session: 'trajectory_id',
  cwd: ['tool_info.cwd'],
  reads: ['pre_read_code'],
  edits: { pre_write_code: ['file_path'] },
  shells: { pre_run_command: 'command_line' },
  serverCall: {
    tool: 'pre_mcp_tool_use',
    server: 'mcp_server_name',
    name: 'mcp_tool_name',
    input: 'mcp_tool_arguments',
  },
};

export const windsurf: Host = {
  ...fromForm({ host: 'windsurf', title: 'Windsurf', agentType: 'windsurf' }, form),
  host: 'windsurf',
  levels: [
    {
      level: 'not proven',
      stopped: 'writing, commands and MCP tools of Cascade',
      open: 'tools without a hook event; it continues if a hook fails without exit code 2',
      testedWith: 'payloads as documented',
      tests: 'contract/hooks',
    },
  ],
  setup: {
    ...withForm(form, 'Windsurf'),
    signs: { workspace: ['.windsurf', '.windsurfrules'], home: ['.codeium/windsurf'], program: 'windsurf' },
    windowsShell: 'powershell',
    // Its MCP servers are in a file of the user, which serves every folder.
    files: (to) => {
      const entry = {
        command: to.hook({ denying: true, shell: 'posix' }),
        powershell: to.hook({ denying: true, shell: 'powershell' }),
        show_output: true,
      };
      const hooks = { pre_write_code: entry, pre_run_command: entry, pre_mcp_tool_use: entry };
      return [{ file: ['.windsurf', 'hooks.json'], hooks }];
    },
  },
};
