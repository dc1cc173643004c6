/** A team for faults: machines with copies of one shared journal, each behind a proxy of its own, on one server. */
import { randomUUID } from 'node:crypto';
import { fingerprint } from '../../../../src/app/team/ring.ts';
import { joinTeam } from '../../../../src/app/team/joining.ts';
import { shownSharingHash } from '../../../../src/app/team/decisions.ts';
import { shareWorkspace } from '../../../../src/app/team/sharing.ts';
import type { Workspace } from '../../../../src/app/workspace/workspace.ts';
import { addMember } from '../../../../src/store/shared/administration.ts';
import { startProxy } from '../../proxy.ts';
import type { Proxy } from '../../proxy.ts';
import { enrolledHuman } from '../../store/people.ts';
import type { Human } from '../../store/people.ts';
import { makeSandbox } from '../../store/sandbox.ts';
import type { Sandbox } from '../../store/sandbox.ts';
import { startShared } from '../../store/sharedDatabase.ts';
import type { LoginName, SharedDatabase } from '../../store/sharedDatabase.ts';
import { register } from '../stage.ts';

export interface Machine {
  readonly name: string;
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly proxy: Proxy;
  readonly human: Human;
  /** What a program of this machine has in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Error of its clock. Milliseconds. */
  readonly clock: { error: number };
}

/** What programs said of their acts, kept outside the journal. */
export interface Log {
  /** Ids of work items and texts of questions, by what was said of them. */
  readonly acknowledged: Set<string>;
  readonly refused: Set<string>;
  readonly unknown: Set<string>;
  /** Answers said to be the one that counts, by question. */
  readonly decided: Map<string, string[]>;
}

export interface Team {
  readonly database: SharedDatabase;
  readonly workspace: string;
  readonly machines: readonly [Machine, Machine, Machine, Machine];
  readonly log: Log;
  /** The time that true clocks show; faults let it pass. */
  readonly time: { ahead: number };
  /** One more machine, for the caller to use and to remove. */
  join(name: string, login: 'ada' | 'grace'): Promise<Machine>;
  close(): Promise<void>;
}

/** Work that nothing ever holds. */
export const free = 'free';
const connection = { kind: 'env', name: 'HOLDPOINT_DATABASE_URL' } as const;

export async function startTeam(): Promise<Team> {
  const database = await startShared({ settings: { max_connections: '200' } });
  const time = { ahead: 0 };
  const machines: Machine[] = [];
  const [ada, grace] = await firstMachine(database, time, machines);
  const [first] = machines;
  const workspace = first?.workspace.standing().state?.workspace?.id ?? '';
  const name = `w${workspace.slice(0, 8)}`;
  const join = async (each: string, login: 'ada' | 'grace'): Promise<Machine> => {
    const made = await openMachine({ database, time, name: each, login });
    await joinTeam({
      ...{ workspace: made.workspace, server: database.server(login), name, connection },
      fingerprint: fingerprint(ada.pin.publicKey),
    });
    return { ...made, human: login === 'ada' ? ada : grace };
  };
  machines.push(await join('b', 'grace'), await join('c', 'ada'), await join('d', 'grace'));
  for (const one of machines) one.workspace.onChange(() => undefined);
  return {
    ...{ database, workspace, time, join },
    machines: machines as unknown as Team['machines'],
    log: { acknowledged: new Set(), refused: new Set(), unknown: new Set(), decided: new Map() },
    async close() {
      for (const { sandbox } of machines) sandbox.remove();
      await Promise.all(machines.map(({ proxy }) => proxy.close()));
      await database.stop();
    },
  };
}

async function firstMachine(
  database: SharedDatabase,
  time: Team['time'],
  machines: Machine[],
): Promise<readonly [Human, Human]> {
  const made = await openMachine({ database, time, name: 'a', login: 'ada' });
  const { workspace } = made;
  const [ada, grace] = [enrolledHuman(workspace), enrolledHuman(workspace, 'Grace')];
  const store = await workspace.store();
  await register(store, free);
  const server = database.server('ada');
  const name = `w${(store.workspaceId ?? '').slice(0, 8)}`;
  const shown = shownSharingHash(store.read().state);
  await shareWorkspace({ workspace, signer: ada, server, agents: 'ada_agent', name, connection }, shown);
  const id = (await workspace.store()).workspaceId ?? '';
  await addMember(server, id, { login: 'grace', kind: 'human', person: 'Grace', admin: false });
  machines.push({ ...made, human: ada });
  return [ada, grace];
}

async function openMachine({
  database,
  time,
  name,
  login,
}: {
  readonly database: SharedDatabase;
  readonly time: Team['time'];
  readonly name: string;
  readonly login: LoginName;
}): Promise<Omit<Machine, 'human'>> {
  const proxy = await startProxy(database.postgres);
  const urlOf = (as: LoginName) => `postgresql://${as}@127.0.0.1:${String(proxy.port)}/postgres`;
  const sandbox = makeSandbox();
  const clock = { error: 0 };
  const env = { HOLDPOINT_DATABASE_URL: urlOf('ada_agent') };
  const workspace = sandbox.open({
    env,
    humanLogin: () => urlOf(login),
    clock: () => Date.now() + time.ahead + clock.error,
    newId: randomUUID,
  });
  return { name, sandbox, workspace, proxy, env, clock };
}
