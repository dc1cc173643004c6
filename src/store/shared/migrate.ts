/**
 * Prepares a database for shared journals: roles, schema and functions, in one transaction that may run again at any time.
 * It refuses a server that cannot enforce "append only".
 */
import fs from 'node:fs';
import type { Client } from 'pg';
import { poolerProblem, connect, leave, schemaVersion } from './session.ts';
import { ServerError, serverErrorOf, type Settings } from './settings.ts';
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** @param file `media/sql/schema.sql` */
export function readSchema(file: string): string {
  return fs.readFileSync(file, 'utf8');
}

interface InitOptions {
  /** Of a login that may create roles and schemas. It is used here only, and remembered nowhere. */
  readonly owner: Settings;
  readonly schema: string;
  readonly logins: readonly NewLogin[];
}

/** @returns the logins @throws ServerError `refused` with every reason, one per line */
export async function prepareDatabase({ owner, schema, logins }: InitOptions): Promise<readonly Login[]> {
  const client = await connect({ settings: owner, name: 'holdpoint team init' });
  try {
    refuse(await serverProblems(client));
    const pooler = await poolerProblem({ settings: owner });
    refuse(pooler === null ? [] : [pooler]);
    await client.query('begin');
    const made = await inTransaction(client, schema, logins);
    await client.query('commit');
    return made;
  } catch (error) {
    throw serverErrorOf(error, 'reading');
  } finally {
    // Ends a transaction that was not committed.
    await leave(client);
  }
}

async function inTransaction(client: Client, schema: string, logins: readonly NewLogin[]): Promise<readonly Login[]> {
  const one = async (text: string): Promise<unknown> =>
    Object.values((await client.query<Record<string, unknown>>(text)).rows[0] ?? {})[0];
  // Of two at the same time, one fails, because the other created the same things. A lock could be kept by any login.
  refuse(await schemaProblems(client));
  for (const group of ['holdpoint_owner', 'holdpoint_human', 'holdpoint_agent'])
    if ((await one(`select to_regrole('${group}')`)) === null) await client.query(`create role ${group} nologin`);
  // One who is not a superuser must be a member of the owner to act as it; not longer than this takes.
  const isMember = (await one('select rolsuper from pg_roles where rolname = current_user')) !== true;
  if (isMember) await client.query('grant holdpoint_owner to current_user');
  if ((await one(`select to_regclass('holdpoint.schema_version')`)) === null)
    await client.query('create schema if not exists holdpoint authorization holdpoint_owner');
  else if (Number(await one('select max(version) from holdpoint.schema_version')) > schemaVersion)
    refuse(['This database is for a newer Holdpoint: update this one.']);
  await client.query('set local role holdpoint_owner');
  await client.query(schema);
  await client.query('reset role');
  const made: Login[] = [];
  for (const login of logins) made.push(await makeLogin(client, login));
  if (isMember) await client.query('revoke holdpoint_owner from current_user');
  refuse(await loginProblems(client));
  return made;
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new ServerError('refused', problems.join('\n'));
}

// What makes a server unfit for a shared journal. Each problem is a sentence that says what to do.

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

async function serverProblems(client: Client): Promise<string[]> {
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

async function loginProblems(client: Client): Promise<string[]> {
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
async function schemaProblems(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ what: string }>(foreign);
  return rows.map(
    ({ what }) =>
      `The database has something in the schema holdpoint that is not Holdpoint's (${what}): look at it and remove it.`,
  );
}

// Logins: one for each person's editor, and one for that person's agents.

interface NewLogin {
  readonly login: string;
  readonly kind: 'human' | 'agent';
}

/** The password of a login that existed before is null: it stays as it is. */
interface Login extends NewLogin {
  readonly password: string | null;
}

/** So that no login can take all connections of a server. An owner can set other limits: they stay. */
const mostConnections = { human: 20, agent: 40 } as const;

async function makeLogin(client: Client, { login, kind }: NewLogin): Promise<Login> {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(login) || login.startsWith('pg_'))
    throw new ServerError('refused', `"${login}" cannot be a login: use small letters, digits and _`);
  const name = client.escapeIdentifier(login);
  const { rows } = await client.query<{ ours: boolean; unlimited: boolean }>(
    `select pg_catalog.pg_has_role(oid, $2, 'member') as ours, rolconnlimit < 0 as unlimited
      from pg_catalog.pg_roles where rolname = $1`,
    [login, `holdpoint_${kind}`],
  );
  const limit = String(mostConnections[kind]);
  if (rows[0] && !rows[0].ours)
    throw new ServerError('refused', `the login ${login} exists already and is not one of Holdpoint's (${kind})`);
  if (rows[0]?.unlimited) await client.query(`alter role ${name} connection limit ${limit}`);
  if (rows[0]) return { login, kind, password: null };
  const password = randomBytes(24).toString('base64url');
  await client.query(
    `create role ${name} login connection limit ${limit} password ${client.escapeLiteral(scramVerifier(password))}`,
  );
  await client.query(`grant holdpoint_${kind} to ${name}`);
  return { login, kind, password };
}

const iterations = 4096;

/** What the server keeps of a password, so that the password itself is in none of its logs. Source: RFC 5803. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${String(iterations)}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}
