/** Converts an answer to the host's standard output, standard error and exit code. */
import type { HookAnswer, HookCall, Printed } from '../call.ts';
import type { HostName } from '../names.ts';
import type { Adapter } from './adapter.ts';
import { printCopilot } from './copilotEvents.ts';

export function printAnswer(adapter: Adapter, call: Pick<HookCall, 'eventName'>, answer: HookAnswer): Printed {
  const json = adapter.print(answer, call);
  const out = json === null ? '' : JSON.stringify(json);
  // Both channels: on exit code 2 some hosts read one, some the other.
  if (answer.kind === 'deny' || answer.kind === 'goOn') return { exit: 2, out, err: answer.reason };
  return { exit: 0, out, err: '' };
}

/** Denies because the gate could not be asked: the reason on one line, and the human's remedy. */
export function failure(why: string, host?: HostName): Printed {
  const line = why
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 600)
    .replace(/[.!]?$/, '.');
  const out = 'Stop, and ask your human to open the Holdpoint view in VS Code, and to run "Holdpoint: Set Up Agents…".';
  const err = `Holdpoint denies this because it could not check for holds: ${line} ${out}`;
  // Copilot CLI does not show standard error to its model.
  const json = host === 'copilot-cli' ? printCopilot({ kind: 'deny', reason: err }, { eventName: '' }) : null;
  return { exit: 2, out: json === null ? '' : JSON.stringify(json), err };
}
