/** A database that is prepared for shared journals, with the logins of two teams. */
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Client } from 'pg';
import {
  addMember,
  createWorkspace,
  openWorkspace,
  openServer,
  type Server,
} from '../../../src/store/shared/server.ts';
import { prepareDatabase } from '../../../src/store/shared/migrate.ts';
import type { SessionOptions } from '../../../src/store/shared/session.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { root } from '../host.ts';
import { owner, startPostgres, type Postgres, type PostgresOptions } from '../postgres.ts';

export const schemaFile = path.join(root, 'media/sql/schema.sql');
export const schema = fs.readFileSync(schemaFile, 'utf8');
export const noLine = '0'.repeat(64);

/** Ada with her agents, and Grace, are one team; Eve with her agents is another; Mallory is a member of nothing. */
export const logins = {
  ada: 'human',
  ada_agent: 'agent',
  grace: 'human',
  eve: 'human',
  eve_agent: 'agent',
  mallory: 'human',
  mallory_agent: 'agent',
} as const;
export type LoginName = keyof typeof logins;

export interface SharedDatabase {
  readonly postgres: Postgres;
  /** Ada administers it; Grace and Ada's agents are members. Open and empty at first. */
  readonly ours: string;
  /** Eve's and her agents'. */
  readonly theirs: string;
  /** A superuser's connection. */
  readonly admin: Client;
  /** Our client with this login, always the same; closed at the end. */
  server(login: LoginName): Server;
  /** The same with a connection of its own. */
  another(login: LoginName, options?: Partial<SessionOptions>): Server;
  /** Another empty workspace of the same people as "ours". */
  fresh(): Promise<string>;
  /** A plain connection of this login. */
  connect(login: LoginName): Promise<Client>;
  stop(): Promise<void>;
}

export async function startShared(options?: PostgresOptions): Promise<SharedDatabase> {
  const postgres = await startPostgres(options);
  const names = Object.keys(logins) as LoginName[];
  await prepareDatabase({
    owner: settingsOfUrl(postgres.url(owner)),
    schema,
    logins: names.map((login) => ({ login, kind: logins[login] })),
  });
  const opened: Server[] = [];
  const another = (login: LoginName, more: Partial<SessionOptions> = {}) => {
    const made = openServer({ settings: settingsOfUrl(postgres.url(login)), ...more });
    opened.push(made);
    return made;
  };
  const first = new Map<LoginName, Server>();
  const server = (login: LoginName) => {
    const made = first.get(login) ?? another(login);
    first.set(login, made);
    return made;
  };
  const adasTeam = async (name: string) => {
    const id = await team(server('ada'), name, 'Ada', 'ada_agent');
    await addMember(server('ada'), id, { login: 'grace', kind: 'human', person: 'Grace' });
    return id;
  };
  const ours = await adasTeam('ours');
  const theirs = await team(server('eve'), 'theirs', 'Eve', 'eve_agent');
  return {
    postgres,
    ours,
    theirs,
    admin: await postgres.connect(owner),
    server,
    another,
    connect: (login) => postgres.connect(login),
    fresh: () => adasTeam(randomUUID()),
    async stop() {
      await Promise.all(opened.map((each) => each.close()));
      await postgres.stop();
    },
  };
}

/** One for all tests of a block. */
export function sharedDatabase(): SharedDatabase {
  let started: SharedDatabase | undefined;
  before(async () => {
    started = await startShared();
  });
  after(() => started?.stop());
  return new Proxy({} as SharedDatabase, { get: (_, name) => started?.[name as keyof SharedDatabase] });
}

async function team(server: Server, name: string, person: string, agent: string): Promise<string> {
  const id = randomUUID();
  await createWorkspace(server, { id, name, person });
  await addMember(server, id, { login: agent, kind: 'agent', person });
  await openWorkspace(server, id, { size: 0, head: noLine });
  return id;
}

export interface LineAt {
  readonly at: number;
  readonly prev: string;
  readonly op?: string;
  readonly actor?: string;
  /** Id of the actor. */
  readonly by?: string;
  readonly records?: readonly object[];
}

const note = { kind: 'work.registered', v: 1, id: 't-1' };

/** A line as our writers encode it, without the schemas: some of these a writer would refuse. */
export function line({
  at,
  prev,
  op = randomUUID(),
  actor = 'agent',
  by = actor === 'agent' ? 'Ada/x' : 'x',
  records = [note],
}: LineAt) {
  return framed({ at, prev, op, time: '2026-11-22T00:00:00.000Z', actor: { kind: actor, id: by }, records });
}

/** @param body an object, or its very bytes */
export function framed(body: object): { bytes: Buffer; hash: string } {
  const text = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const hash = createHash('sha256').update(text).digest('hex');
  return { hash, bytes: Buffer.concat([Buffer.from(`\n${String(text.length)} ${hash} `), text, Buffer.from('\n')]) };
}

export async function endOf(server: Server, workspace: string): Promise<{ at: number; prev: string }> {
  const { size, head } = await server.tail(workspace, Number.MAX_SAFE_INTEGER);
  return { at: size, prev: head };
}
