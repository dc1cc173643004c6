/** Tool calls as hosts pass them to a hook: one edits a file, one only reads it. Fields as in recorded payloads. */
import type { HostName } from '../names.ts';
import { hostForms } from '../payload/forms.ts';
import { formCanaryCalls } from './formCall.ts';
import type { CanaryCalls } from './formCall.ts';

/** @param file absolute path of the held file in `folder` */
export function canaryCalls(host: HostName, folder: string, file: string): CanaryCalls {
  const call = (tool: string, input: object) => ({
    hook_event_name: 'PreToolUse',
    session_id: 'holdpoint-canary',
    cwd: folder,
    tool_name: tool,
    tool_input: input,
  });
  const copilotCall = (toolName: string, toolArgs: object) => ({
    sessionId: 'holdpoint-canary',
    timestamp: Date.now(),
    cwd: folder,
    toolName,
    toolArgs,
  });
  const patch = ['*** Begin Patch', '*** Update File: held.txt', '@@', '-a', '+b', '*** End Patch', ''].join('\n');
  const beforeTool = { hook_event_name: 'BeforeTool' };
  switch (host) {
    case 'vscode':
      return {
        edit: call('replace_string_in_file', { filePath: file, oldString: 'a', newString: 'b' }),
        read: call('read_file', { filePath: file, startLine: 1, endLine: 1 }),
      };
    case 'claude-code':
      return {
        edit: call('Edit', { file_path: file, old_string: 'a', new_string: 'b' }),
        read: call('Read', { file_path: file }),
      };
    case 'copilot-cli':
      return {
        edit: copilotCall('edit', { path: file, old_str: 'a', new_str: 'b' }),
        read: copilotCall('view', { path: file }),
      };
    case 'codex':
      return { edit: call('apply_patch', { command: patch }), read: call('Bash', { command: 'cat held.txt' }) };
    case 'opencode':
      return {
        edit: call('edit', { filePath: file, oldString: 'a', newString: 'b' }),
        read: call('read', { filePath: file }),
      };
    case 'gemini-cli':
      return {
        edit: { ...call('replace', { file_path: file, old_string: 'a', new_string: 'b' }), ...beforeTool },
        read: { ...call('read_file', { file_path: file }), ...beforeTool },
      };
    case 'cursor':
    case 'windsurf':
    case 'kiro':
    case 'antigravity':
      return formCanaryCalls(hostForms[host], folder, file);
  }
}

/** What the host passes after the edit. */
export function canaryAfter(host: HostName, folder: string, file: string): object {
  const { edit } = canaryCalls(host, folder, file);
  if (host === 'cursor') return { ...edit, hook_event_name: 'postToolUse', tool_output: '{"ok":true}' };
  return host === 'copilot-cli'
    ? { ...edit, toolResult: { resultType: 'success', textResultForLlm: 'done' } }
    : { ...edit, hook_event_name: 'PostToolUse', tool_response: { ok: true } };
}
