/** What setup can configure: the hosts with hooks, and git. */
import { hostNames } from '../../core/kit/hostNames.ts';
import { hostFacts } from '../names.ts';
import type { HostName } from '../names.ts';

export const setupNames = [...hostNames, 'git'] as const;

export type SetupName = HostName | 'git';

export function setupTitle(name: SetupName): string {
  return name === 'git' ? 'git' : hostFacts[name].title;
}

export function isSetupName(name: string): name is SetupName {
  return setupNames.some((known) => known === name);
}

/** Why a setup is impossible, shown to the user verbatim, with the remedy. Nothing was written. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
