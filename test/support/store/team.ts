/** A team on a real server, with passwords as a server in use has them: Ada's shared workspace, and the logins of people. */
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { prepareTeam } from '../../../src/app/team/people.ts';
import { fingerprintOf } from '../../../src/trust/publicKeys.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { addMember, openServer } from '../../../src/store/shared/server.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { owner, startPostgres, type Postgres } from '../postgres.ts';
import { adasAgent as agent, enrolledHuman, type Human } from './people.ts';
import { makeSandbox, type Sandbox } from './sandbox.ts';
import { schemaFile } from './sharedDatabase.ts';
import { share } from './sharedWorkspace.ts';

/** Its owner needs no password, all others do. */
export function startGuarded(): Promise<Postgres> {
  return startPostgres({ hba: [`local all ${owner} trust`, 'local all all scram-sha-256'] });
}

/** The logins of these people and their agents, with their URLs. */
export async function makeLogins(postgres: Postgres, people: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const logins = await prepareTeam(postgres.url(owner), schemaFile, people);
  return new Map(logins.map(({ login, url }) => [login, url ?? '']));
}

export interface SharedByAda {
  readonly sandbox: Sandbox;
  /** Of the root key. */
  readonly fingerprint: string;
}

/** The other member of Ada's workspace, with their own login and that of their agents. */
export interface Member {
  readonly person: string;
  readonly human: string;
  readonly agent: string;
}

/**
 * A workspace that Ada has shared with one other member.
 * @param prepare writes what is in it before; a held task by default
 */
export async function shareAsAda(
  name: string,
  urls: ReadonlyMap<string, string>,
  member: Member,
  prepare: (workspace: Workspace, ada: Human) => Promise<unknown> = raiseHeld,
): Promise<SharedByAda> {
  const sandbox = makeSandbox();
  const workspace = sandbox.open({
    clock: Date.now,
    env: { HOLDPOINT_DATABASE_URL: urls.get('ada_agent') },
    humanLogin: () => urls.get('ada') ?? null,
  });
  const signer = enrolledHuman(workspace);
  await prepare(workspace, signer);
  const server = openServer({ settings: settingsOfUrl(urls.get('ada') ?? '') });
  const { id } = await share({ workspace, signer, server, name });
  for (const kind of ['human', 'agent'] as const)
    await addMember(server, id, { login: member[kind], kind, person: member.person });
  await server.close();
  workspace.close();
  return { sandbox, fingerprint: fingerprintOf(signer.pin.keyid) };
}

async function raiseHeld(workspace: Workspace): Promise<void> {
  const store = await workspace.store();
  await registerWork(store, agent(), { id: 'Held', workKind: 'task', title: 'Held' });
  const asked = { text: 'Which way?', type: 'decision', urgency: 'low', mode: 'sync', work: 'Held' } as const;
  await raiseQuestion(store, agent(), asked);
}
