/** All faults of a shared journal, in the order in which one team goes through them. */
import type { Budget, Row } from '../row.ts';
import { clockJumps } from './clocks.ts';
import { sharedKills } from './kills.ts';
import { partitions, silences } from './partitions.ts';
import { backups, crashes, spam, standbys, stoppedHolders } from './servers.ts';
import type { Team } from './team.ts';

export interface SharedRun {
  readonly bundle: string;
  readonly team: Team;
  readonly budget: Budget;
}

export const sharedFaults = {
  partitions: ({ team, budget }: SharedRun) => partitions(team, budget),
  silences: ({ team, budget }: SharedRun) => silences(team, budget),
  crashes: ({ team, budget }: SharedRun) => crashes(team, budget),
  spam: ({ team, budget }: SharedRun) => spam(team, budget),
  clockJumps: ({ team, budget }: SharedRun) => clockJumps(team, budget),
  backups: ({ team, budget }: SharedRun) => backups(team, budget),
  standbys: ({ team, budget }: SharedRun) => standbys(team, budget),
  stoppedHolders: ({ bundle, team, budget }: SharedRun) => stoppedHolders(bundle, team, budget),
  kills: ({ bundle, team, budget }: SharedRun) => sharedKills(bundle, team, budget),
} as const satisfies Record<string, (run: SharedRun) => Promise<Row[]>>;

export type SharedFault = keyof typeof sharedFaults;
