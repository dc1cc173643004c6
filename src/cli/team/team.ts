/** `holdpoint team`: the server of a shared journal. Sharing, leaving and keys are signed by a human, in the editor. */
import type { Command } from 'commander';
import type { Verbs } from '../kit/verbs.ts';
import { joinVerb } from './join.ts';
import { initVerb, inviteVerb, membersVerb } from './people.ts';
import { statusVerb } from './status.ts';

export function teamVerbs(program: Command, verbs: Verbs): void {
  const team = program
    .command('team')
    .description('one journal for a team, on a PostgreSQL server: set it up, join it, see how it is');
  initVerb(team, verbs);
  inviteVerb(team, verbs);
  joinVerb(team, verbs);
  statusVerb(team, verbs);
  membersVerb(team, verbs);
}
