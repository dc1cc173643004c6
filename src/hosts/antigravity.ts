/** Antigravity, from antigravity.google/docs/hooks: its program could not be run for this. */
import { recordOf, hookTimeout, mcpEntry, type Host, type HostForm } from './host.ts';
import { fromForm, withForm } from './payload/form.ts';

const form: HostForm = {
  tool: 'toolCall.name',
  input: 'toolCall.args',
  session: 'conversationId',
  cwd: ['workspacePaths.0'],
  reads:
    'view_file list_directory search_directory find_file search_web read_url_content ask_question start_subagent finish'.split(
      ' ',
    ),
  edits: recordOf('create_file edit_file write_to_file replace_file_content', ['TargetFile', 'AbsolutePath']),
  shells: { run_command: 'CommandLine' },
  // What another exit code does is not documented.
  deny: { json: { decision: 'deny', reason: '$reason' }, exit: 0 },
};

export const antigravity: Host = {
  ...fromForm({ host: 'antigravity', title: 'Antigravity', agentType: 'antigravity' }, form),
  host: 'antigravity',
  levels: [
    {
      level: 'not proven',
      stopped: 'every tool, by `PreToolUse`',
      open: 'its command line may read hooks from plugins only',
      testedWith: 'payloads as documented',
      tests: 'contract/hooks',
    },
  ],
  setup: {
    ...withForm(form, 'Antigravity'),
    signs: { workspace: ['.agents'], home: ['.gemini/antigravity', '.antigravity'], program: 'antigravity' },
    files: (to) => {
      const hooks = [{ type: 'command', command: to.hook({ denying: true }), timeout: hookTimeout }];
      return [
        {
          file: ['.agents', 'hooks.json'],
          at: ['holdpoint'],
          value: { enabled: true, PreToolUse: [{ matcher: '', hooks }] },
        },
        mcpEntry(to.mcp, '.agents', 'mcp_config.json'),
      ];
    },
  },
};
