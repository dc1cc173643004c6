/**
 * Cursor: its form (forms.ts), and the events after a tool and before the agent stops. Sources: cursor.com/docs/hooks, and
 * the runtime in the npm package `@cursor/sdk` 1.0.32, which was read and not run, because it needs an account. There, a
 * hook with `failClosed` that prints nothing blocks the call, so each answer is an object.
 */
import type { Adapter } from './adapter.ts';
import type { Fields } from './fields.ts';
import { adapterOf } from './form.ts';
import { hostForms } from './forms.ts';

const form = adapterOf('cursor', hostForms.cursor);
const after: readonly unknown[] = ['postToolUse', 'postToolUseFailure'];
/** Cursor runs the hooks of Claude Code's settings for these, too. */
const ignored =
  'sessionStart sessionEnd beforeSubmitPrompt preCompact subagentStart subagentStop afterFileEdit afterShellExecution afterMCPExecution afterAgentResponse afterAgentThought';
/** Longer context is dropped as a whole. */
const contextAtMost = 10_000;

export const cursor: Adapter = {
  ...form,
  events: {
    ...form.events,
    postToolUse: 'after',
    postToolUseFailure: 'after',
    stop: 'stop',
    aborted: 'other',
    ...Object.fromEntries(ignored.split(' ').map((name) => [name, 'other'] as const)),
  },
  commonForm(payload) {
    const { hook_event_name: event } = payload;
    if (after.includes(event)) return { ...ofTool(payload), hook_event_name: event };
    if (event === 'stop') return ofStop(payload);
    return typeof event === 'string' && ignored.split(' ').includes(event) ? payload : ofTool(payload, event);
  },
  print: (answer, call) => {
    if (answer.kind === 'context') return { additional_context: answer.text.slice(0, contextAtMost) };
    if (answer.kind === 'goOn') return { followup_message: answer.reason };
    return form.print(answer, call) ?? {};
  },
  goOnExit: 0,
};

function ofTool(payload: Fields, event: unknown = 'preToolUse'): Fields {
  return form.commonForm?.({ ...payload, hook_event_name: event }) ?? payload;
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
