/** Events of the Copilot agents in both spellings, and payloads without an event name (the CLI's own form). */
import type { HookEvent } from '../call.ts';
import type { Adapter } from './adapter.ts';
import { has } from './fields.ts';
import type { Fields } from './fields.ts';

export const copilotEvents: Readonly<Record<string, HookEvent>> = {
  ...both('tool', 'PreToolUse', 'preToolUse'),
  ...both('sessionStart', 'SessionStart', 'sessionStart'),
  ...both('prompt', 'UserPromptSubmit', 'userPromptSubmitted'),
  ...both('stop', 'Stop', 'agentStop'),
  ...both('after', 'PostToolUse', 'postToolUse', 'PostToolUseFailure', 'postToolUseFailure'),
  ...both(
    'other',
    ...'SubagentStart subagentStart SubagentStop subagentStop PreCompact preCompact SessionEnd sessionEnd ErrorOccurred errorOccurred Notification notification PermissionRequest permissionRequest'.split(
      ' ',
    ),
  ),
};

function both(event: HookEvent, ...names: string[]): Record<string, HookEvent> {
  return Object.fromEntries(names.map((name) => [name, event]));
}

/** Infers the event from the fields: a payload in the CLI's own form does not name it. */
export function unnamedCopilotEvent(payload: Fields): HookEvent | null {
  if (has(payload, 'toolName', 'tool_name') && has(payload, 'toolResult', 'tool_result', 'error')) return 'after';
  if (has(payload, 'toolResult', 'tool_result', 'error')) return 'other';
  if (has(payload, 'toolName', 'tool_name')) return 'tool';
  if (has(payload, 'stopReason', 'stop_reason')) return 'stop';
  if (has(payload, 'source', 'initialPrompt', 'initial_prompt')) return 'sessionStart';
  if (has(payload, 'prompt')) return 'prompt';
  return has(payload, 'reason') ? 'other' : null;
}

/** Both forms at once: each host reads its own. */
export const printCopilot: Adapter['print'] = (answer, { eventName }) => {
  const specific = (output: object) =>
    eventName === '' ? {} : { hookSpecificOutput: { hookEventName: eventName, ...output } };
  switch (answer.kind) {
    case 'nothing':
      return null;
    case 'deny': {
      const denied = { permissionDecision: 'deny', permissionDecisionReason: answer.reason };
      return { ...denied, ...specific(denied) };
    }
    case 'context':
      return { additionalContext: answer.text, ...specific({ additionalContext: answer.text }) };
    case 'goOn':
      return { decision: 'block', reason: answer.reason, ...specific({ decision: 'block', reason: answer.reason }) };
    case 'stamp':
      // No stamp: its tools reject fields that their schema does not list, and one VS Code agent serves all chats of a
      // window.
      return null;
  }
};
