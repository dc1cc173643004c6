/** `holdpoint team`: the server of a shared journal. Sharing, leaving and keys are signed by a human, in the editor. */
import type { Command } from 'commander';
import type { Verbs } from '../kit/verbs.ts';
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
  joinVerb(team, verbs);
  inEditor(team, verbs, 'share', 'how a workspace is shared');
  inEditor(team, verbs, 'leave', 'how a workspace moves back to this machine');
  statusVerb(team, verbs);
  membersVerb(team, verbs);
  restoreVerb(team, verbs);
}

const commands = {
  share: 'Share This Workspace',
  leave: 'Leave the Team',
} as const;

/** Agents run this program, so it only says what a person does. */
function inEditor(team: Command, { inFolder, exit }: Verbs, verb: keyof typeof commands, what: string): void {
  team
    .command(verb)
    .description(`explain ${what}; changes nothing and exits with 2, because a human signs it in the editor`)
    .action((_options: unknown, command: Command) =>
      inFolder(command, () => {
        exit(2);
        const message = `A human does this in the editor, where it is signed: "Holdpoint: ${commands[verb]}…" in the Command Palette.`;
        return { text: message, schema: `team_${verb}`, data: { result: 'denied', message } };
      }),
    );
}
