/** From an answer to what the host's program reads: standard output, standard error and the exit code. */
import type { HookAnswer, HookCall, Printed } from '../call.ts';
import type { Adapter } from './adapter.ts';

export function printAnswer(adapter: Adapter, call: Pick<HookCall, 'eventName'>, answer: HookAnswer): Printed {
  const json = adapter.print(answer, call);
  const out = json === null ? '' : JSON.stringify(json);
  // Told twice: hosts that see exit 2 read the one or the other.
  if (answer.kind === 'deny' || answer.kind === 'goOn') return { exit: 2, out, err: answer.reason };
  return { exit: 0, out, err: '' };
}

/** Why nothing could be asked, on one line, and the way out of it, which is a human's. */
export function failure(why: string): Printed {
  const line = why
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 600)
    .replace(/[.!]?$/, '.');
  const out =
    'Stop, and tell your human to look at the view Holdpoint in VS Code, and at the command "Holdpoint: Set Up Agents…".';
  return { exit: 2, out: '', err: `Holdpoint denies this, for it cannot tell whether it may go on: ${line} ${out}` };
}
