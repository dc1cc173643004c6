/**
 * Prepares a database for shared journals: roles, schema and functions, in one transaction that may run again at any time.
 * It refuses a server that cannot enforce "append only".
 */
import fs from 'node:fs';
import type { Client } from 'pg';
import { format } from '../../core/records/format.ts';
import { loginProblems, schemaProblems, serverProblems } from './checks.ts';
import { makeLogin } from './logins.ts';
import type { Login, NewLogin } from './logins.ts';
import { poolerProblem } from './pooler.ts';
import { ServerError, serverErrorOf } from './serverError.ts';
import { connect, leave, schemaVersion } from './session.ts';
import type { Settings } from './settings.ts';

/** @param file `media/sql/schema.sql` */
export function readSchema(file: string): string {
  return fs.readFileSync(file, 'utf8');
}

export interface InitOptions {
  /** Of a login that may create roles and schemas. It is used here only, and remembered nowhere. */
  readonly owner: Settings;
  /** The text of that file. */
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
  // Two at once: one fails, because the other created the same things. A lock could be kept by any login.
  refuse(await schemaProblems(client));
  for (const group of ['holdpoint_owner', 'holdpoint_human', 'holdpoint_agent'])
    if ((await one(`select to_regrole('${group}')`)) === null) await client.query(`create role ${group} nologin`);
  // One who is no superuser must be a member of the owner to act as it; not longer than this takes.
  const isMember = (await one('select rolsuper from pg_roles where rolname = current_user')) !== true;
  if (isMember) await client.query('grant holdpoint_owner to current_user');
  if ((await one(`select to_regclass('holdpoint.schema_version')`)) === null)
    await client.query('create schema if not exists holdpoint authorization holdpoint_owner');
  else if (Number(await one('select max(version) from holdpoint.schema_version')) > schemaVersion)
    refuse(['This database is for a newer Holdpoint: update this one.']);
  await client.query('set local role holdpoint_owner');
  await client.query(schema);
  await client.query('update holdpoint.schema_version set newest_format = greatest(newest_format, $1)', [
    format.current,
  ]);
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
