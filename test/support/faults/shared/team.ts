/** A team for faults: machines with copies of one shared journal, each behind a proxy of its own, on one server. */
import { randomUUID } from 'node:crypto';
import type { Workspace } from '../../../../src/app/workspace/workspace.ts';
import { addMember } from '../../../../src/store/shared/server.ts';
import { startProxy, type Proxy } from '../../proxy.ts';
import { enrolledHuman, type Human } from '../../store/people.ts';
import { makeSandbox, type Sandbox } from '../../store/sandbox.ts';
import { startShared, type LoginName, type SharedDatabase } from '../../store/sharedDatabase.ts';
import { join as joinTeam, share } from '../../store/sharedWorkspace.ts';
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

export async function startTeam(): Promise<Team> {
  const database = await startShared({ settings: { max_connections: '200' } });
  const time = { ahead: 0 };
  const { first, grace, name, id } = await firstMachine(database, time);
  const { human: ada } = first;
  const join = async (each: string, login: 'ada' | 'grace'): Promise<Machine> => {
    const made = await openMachine({ database, time, name: each, login });
    await joinTeam(made.workspace, name, ada);
    return { ...made, human: login === 'ada' ? ada : grace };
  };
  const machines = [first, await join('b', 'grace'), await join('c', 'ada'), await join('d', 'grace')] as const;
  for (const one of machines) one.workspace.onChange(() => undefined);
  return {
    ...{ database, workspace: id, machines, time, join },
    log: { acknowledged: new Set(), refused: new Set(), unknown: new Set(), decided: new Map() },
    async close() {
      for (const { sandbox } of machines) sandbox.remove();
      await Promise.all(machines.map(({ proxy }) => proxy.close()));
      await database.stop();
    },
  };
}

/** Ada's, which shares the workspace. */
async function firstMachine(database: SharedDatabase, time: Team['time']) {
  const made = await openMachine({ database, time, name: 'a', login: 'ada' });
  const { workspace } = made;
  const [ada, grace] = [enrolledHuman(workspace), enrolledHuman(workspace, 'Grace')];
  await register(await workspace.store(), free);
  const server = database.server('ada');
  const { name, id } = await share({ workspace, signer: ada, server });
  await addMember(server, id, { login: 'grace', kind: 'human', person: 'Grace' });
  const first: Machine = { ...made, human: ada };
  return { first, grace, name, id };
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
