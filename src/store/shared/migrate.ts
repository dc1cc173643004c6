/**
 * Prepares a database for shared journals: roles, schema and functions, in one transaction that may run again at any time.
 * It refuses a server that cannot enforce "append only".
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import { format } from '../../core/records/format.ts';
import { loginProblems, schemaProblems, serverProblems } from './checks.ts';
import type { Migration } from './checks.ts';
import { makeLogin } from './logins.ts';
import type { Login, NewLogin } from './logins.ts';
import { poolerProblem } from './pooler.ts';
import { ServerError, serverErrorOf } from './serverError.ts';
import { connectAnyway, leave } from './session.ts';
import type { Settings } from './settings.ts';

/** The reviewed files that make the schema, in their order. @param folder `media/sql` */
export function readMigrations(folder: string): Migration[] {
  const files = fs.readdirSync(folder).filter((name) => /^\d{3}_\w+\.sql$/.test(name));
  return files
    .sort()
    .map((name) => ({ version: Number(name.slice(0, 3)), sql: fs.readFileSync(path.join(folder, name), 'utf8') }));
}

export interface InitOptions {
  /** Of a login that may create roles and schemas. It is used here only, and remembered nowhere. */
  readonly owner: Settings;
  readonly migrations: readonly Migration[];
  readonly logins: readonly NewLogin[];
}

export interface Prepared {
  /** Of the schema before and now. */
  readonly from: number;
  readonly to: number;
  readonly logins: readonly Login[];
}

/** @throws ServerError `refused` with every reason, one per line */
export async function prepareDatabase({ owner, migrations, logins }: InitOptions): Promise<Prepared> {
  const client = await connectAnyway({ settings: owner, name: 'holdpoint team init' });
  try {
    refuse(await serverProblems(client));
    const pooler = await poolerProblem({ settings: owner });
    refuse(pooler === null ? [] : [pooler]);
    await client.query('begin');
    const prepared = await inTransaction(client, migrations, logins);
    await client.query('commit');
    return prepared;
  } catch (error) {
    throw serverErrorOf(error, 'reading');
  } finally {
    // Ends a transaction that was not committed.
    await leave(client);
  }
}

async function inTransaction(
  client: Client,
  migrations: readonly Migration[],
  logins: readonly NewLogin[],
): Promise<Prepared> {
  // Two at once: one fails, because the other created the same things. A lock could be kept by any login.
  refuse(await schemaProblems(client, migrations));
  await makeRoles(client);
  const member = await joinOwner(client);
  const from = await installed(client);
  if (from === null) await client.query('create schema holdpoint authorization holdpoint_owner');
  await client.query('set local role holdpoint_owner');
  for (const { version, sql } of migrations) if (version > (from ?? 0)) await client.query(sql);
  await client.query('update holdpoint.known_format set newest = greatest(newest, $1)', [format.current]);
  const to = (await installed(client)) ?? 0;
  await client.query('reset role');
  const made: Login[] = [];
  for (const login of logins) made.push(await makeLogin(client, login));
  if (member) await client.query('revoke holdpoint_owner from current_user');
  refuse([...(await schemaProblems(client, migrations)), ...(await loginProblems(client))]);
  return { from: from ?? 0, to, logins: made };
}

const groups = ['holdpoint_owner', 'holdpoint_human', 'holdpoint_agent'] as const;

async function makeRoles(client: Client): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>(
    `select rolname from pg_catalog.pg_roles where rolname = any ($1)`,
    [groups],
  );
  for (const group of groups) {
    if (!rows.some(({ rolname }) => rolname === group)) await client.query(`create role ${group} nologin`);
  }
}

/** One who is no superuser must be a member of the owner to act as it; not longer than this takes. */
async function joinOwner(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ all: boolean }>(
    'select rolsuper as all from pg_catalog.pg_roles where rolname = current_user',
  );
  if (rows[0]?.all) return false;
  await client.query('grant holdpoint_owner to current_user');
  return true;
}

/** Version of the schema in the database; null without one. */
async function installed(client: Client): Promise<number | null> {
  const { rows } = await client.query<{ present: boolean }>(
    `select pg_catalog.to_regclass('holdpoint.schema_version') is not null as present`,
  );
  if (!rows[0]?.present) return null;
  const versions = await client.query<{ version: number | null }>(
    'select max(version) as version from holdpoint.schema_version',
  );
  return versions.rows[0]?.version ?? null;
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new ServerError('refused', problems.join('\n'));
}
