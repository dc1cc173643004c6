/** `holdpoint team members`: logins on the server, and keys in the ring. */
import { fingerprintOf } from '../../trust/publicKeys.ts';
import type { Command } from 'commander';
import type { Membership } from '../../app/team/membership.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { plural } from '../../core/kit/plural.ts';
import type { Io } from '../kit/io.ts';
import { table } from '../kit/table.ts';
import type { Shown, VerbOutputs } from '../kit/outputs.ts';
import type { Verbs } from '../kit/verbs.ts';
import { humansUrl } from './humansUrl.ts';
import { refusedOr1 } from './refused.ts';

interface MembersOptions {
  readonly add?: string;
  readonly remove?: string;
  readonly endTurns?: boolean;
  readonly endSessions?: string;
}

export function membersVerb(team: Command, { io, inFolder }: Verbs): void {
  team
    .command('members')
    .description('list the logins of a shared workspace and the keys whose decisions count in it, or change the logins')
    .option('--add <person>', "make a person's two logins members, as an administrator; needs HOLDPOINT_HUMAN_URL")
    .option('--remove <login>', 'end a membership, as an administrator; needs HOLDPOINT_HUMAN_URL')
    .option('--end-turns', 'end the session that keeps all others from appending; needs HOLDPOINT_HUMAN_URL')
    .option('--end-sessions <login>', "end all sessions of an agents' login; needs HOLDPOINT_HUMAN_URL")
    .action((options: MembersOptions, command: Command) =>
      inFolder(command, (workspace) => (isAct(options) ? act(io, workspace, options) : list(workspace)), refusedOr1),
    );
}

function isAct({ add, remove, endTurns, endSessions }: MembersOptions): boolean {
  return [add, remove, endTurns, endSessions].some((given) => given !== undefined);
}

async function list(workspace: Workspace): Promise<Shown> {
  const { teamMembers } = await import('../../app/team/membership.ts');
  return shownMembers(await teamMembers(workspace));
}

async function act(io: Io, workspace: Workspace, options: MembersOptions): Promise<Shown> {
  const { add, remove, endTurns = false, endSessions } = options;
  if ([add, remove, endTurns || undefined, endSessions].filter((given) => given !== undefined).length !== 1)
    throw new AppError('bad_input', 'give one of --add, --remove, --end-turns and --end-sessions');
  const url = humansUrl(io);
  const { addPerson, endTeamSessions, removeLogin } = await import('../../app/team/membership.ts');
  if (add !== undefined) return changed('added', await addPerson(workspace, url, add));
  if (remove !== undefined) return changed('removed', await removeLogin(workspace, url, remove));
  const ended = await endTeamSessions(workspace, url, endSessions);
  return { text: `${plural(ended, 'session')} ended.`, schema: 'team_members', data: { ended } };
}

function changed(what: 'added' | 'removed', logins: readonly string[]): Shown {
  const data = what === 'added' ? { added: logins } : { removed: logins };
  return { text: `${what === 'added' ? 'Added' : 'Removed'}: ${logins.join(', ')}.`, schema: 'team_members', data };
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
