/** The logins of a prepared database, as its owner sees them. */
import type { Client } from 'pg';
import { loginProblems } from './checks.ts';
import { newPassword } from './logins.ts';
import { ServerError, serverErrorOf } from './serverError.ts';
import { connectAnyway } from './session.ts';
import type { Settings } from './settings.ts';

export interface Role {
  readonly login: string;
  readonly kind: 'human' | 'agent';
  /** Open connections to the whole server. */
  readonly sessions: number;
  /** How many connections the server lets it have; -1 for any number. */
  readonly limit: number;
}

export interface Roles {
  readonly roles: readonly Role[];
  /** Logins that could do more than the shared journal's functions let them. */
  readonly problems: readonly string[];
}

const listed = `select r.rolname as login,
    case when pg_has_role(r.oid, 'holdpoint_human', 'member') then 'human' else 'agent' end as kind,
    r.rolconnlimit as limit,
    (select count(*)::int from pg_catalog.pg_stat_activity a where a.usesysid = r.oid) as sessions
  from pg_catalog.pg_roles r
  where r.rolcanlogin and exists (select from pg_catalog.pg_auth_members m
    where m.member = r.oid and m.roleid in (to_regrole('holdpoint_human'), to_regrole('holdpoint_agent'))
      and not m.admin_option)
  order by r.rolname`;

/** @throws ServerError */
export async function listRoles(owner: Settings): Promise<Roles> {
  return asOwner(owner, async (client) => {
    const { rows } = await client.query<Role>(listed);
    return { roles: rows, problems: await loginProblems(client) };
  });
}

/** @returns the new password; open connections of the login go on. @throws ServerError */
export async function resetPassword(owner: Settings, login: string): Promise<string> {
  return asOwner(owner, async (client) => {
    const { rows } = await client.query<Role>(listed);
    if (!rows.some((role) => role.login === login))
      throw new ServerError('refused', `there is no login ${login} of Holdpoint's: "holdpoint team roles" lists them`);
    const { password, verifier } = newPassword();
    await client.query(`alter role ${client.escapeIdentifier(login)} password ${client.escapeLiteral(verifier)}`);
    return password;
  });
}

async function asOwner<T>(settings: Settings, act: (client: Client) => Promise<T>): Promise<T> {
  const client = await connectAnyway({ settings, name: 'holdpoint team roles' });
  try {
    const { rows } = await client.query<{ ready: boolean }>(
      `select to_regrole('holdpoint_human') is not null as ready`,
    );
    if (rows[0]?.ready !== true)
      throw new ServerError('wrong', 'this database is not prepared for Holdpoint: run "holdpoint team init"');
    return await act(client);
  } catch (error) {
    throw serverErrorOf(error, 'reading');
  } finally {
    await client.end().catch(() => undefined);
  }
}
