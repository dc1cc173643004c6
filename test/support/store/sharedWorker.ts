/** A thread with a PostgreSQL server, for `sharedSandbox.ts`, whose callers cannot wait for promises. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { addMember, appendRing, createWorkspace, openWorkspace } from '../../../src/store/shared/server.ts';
import { line, noLine, startShared, type SharedDatabase } from './sharedDatabase.ts';

/** What the thread does. Each answer is a string, or an error's message in `failed`. */
export type Order =
  | { readonly does: 'prepare'; readonly id: string; readonly name: string; readonly created: object }
  | { readonly does: 'ring'; readonly id: string; readonly record: string; readonly after: number }
  | { readonly does: 'stop' };

export interface Wiring {
  readonly port: MessagePort;
  /** Set to 1, with a notification, when the answer is there. */
  readonly flag: Int32Array;
}

const { port, flag } = workerData as Wiring;
let database: Promise<SharedDatabase> | null = null;

/** The tests of the store have agents without a person, which a team's server refuses. */
async function start(): Promise<SharedDatabase> {
  const started = await startShared({ settings: { max_connections: '400', fsync: 'on' } });
  await started.admin.query(
    "create or replace function holdpoint.require_person(target uuid, actor jsonb) returns void language sql as 'select'",
  );
  return started;
}

async function carryOut(order: Order): Promise<string> {
  const { postgres, server } = await (database ??= start());
  switch (order.does) {
    case 'prepare': {
      const ada = server('ada');
      const { id, name } = order;
      await createWorkspace(ada, { id, name, person: 'Ada' });
      await addMember(ada, id, { login: 'ada_agent', kind: 'agent', person: 'Ada' });
      await openWorkspace(ada, id, { size: 0, head: noLine });
      const first = line({ at: 0, prev: noLine, actor: 'system', records: [order.created] });
      await server('ada_agent').append('agent', id, first.bytes);
      return JSON.stringify({
        agent: postgres.url('ada_agent'),
        human: postgres.url('ada'),
        first: String(first.bytes),
      });
    }
    case 'ring':
      return appendRing(server('ada'), order.id, Buffer.from(order.record), order.after);
    case 'stop':
      await (await database).stop();
      return '';
  }
}

parentPort?.on('message', (order: Order) => {
  carryOut(order).then(
    (said) => {
      answer({ said });
    },
    (error: unknown) => {
      answer({ failed: String(error) });
    },
  );
});

function answer(message: object): void {
  port.postMessage(message);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}
