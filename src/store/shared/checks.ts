/** What makes a server unfit for a shared journal. Each problem is a sentence that says what to do. */
import type { Client } from 'pg';

const about = `select version() as version, current_setting('server_version_num')::int as number,
    set_config('synchronous_commit', 'on', false) as synchronous`;

const unfitServer = `select what from (values
    (pg_is_in_recovery(), 'This server is a standby, which only reads: name the primary server.'),
    (current_setting('fsync') <> 'on', 'fsync is off: a power loss could take acknowledged lines. Set fsync = on.'),
    (current_setting('full_page_writes') <> 'on', 'full_page_writes is off: a crash could damage pages. Set full_page_writes = on.'),
    (current_setting('synchronous_commit') <> 'on', 'synchronous_commit cannot be switched on: a crash could take acknowledged lines.'),
    (current_setting('max_prepared_transactions') <> '0',
      'Prepared transactions are allowed: one could stop all appends for good. Set max_prepared_transactions = 0.'),
    (current_setting('server_encoding') <> 'UTF8', 'The database''s encoding is ' || current_setting('server_encoding') || ': create one with the encoding UTF8.'),
    (not (select rolsuper or rolcreaterole from pg_catalog.pg_roles where rolname = current_user),
      'This login cannot create roles: use one with CREATEROLE, for example the one that came with the server.'),
    (not has_database_privilege(current_database(), 'CREATE'), 'This login cannot create a schema in this database: use its owner, or grant CREATE.')
  ) problem(is_so, what) where is_so`;

export async function serverProblems(client: Client): Promise<string[]> {
  const [it] = (await client.query<{ version: string; number: number }>(about)).rows;
  const isOurs = /^(PostgreSQL|EnterpriseDB) (?!.*-YB-)/.test(it?.version ?? '');
  if (!it || !isOurs || it.number < 140_000 || it.number >= 190_000)
    return [`This is "${it?.version.slice(0, 60) ?? ''}": a shared journal needs PostgreSQL 14 to 18.`];
  return (await client.query<{ what: string }>(unfitServer)).rows.map(({ what }) => what);
}

/** Roles whose members could write past the functions, read past row-level security, or run programs on the server. */
const strongRoles = [
  'holdpoint_owner',
  'pg_write_all_data',
  'pg_read_all_data',
  'pg_write_server_files',
  'pg_read_server_files',
  'pg_execute_server_program',
  'pg_signal_backend',
  'pg_maintain',
];

const unfit = `select r.rolname as login,
    concat_ws(', ',
      case when r.rolsuper then 'is a superuser' end,
      case when r.rolcreaterole then 'may create roles' end,
      case when r.rolbypassrls then 'bypasses row-level security' end,
      case when r.rolreplication then 'may replicate' end,
      case when r.rolname = 'holdpoint_owner' and r.rolcanlogin then 'can log in' end,
      (select 'is a member of ' || string_agg(g.rolname, ', ' order by g.rolname) from pg_catalog.pg_roles g
        where g.rolname = any ($1) and r.rolname <> 'holdpoint_owner' and not r.rolsuper and pg_has_role(r.oid, g.oid, $2)),
      case when r.rolcanlogin and pg_has_role(r.oid, 'holdpoint_human', $2) and pg_has_role(r.oid, 'holdpoint_agent', $2)
        then 'is a login of humans and of agents' end,
      case when exists (select from pg_catalog.pg_database d where d.datname = current_database() and d.datdba = r.oid)
        then 'owns the database' end
    ) as why
  from pg_catalog.pg_roles r
  where r.rolname in ('holdpoint_owner', 'holdpoint_human', 'holdpoint_agent')
    or (r.rolname <> 'holdpoint_owner' and not r.rolsuper
      and (pg_has_role(r.oid, 'holdpoint_human', $2) or pg_has_role(r.oid, 'holdpoint_agent', $2)))
    or (r.rolsuper and exists (select from pg_catalog.pg_auth_members m join pg_catalog.pg_roles g on g.oid = m.roleid
      where m.member = r.oid and g.rolname in ('holdpoint_human', 'holdpoint_agent')))`;

/** Logins of the shared journal that could do more than its functions let them. */
export async function loginProblems(client: Client): Promise<string[]> {
  // From 16 on, who created a role may grant it to others, which is a membership without any right of the role.
  const versions = await client.query<{ usable: string }>(
    `select case when current_setting('server_version_num')::int >= 160000 then 'usage, set' else 'member' end as usable`,
  );
  const usable = versions.rows[0]?.usable;
  const { rows } = await client.query<{ login: string; why: string }>(unfit, [strongRoles, usable]);
  return rows
    .filter(({ why }) => why !== '')
    .map(({ login, why }) => `The role ${login} ${why}: it could do more than append.`);
}

const foreign = `select format('%s %s', kind, name) as what from (
    select 'schema' as kind, nspname as name, nspowner as owner from pg_catalog.pg_namespace where nspname = 'holdpoint'
    union all
    select 'relation', relname, relowner from pg_catalog.pg_class where relnamespace = to_regnamespace('holdpoint')
    union all
    select 'function', proname, proowner from pg_catalog.pg_proc where pronamespace = to_regnamespace('holdpoint')
  ) found where owner is distinct from to_regrole('holdpoint_owner')`;

/** What another program or person has put into our schema. What belongs to its owner is made anew. */
export async function schemaProblems(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ what: string }>(foreign);
  return rows.map(
    ({ what }) =>
      `The database has something in the schema holdpoint that is not Holdpoint's (${what}): look at it and remove it.`,
  );
}
