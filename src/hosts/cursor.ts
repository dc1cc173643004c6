/**
 * Cursor: a form, and the events after a tool and before the agent stops. Sources: cursor.com/docs/hooks, and the runtime
 * in the npm package `@cursor/sdk` 1.0.32, which was read and not run, because it needs an account. There, a hook with
 * `failClosed` that prints nothing blocks the call, so each answer is an object.
 */
import { recordOf, hookTimeout, mcpEntry, type Host, type HostFile, type HostForm } from './host.ts';
import type { Fields } from './payload/toolKinds.ts';
import { fromForm, withForm } from './payload/form.ts';

const form: HostForm = {
  event: { field: 'hook_event_name', before: 'preToolUse' },
  tool: 'tool_name',
  input: 'tool_input',
  session: 'conversation_id',
  cwd: ['cwd', 'workspace_roots.0'],
  reads: ['Read', 'Grep', 'Task'],
  edits: recordOf('Write Edit StrReplace Delete', ['file_path', 'path', 'target_file']),
  shells: { Shell: 'command' },
  // It does not say which server a tool belongs to, so no tool is treated as signed to be read-only.
  servers: { prefix: 'MCP:', separator: '/' },
  deny: { json: { permission: 'deny', user_message: '$reason', agent_message: '$reason' }, exit: 2 },
};
const adapter = fromForm({ host: 'cursor', title: 'Cursor', agentType: 'cursor' }, form);
/** Cursor runs the hooks of Claude Code's settings for these, too. */
const ignored =
  'sessionStart sessionEnd beforeSubmitPrompt preCompact subagentStart subagentStop afterFileEdit afterShellExecution afterMCPExecution afterAgentResponse afterAgentThought';
const contextAtMost = 10_000;

function ofTool(payload: Fields, event: unknown = 'preToolUse'): Fields {
  return adapter.commonForm({ ...payload, hook_event_name: event });
}

/** Only an agent that has finished is sent back: a human may have stopped it. */
function ofStop(payload: Fields): Fields {
  const { conversation_id: session, workspace_roots: roots, status, loop_count: loops } = payload;
  return {
    ...payload,
    hook_event_name: status === 'completed' ? 'stop' : 'aborted',
    session_id: session,
    cwd: Array.isArray(roots) ? (roots as readonly unknown[])[0] : undefined,
    stop_hook_active: typeof loops === 'number' && loops > 0,
  };
}

function hooksFile(hook: (denying: boolean, after?: boolean) => string): HostFile {
  const looks = { command: hook(false, true), timeout: hookTimeout };
  return {
    file: ['.cursor', 'hooks.json'],
    hooks: {
      preToolUse: { command: hook(true), timeout: hookTimeout, failClosed: true },
      postToolUse: looks,
      postToolUseFailure: looks,
      stop: { command: hook(false), timeout: hookTimeout },
    },
    made: { version: 1 },
  };
}

export const cursor: Host = {
  ...adapter,
  host: 'cursor',
  events: {
    ...adapter.events,
    ...recordOf('postToolUse postToolUseFailure', 'after'),
    stop: 'stop',
    ...recordOf(`aborted ${ignored}`, 'other'),
  },
  commonForm(payload) {
    const { hook_event_name: event } = payload;
    if (event === 'postToolUse' || event === 'postToolUseFailure')
      return { ...ofTool(payload), hook_event_name: event };
    if (event === 'stop') return ofStop(payload);
    return typeof event === 'string' && ignored.split(' ').includes(event) ? payload : ofTool(payload, event);
  },
  print: (answer, call) => {
    if (answer.kind === 'context') return { additional_context: answer.text.slice(0, contextAtMost) };
    if (answer.kind === 'goOn') return { followup_message: answer.reason };
    return adapter.print(answer, call) ?? {};
  },
  goOnExit: 0,
  levels: [
    {
      level: 'not proven',
      stopped: 'every tool, by `preToolUse`',
      open: 'inline completions. No MCP tool can be marked as read-only',
      testedWith: 'payloads as documented',
      tests: 'contract/cursorHooks',
    },
  ],
  setup: {
    ...withForm(form, 'Cursor'),
    signs: { workspace: ['.cursor', '.cursorrules'], home: ['.cursor'], program: 'cursor' },
    files: (to) => [
      hooksFile((denying, after = false) => {
        const command = to.hook({ denying, after });
        // Some versions append a here-document with the payload: it must reach the whole command, not its last part.
        return to.platform === 'win32' ? command : `{ ${command}; }`;
      }),
      mcpEntry(to.mcp, '.cursor', 'mcp.json'),
    ],
    called: (call) => ({ ...call, hook_event_name: 'postToolUse', tool_output: '{"ok":true}' }),
    machine: {
      linux: '/etc/cursor/hooks.json',
      darwin: '/Library/Application Support/Cursor/hooks.json',
      win32: 'C:\\ProgramData\\Cursor\\hooks.json',
      files: (to) => [hooksFile(to.line)],
    },
  },
};
