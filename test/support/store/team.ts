/** A team on a real server, with passwords as a server in use has them: Ada's shared workspace, and the logins of people. */
import path from 'node:path';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { shownSharingHash } from '../../../src/app/team/decisions.ts';
import { prepareTeam } from '../../../src/app/team/preparing.ts';
import { fingerprint } from '../../../src/app/team/ring.ts';
import { shareWorkspace } from '../../../src/app/team/sharing.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { addMember } from '../../../src/store/shared/administration.ts';
import { openServer } from '../../../src/store/shared/server.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { root } from '../host.ts';
import { owner, startPostgres } from '../postgres.ts';
import type { Postgres } from '../postgres.ts';
import { agent, enrolledHuman } from './people.ts';
import { makeSandbox } from './sandbox.ts';
import type { Sandbox } from './sandbox.ts';

/** Its owner needs no password, all others do. */
export function startGuarded(): Promise<Postgres> {
  return startPostgres({ hba: [`local all ${owner} trust`, 'local all all scram-sha-256'] });
}

/** The logins of these people and their agents, with their URLs. */
export async function makeLogins(postgres: Postgres, people: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const migrations = path.join(root, 'media', 'sql');
  const { logins } = await prepareTeam({ owner: postgres.url(owner), migrations, people });
  return new Map(logins.map(({ login, url }) => [login, url ?? '']));
}

export interface SharedByAda {
  readonly sandbox: Sandbox;
  /** Of the root key. */
  readonly fingerprint: string;
}

/** A workspace with a held task that Ada has shared. These logins of Grace and her agents are members. */
export async function shareAsAda(
  name: string,
  urls: ReadonlyMap<string, string>,
  grace: { readonly human: string; readonly agent: string },
): Promise<SharedByAda> {
  const sandbox = makeSandbox();
  const workspace = sandbox.open({
    clock: Date.now,
    env: { HOLDPOINT_DATABASE_URL: urls.get('ada_agent') },
    humanLogin: () => urls.get('ada') ?? null,
  });
  const signer = enrolledHuman(workspace);
  const store = await workspace.store();
  await registerWork(store, agent(), { id: 'Held', workKind: 'task', title: 'Held' });
  const asked = { text: 'Which way?', type: 'decision', urgency: 'low', mode: 'sync', work: 'Held' } as const;
  await raiseQuestion(store, agent(), asked);
  const server = openServer({ settings: settingsOfUrl(urls.get('ada') ?? '') });
  const connection = { kind: 'env', name: 'HOLDPOINT_DATABASE_URL' } as const;
  const shown = shownSharingHash(store.read().state);
  await shareWorkspace({ workspace, signer, server, agents: 'ada_agent', name, connection }, shown);
  const id = store.workspaceId ?? '';
  for (const kind of ['human', 'agent'] as const)
    await addMember(server, id, { login: grace[kind], kind, person: 'Grace', admin: false });
  await server.close();
  workspace.close();
  return { sandbox, fingerprint: fingerprint(signer.pin.publicKey) };
}
