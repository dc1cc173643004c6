/** Whether two logins lead to one database, however their addresses name its server. */
import type { Client } from 'pg';
import { serverErrorOf } from './serverError.ts';
import { connectAnyway, leave } from './session.ts';
import type { Settings } from './settings.ts';

/** No two servers start in the same microsecond. A standby has a start of its own. */
const identity = `select pg_catalog.pg_postmaster_start_time()::text as started, pg_catalog.current_database() as name`;

/** @throws ServerError */
export async function areSameDatabase(one: Settings, other: Settings): Promise<boolean> {
  return (await identityOf(one)) === (await identityOf(other));
}

async function identityOf(settings: Settings): Promise<string> {
  const client: Client = await connectAnyway({ settings });
  try {
    const { rows } = await client.query<{ started: string; name: string }>(identity);
    return `${rows[0]?.started ?? ''} ${rows[0]?.name ?? ''}`;
  } catch (error) {
    throw serverErrorOf(error, 'reading');
  } finally {
    await leave(client);
  }
}
