/** Converts an answer to the host's standard output, standard error and exit code. */
import type { HookAnswer, HookCall, Printed } from '../call.ts';
import type { Adapter, Denial } from '../host.ts';
import type { Fields } from './toolKinds.ts';

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

interface Forms {
  readonly deny: (reason: string, eventName: string) => object;
  readonly context: (text: string, eventName: string) => object;
  readonly goOn: (reason: string, eventName: string) => object;
  /** Only for a host that accepts a changed input without an "allow". */
  readonly stamp?: (input: Fields, eventName: string) => object;
}

export function printing({ deny, context, goOn, stamp }: Forms): Print {
  return (answer, { eventName }) => {
    switch (answer.kind) {
      case 'deny':
        return deny(answer.reason, eventName);
      case 'context':
        return context(answer.text, eventName);
      case 'goOn':
        return goOn(answer.reason, eventName);
      case 'stamp':
        return stamp?.(answer.input, eventName) ?? null;
      case 'nothing':
        return null;
    }
  };
}

/** The form `hookSpecificOutput`, introduced by Claude Code and adopted by others. */
export function specific(hookEventName: string, output: object): object {
  return { hookSpecificOutput: { hookEventName, ...output } };
}

const blocking = (reason: string) => ({ decision: 'block', reason });
const denied = (reason: string) => ({ permissionDecision: 'deny', permissionDecisionReason: reason });

export const hookSpecific: Forms = {
  deny: (reason, event) => specific(event, denied(reason)),
  context: (additionalContext, event) => specific(event, { additionalContext }),
  goOn: blocking,
};

/** Both forms together: each of the Copilot agents reads its own. */
export const printCopilot = printing({
  deny: (reason, event) => both(event, denied(reason)),
  context: (additionalContext, event) => both(event, { additionalContext }),
  goOn: (reason, event) => both(event, blocking(reason)),
});

function both(event: string, output: object): object {
  return { ...output, ...(event === '' ? {} : specific(event, output)) };
}
