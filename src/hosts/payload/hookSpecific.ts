/** The answer form `hookSpecificOutput`, introduced by Claude Code and adopted by others. */
import type { Adapter } from './adapter.ts';

/** @param stamps whether the host accepts a changed input without an "allow" */
export function hookSpecific({ stamps }: { readonly stamps: boolean }): Adapter['print'] {
  return (answer, { eventName }) => {
    const specific = (output: object) => ({ hookSpecificOutput: { hookEventName: eventName, ...output } });
    switch (answer.kind) {
      case 'nothing':
        return null;
      case 'deny':
        return specific({ permissionDecision: 'deny', permissionDecisionReason: answer.reason });
      case 'context':
        return specific({ additionalContext: answer.text });
      case 'goOn':
        return { decision: 'block', reason: answer.reason };
      case 'stamp':
        return stamps ? specific({ updatedInput: answer.input }) : null;
    }
  };
}
