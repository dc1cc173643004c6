/** Converts an answer to the host's standard output, standard error and exit code. */
import type { HookAnswer, HookCall, Printed } from '../call.ts';
import type { Adapter, Denial } from '../host.ts';

type Print = Adapter['print'];

export function printAnswer(adapter: Adapter, call: Pick<HookCall, 'eventName'>, answer: HookAnswer): Printed {
  const json = adapter.print(answer, call);
  const out = json === null ? '' : JSON.stringify(json);
  const denied = adapter.deny?.exit ?? 2;
  // Both channels: on exit code 2 some hosts read one, some the other.
  if (answer.kind === 'deny') return { exit: denied, out, err: answer.reason };
  if (answer.kind === 'goOn') return { exit: adapter.goOnExit ?? denied, out, err: answer.reason };
  return { exit: 0, out, err: '' };
}

/** Whether an output contains this denial, whatever its reason. */
export function isDenied({ json }: Denial, output: string): boolean {
  return Object.entries(json).every(([key, value]) => {
    const isReason = typeof value === 'string' && value.includes('$reason');
    return output.includes(`${JSON.stringify(key)}:${isReason ? '' : JSON.stringify(value)}`);
  });
}

export function denialJson({ json }: Denial, reason: string): object {
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.replaceAll('$reason', () => reason) : value,
    ]),
  );
}

/**
 * The form `hookSpecificOutput`, introduced by Claude Code and adopted by others.
 * @param stamps whether the host accepts a changed input without an "allow"
 */
export function hookSpecific({ stamps }: { readonly stamps: boolean }): Print {
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

/** Both forms together: each of the Copilot agents reads its own. */
export const printCopilot: Print = (answer, { eventName }) => {
  const specific = (output: object) =>
    eventName === '' ? {} : { hookSpecificOutput: { hookEventName: eventName, ...output } };
  switch (answer.kind) {
    case 'deny': {
      const denied = { permissionDecision: 'deny', permissionDecisionReason: answer.reason };
      return { ...denied, ...specific(denied) };
    }
    case 'context':
      return { additionalContext: answer.text, ...specific({ additionalContext: answer.text }) };
    case 'goOn':
      return { decision: 'block', reason: answer.reason, ...specific({ decision: 'block', reason: answer.reason }) };
    case 'nothing':
    case 'stamp':
      return null;
  }
};
