/** `holdpoint team`: the server of a shared journal. Sharing, leaving and keys are signed by a human, in the editor. */
import type { Command } from 'commander';
import type { Verbs } from '../kit/verbs.ts';
import { inviteVerb } from './invite.ts';
import { joinVerb } from './join.ts';
import { membersVerb } from './members.ts';
import { initVerb, rolesVerb } from './prepare.ts';
import { restoreVerb } from './restore.ts';
import { statusVerb } from './status.ts';

export function teamVerbs(program: Command, verbs: Verbs): void {
  const team = program
    .command('team')
    .description('one journal for a team, on a PostgreSQL server: set it up, join it, see how it is');
  initVerb(team, verbs);
  rolesVerb(team, verbs);
  inviteVerb(team, verbs);
  joinVerb(team, verbs);
  statusVerb(team, verbs);
  membersVerb(team, verbs);
  restoreVerb(team, verbs);
}
