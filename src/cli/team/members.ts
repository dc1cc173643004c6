/** `holdpoint team members`: logins on the server, and keys in the ring. */
import { fingerprintOf } from '../../trust/publicKeys.ts';
import type { Command } from 'commander';
import type { Membership } from '../../app/team/membership.ts';
import { table } from '../kit/table.ts';
import type { Shown, VerbOutputs } from '../kit/outputs.ts';
import type { Verbs } from '../kit/verbs.ts';
import { humansUrl } from './humansUrl.ts';
import { refusedOr1 } from './refused.ts';

export function membersVerb(team: Command, { io, inFolder }: Verbs): void {
  team
    .command('members')
    .description('list the logins of a shared workspace and the keys whose decisions count in it, or remove a login')
    .option('--remove <login>', 'end a membership, as an administrator; needs HOLDPOINT_HUMAN_URL')
    .action(({ remove }: { readonly remove?: string }, command: Command) =>
      inFolder(
        command,
        async (workspace): Promise<Shown> => {
          const { removeLogin, teamMembers } = await import('../../app/team/membership.ts');
          if (remove === undefined) return shownMembers(await teamMembers(workspace));
          await removeLogin(workspace, humansUrl(io), remove);
          return { text: `Removed: ${remove}.`, schema: 'team_members', data: { removed: [remove] } };
        },
        refusedOr1,
      ),
    );
}

const onlyRoot =
  'Only one key is a root. If it is lost, keys can no longer be added or removed here: its owner makes another one a root in the editor ("Holdpoint: Manage Keys…").';

function shownMembers({ members, keys }: Membership) {
  const data: VerbOutputs['team_members'] = {
    members,
    keys: keys.map(({ keyid, publicKey, name, isRoot, retired }) => ({
      keyid,
      fingerprint: fingerprintOf(keyid),
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
    ...(data.keys.filter(({ root }) => root).length === 1 ? ['', onlyRoot] : []),
  ].join('\n');
  return { text, schema: 'team_members', data } as const;
}
