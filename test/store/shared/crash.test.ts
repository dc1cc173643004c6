/** What our client says when sessions and the server die. */
import assert from 'node:assert/strict';
import type { Server } from '../../../src/store/shared/server.ts';
import { ServerError, settingsOfUrl } from '../../../src/store/shared/settings.ts';
import type { SessionOptions } from '../../../src/store/shared/session.ts';
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
});
