/** `holdpoint team invite`: adds a person to a shared workspace, and prints what they paste to join. */
import type { Command } from 'commander';
import type { Invitation } from '../../app/team/inviting.ts';
import type { Verbs } from '../kit/verbs.ts';
import { humansUrl } from './humansUrl.ts';
import { migrations } from './prepare.ts';
import { refusedOr1 } from './refused.ts';

export function inviteVerb(team: Command, { io, inFolder }: Verbs): void {
  team
    .command('invite <person>')
    .description(
      'add a person to a shared workspace and print what they paste to join; needs HOLDPOINT_HUMAN_URL, and HOLDPOINT_OWNER_URL for logins that do not exist',
    )
    .action((person: string, _options: unknown, command: Command) =>
      inFolder(
        command,
        async (workspace) => {
          const { invite } = await import('../../app/team/inviting.ts');
          const owner = io.env['HOLDPOINT_OWNER_URL'] ?? null;
          const data = await invite(workspace, { person, own: humansUrl(io), owner, migrations });
          return { text: invitationText(data), schema: 'team_invite', data };
        },
        refusedOr1,
      ),
    );
}

function invitationText({ person, name, logins, roots }: Invitation): string {
  const urlOf = (kind: 'human' | 'agent') => {
    const { login = '', url = null } = logins.find((one) => one.kind === kind) ?? {};
    return url ?? `the URL of ${login}, which exists already (a new one: holdpoint team roles --reset ${login})`;
  };
  const [root = '', ...others] = roots;
  return [
    `${person} is a member of ${name} now: ${logins.map(({ login }) => login).join(', ')}.`,
    '',
    `Send ${person} this over a safe channel. A URL contains a password and is shown this once.`,
    `1. In a terminal, in your clone: holdpoint team join ${name} --fingerprint ${root}`,
    `   It asks for a URL. Paste this: ${urlOf('agent')}`,
    '2. In the editor, where agents cannot see it: "Holdpoint: Connect to Your Team…"',
    `   Paste this: ${urlOf('human')}`,
    '3. In the editor: "Holdpoint: Manage Keys…". Copy your public key and send it back.',
    '',
    `Then tell ${person} the fingerprint over another channel, for example on the phone: they compare it.`,
    ...(others.length === 0 ? [] : [`Other root keys that can be compared: ${others.join(', ')}`]),
  ].join('\n');
}
