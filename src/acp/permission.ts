/** Requests for permission and their responses. */
import { isFields, textOf } from '../hosts/payload/fields.ts';
import type { Fields } from '../hosts/payload/fields.ts';

function optionsOf({ options }: Fields): Fields[] {
  return Array.isArray(options) ? (options as unknown[]).filter(isFields) : [];
}

/** The response that refuses. `cancelled` where the agent offers no refusal. */
export function refusal(params: Fields, reason: string): Fields {
  const options = optionsOf(params);
  const reject = ['reject_once', 'reject_always']
    .flatMap((kind) => options.filter((option) => option['kind'] === kind))
    .find((option) => typeof option['optionId'] === 'string');
  return {
    outcome: reject ? { outcome: 'selected', optionId: reject['optionId'] } : { outcome: 'cancelled' },
    _meta: { holdpoint: { reason } },
  };
}

/**
 * Without the options that would keep the agent from asking again: later calls would not reach the gate. They stay
 * where the agent offers no other way to allow.
 */
export function askedEachTime(params: Fields): Fields {
  const options = optionsOf(params);
  if (!options.some((option) => option['kind'] === 'allow_once')) return params;
  return { ...params, options: options.filter((option) => option['kind'] !== 'allow_always') };
}

/** How the client decided, among the options that it was offered. Anything unclear is no permission. */
export function decisionIn(params: Fields, result: unknown): 'allowed' | 'refused' | 'unclear' {
  const outcome = isFields(result) ? result['outcome'] : null;
  if (!isFields(outcome)) return 'unclear';
  if (outcome['outcome'] === 'cancelled') return 'refused';
  const chosen = optionsOf(params).filter((option) => option['optionId'] === outcome['optionId']);
  const kinds = chosen.map((option) => textOf(option, 'kind') ?? '');
  if (outcome['outcome'] !== 'selected' || kinds.length !== 1) return 'unclear';
  const [kind = ''] = kinds;
  if (kind.startsWith('reject_')) return 'refused';
  return kind.startsWith('allow_') ? 'allowed' : 'unclear';
}
