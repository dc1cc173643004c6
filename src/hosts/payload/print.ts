/** Converts an answer to the host's standard output, standard error and exit code. */
import type { HookAnswer, HookCall, Printed } from '../call.ts';
import type { HookHost } from '../names.ts';
import type { Adapter } from './adapter.ts';
import { printCopilot } from './copilotEvents.ts';
import { denialJson } from './denial.ts';
import { denialOf } from './forms.ts';
import { genericDenial } from './genericForm.ts';

export function printAnswer(adapter: Adapter, call: Pick<HookCall, 'eventName'>, answer: HookAnswer): Printed {
  const json = adapter.print(answer, call);
  const out = json === null ? '' : JSON.stringify(json);
  // Both channels: on exit code 2 some hosts read one, some the other.
  if (answer.kind === 'deny') return { exit: adapter.denialExit ?? 2, out, err: answer.reason };
  if (answer.kind === 'goOn') return { exit: adapter.goOnExit ?? adapter.denialExit ?? 2, out, err: answer.reason };
  return { exit: 0, out, err: '' };
}

const remedy =
  'Stop, and ask your human to open the Holdpoint view in VS Code, and to run "Holdpoint: Set Up Agents…".';

/**
 * Denies because the gate could not be asked: the reason on one line, and the remedy.
 *
 * @param form the description of a generic host
 * @param todo what to do; default: the human's remedy
 */
export function failure(why: string, host?: HookHost, form?: string, todo = remedy): Printed {
  const line = why
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 600)
    .replace(/[.!]?$/, '.');
  const err = `Holdpoint denies this because it could not check for holds: ${line} ${todo}`;
  // Copilot CLI does not show standard error to its model.
  if (host === 'copilot-cli')
    return { exit: 2, out: JSON.stringify(printCopilot({ kind: 'deny', reason: err }, { eventName: '' })), err };
  const denial = host === 'generic' ? genericDenial(form) : host && denialOf(host);
  return { exit: denial?.exit ?? 2, out: denial ? JSON.stringify(denialJson(denial, err)) : '', err };
}
