/** `holdpoint team members`: logins on the server, and keys in the ring. */
import type { Command } from 'commander';
import type { Membership } from '../../app/team/membership.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { plural } from '../../core/kit/plural.ts';
import type { Io } from '../kit/io.ts';
import { table } from '../kit/table.ts';
import type { VerbOutputs } from '../kit/outputs.ts';
import type { Verbs } from '../kit/verbs.ts';
import { refusedOr1 } from './refused.ts';

interface MembersOptions {
  readonly endTurns?: boolean;
  readonly endSessions?: string;
}

export function membersVerb(team: Command, { io, inFolder }: Verbs): void {
  team
    .command('members')
    .description('list the logins of a shared workspace and the keys whose decisions count in it')
    .option('--end-turns', 'end the session that keeps all others from appending; needs HOLDPOINT_HUMAN_URL')
    .option('--end-sessions <login>', "end all sessions of an agents' login; needs HOLDPOINT_HUMAN_URL")
    .action(({ endTurns = false, endSessions }: MembersOptions, command: Command) =>
      inFolder(
        command,
        async (workspace) => {
          const { endTeamSessions, teamMembers } = await import('../../app/team/membership.ts');
          if (!endTurns && endSessions === undefined) return shownMembers(await teamMembers(workspace));
          const ended = await endTeamSessions(workspace, humansUrl(io), endSessions);
          return { text: `${plural(ended, 'session')} ended.`, schema: 'team_members', data: { ended } };
        },
        refusedOr1,
      ),
    );
}

function humansUrl({ env }: Io): string {
  const url = env['HOLDPOINT_HUMAN_URL'] ?? '';
  if (url !== '') return url;
  throw new AppError(
    'denied',
    "only a human's login can end sessions, and the command line has none, because agents use it: do this in the editor, or set HOLDPOINT_HUMAN_URL for this one command",
  );
}

function shownMembers({ members, keys }: Membership) {
  const data: VerbOutputs['team_members'] = {
    members,
    keys: keys.map(({ keyid, publicKey, name, isRoot, retired }) => ({
      keyid,
      fingerprint: (keyid.match(/.{4}/g) ?? []).join(' '),
      public_key: publicKey,
      name,
      root: isRoot,
      retired: retired ? { at: retired.at, why: retired.why } : null,
    })),
  };
  const logins = members.map(({ login, kind, person, admin }) => [login, kind, admin ? 'yes' : 'no', person]);
  const rows = data.keys.map((key) => [
    key.name,
    key.retired ? 'removed' : key.root ? 'root' : 'counts',
    key.fingerprint,
  ]);
  const text = [
    table(['login', 'kind', 'admin', 'person'], logins),
    '',
    table(['name', 'key', 'fingerprint'], rows),
  ].join('\n');
  return { text, schema: 'team_members', data } as const;
}
