/** Logins: one for each person's editor, and one for that person's agents. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { ServerError } from './serverError.ts';

export interface NewLogin {
  readonly login: string;
  readonly kind: 'human' | 'agent';
}

/** The password of a login that existed before is null: it stays as it is. */
export interface Login extends NewLogin {
  readonly password: string | null;
}

/** So that no login can take all connections of a server. An owner can set other limits: they stay. */
const mostConnections = { human: 20, agent: 40 } as const;

export async function makeLogin(client: Client, { login, kind }: NewLogin): Promise<Login> {
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
