/** From an answer to what the host's program reads: standard output, standard error and the exit code. */
import type { HookAnswer, HookCall, Printed } from '../call.ts';
import type { HostName } from '../names.ts';
import type { Adapter } from './adapter.ts';
import { printCopilot } from './copilotEvents.ts';

export function printAnswer(adapter: Adapter, call: Pick<HookCall, 'eventName'>, answer: HookAnswer): Printed {
  const json = adapter.print(answer, call);
  const out = json === null ? '' : JSON.stringify(json);
  // Told twice: hosts that see exit 2 read the one or the other.
  if (answer.kind === 'deny' || answer.kind === 'goOn') return { exit: 2, out, err: answer.reason };
  return { exit: 0, out, err: '' };
}

/** Why nothing could be asked, on one line, and the way out of it, which is a human's. */
export function failure(why: string, host?: HostName): Printed {
  const line = why
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 600)
    .replace(/[.!]?$/, '.');
  const out =
    'Stop, and tell your human to look at the view Holdpoint in VS Code, and at the command "Holdpoint: Set Up Agents…".';
  const err = `Holdpoint denies this, for it cannot tell whether it may go on: ${line} ${out}`;
  // It shows its model no standard error.
  const json = host === 'copilot-cli' ? printCopilot({ kind: 'deny', reason: err }, { eventName: '' }) : null;
  return { exit: 2, out: json === null ? '' : JSON.stringify(json), err };
}
