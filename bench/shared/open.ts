/** A machine's copy of a shared store, as the programs open it. */
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { databaseUrl } from '../../src/store/shared/login.ts';
import { openPlace } from '../seed.ts';
import type { Place } from '../seed.ts';

export function openShared(place: Place, agents: string, human: string | null = null): Workspace {
  return openPlace(place, { env: { [databaseUrl]: agents }, humanLogin: () => human });
}
