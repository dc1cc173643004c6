/** What our client says when sessions and the server die, and that nothing which was acknowledged is lost or there twice. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readSegment } from '../../../src/store/journal/line.ts';
import type { Server } from '../../../src/store/shared/server.ts';
import { ServerError } from '../../../src/store/shared/serverError.ts';
import type { SessionOptions } from '../../../src/store/shared/session.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { startProxy, type Proxy } from '../../support/proxy.ts';
import { endOf, line, noLine, sharedDatabase } from '../../support/store/sharedDatabase.ts';
import { until } from '../../support/until.ts';

describe('a shared journal whose server fails', function () {
  this.timeout(180_000);
  const database = sharedDatabase();
  let ours: string;
  let proxy: Proxy;
  let agent: Server;

  beforeEach(async () => {
    ours = await database.fresh();
    proxy = await startProxy(database.postgres);
    agent = through(proxy);
  });
  afterEach(() => proxy.close());

  function through({ port }: Proxy, more: Partial<SessionOptions> = {}): Server {
    const settings = { ...settingsOfUrl(database.postgres.url('ada_agent')), host: '127.0.0.1', port };
    return database.another('ada_agent', { settings, ...more });
  }

  it('says "unknown" when no reply came; the same act settles what became of it', async () => {
    for (const [when, outcome] of [
      ['before', 'won'],
      ['after', 'duplicate'],
    ] as const) {
      const { bytes } = line(await endOf(agent, ours));
      proxy.cutAt('append_agent', when);
      await assert.rejects(agent.append('agent', ours, bytes), { code: 'unknown' });
      assert.equal((await agent.append('agent', ours, bytes)).outcome, outcome);
    }
  });

  it('says "offline" when nothing that writes was sent', async () => {
    proxy.cutAt('holdpoint.tail', 'after');
    await assert.rejects(agent.tail(ours, 0), { code: 'offline' });
    database.postgres.crash();
    await assert.rejects(agent.append('agent', ours, line({ at: 0, prev: noLine }).bytes), { code: 'offline' });
    database.postgres.start();
    assert.equal((await agent.append('agent', ours, line({ at: 0, prev: noLine }).bytes)).outcome, 'won');
  });

  it('says so within its time when the network is silent', async () => {
    const quick = through(proxy, { callMs: 300, connectMs: 300 });
    await quick.tail(ours, 0);
    proxy.hold('toServer', 'toClient');
    const { bytes } = line({ at: 0, prev: noLine });
    await assert.rejects(quick.append('agent', ours, bytes), { code: 'unknown', message: /no reply within 0\.3 s/ });
    await assert.rejects(quick.append('agent', ours, bytes), { code: 'offline' });
    await assert.rejects(quick.tail(ours, 0), { code: 'offline' });
  });

  it('does not count the time in which the program itself was busy', async () => {
    const quick = database.another('ada_agent', { callMs: 1_000 });
    await quick.tail(ours, 0);
    const asked = quick.tail(ours, 0);
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
    assert.ok((await asked).size >= 0);
  });

  it('says "busy" when somebody keeps the lock, who loses it after five seconds, and writes nothing', async () => {
    const holder = await database.connect('ada_agent');
    const place = { at: 0, prev: noLine };
    await holder.query('begin');
    await holder.query('select * from holdpoint.append_agent($1, $2)', [ours, line(place).bytes]);
    const { bytes } = line(place);
    await assert.rejects(agent.append('agent', ours, bytes), { code: 'busy' });
    const won = async () => {
      try {
        return (await agent.append('agent', ours, bytes)).outcome === 'won';
      } catch (error) {
        assert.ok(error instanceof ServerError && error.code === 'busy', String(error));
        return false;
      }
    };
    await until('the server has ended the session of the one that hangs', won);
    assert.equal((await agent.tail(ours, 0)).rows.length, 1, 'its line is not there');
  });

  it('keeps each acknowledged line once, while sessions are ended and the server crashes', async () => {
    const acknowledged = new Set<string>();
    const unsettled = new Set<string>();
    const counts = { unknown: 0, duplicate: 0, offline: 0 };
    let over = false;

    /** As a program does it: the same op until its fate is known. */
    async function write(server: Server): Promise<void> {
      const op = randomUUID();
      unsettled.add(op);
      let place = { at: 0, prev: noLine };
      for (;;) {
        try {
          const reply = await server.append('agent', ours, line({ ...place, op }).bytes);
          assert.notEqual(reply.outcome, 'forked');
          if (reply.outcome === 'duplicate') counts.duplicate++;
          if (reply.outcome !== 'lost') break;
          place = { at: reply.size, prev: reply.head };
        } catch (error) {
          assert.ok(error instanceof ServerError, String(error));
          assert.ok(error.code === 'unknown' || error.code === 'offline', `${error.code}: ${error.message}`);
          counts[error.code]++;
          await pause(20);
        }
      }
      acknowledged.add(op);
      unsettled.delete(op);
    }
    const writers = Array.from({ length: 4 }, async () => {
      const server = database.another('ada_agent');
      while (!over) await write(server);
    });

    const admin = async (statement: string) => {
      const client = await database.postgres.connect('owner');
      await client.query(statement).finally(() => client.end());
    };
    const progress = async () => {
      const enough = acknowledged.size + 4;
      await until('writers make progress', () => acknowledged.size >= enough);
    };
    for (let round = 0; round < 3; round++) {
      for (let kill = 0; kill < 5; kill++) {
        await progress();
        await admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'ada_agent'`);
      }
      await progress();
      database.postgres.crash();
      database.postgres.start();
    }
    over = true;
    await Promise.all(writers);

    assert.equal(unsettled.size, 0);
    const reader = database.another('grace');
    const seen: string[] = [];
    let [at, prev] = [0, noLine];
    for (;;) {
      const { rows } = await reader.tail(ours, at);
      for (const row of rows) {
        const segment = readSegment(row.bytes, row.at, row.at);
        assert.ok(segment.kind === 'line' && row.at === at && segment.body.prev === prev);
        seen.push(segment.body.op);
        [at, prev] = [at + row.bytes.length, segment.hash];
      }
      if (rows.length === 0) break;
    }
    assert.deepEqual(await reader.tail(ours, at), { size: at, head: prev, rows: [] });
    assert.equal(new Set(seen).size, seen.length, 'no op twice');
    assert.deepEqual(new Set(seen), acknowledged);
    assert.ok(
      seen.length > 20 && counts.unknown + counts.offline > 0,
      JSON.stringify({ lines: seen.length, ...counts }),
    );
  });
});
