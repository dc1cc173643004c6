/** Noticing that the server may have something new. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { follow } from '../../../src/store/shared/follower.ts';
import type { Follower } from '../../../src/store/shared/follower.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { endOf, line, startShared } from '../../support/store/sharedDatabase.ts';
import type { SharedDatabase } from '../../support/store/sharedDatabase.ts';
import { until } from '../../support/until.ts';

describe('following a shared journal', function () {
  this.timeout(120_000);
  let database: SharedDatabase;
  const followers: Follower[] = [];

  before(async () => {
    database = await startShared();
  });
  afterEach(() => Promise.all(followers.splice(0).map((follower) => follower.close())));
  after(() => database.stop());

  /** @param url default: the server itself */
  function following(more: Partial<Parameters<typeof follow>[0]> = {}) {
    const hints: string[] = [];
    const reached: (number | null)[] = [];
    const made = follow({
      settings: settingsOfUrl(database.postgres.url('ada_agent')),
      workspace: database.ours,
      onHint(why, end) {
        hints.push(why);
        if (why === 'notified') reached.push(end);
      },
      pollMs: 100_000,
      ...more,
    });
    followers.push(made);
    const heard = (why: string) => until(`a hint (${why})`, () => hints.includes(why));
    return { hints, reached, made, heard };
  }
  async function append(): Promise<void> {
    const agent = database.server('ada_agent');
    await agent.append('agent', database.ours, line(await endOf(agent, database.ours)).bytes);
  }

  it('hints when it is connected, and at each append, with the offset that the journal has reached', async () => {
    const { hints, reached, made, heard } = following();
    await heard('connected');
    assert.equal(made.listening, true);
    await append();
    await heard('notified');
    assert.deepEqual(hints, ['connected', 'notified']);
    assert.deepEqual(reached, [(await endOf(database.server('ada_agent'), database.ours)).at]);
  });

  it('knows no offset where a notification says none', async () => {
    const { reached, heard } = following();
    await heard('connected');
    for (const payload of ['ring', '', '-1', '1e3'])
      await database.admin.query('select pg_notify($1, $2)', [`holdpoint_${database.ours}`, payload]);
    await until('all', () => reached.length === 4);
    assert.deepEqual(reached, [null, null, null, null]);
  });

  it('hints at nothing of other workspaces', async () => {
    const { hints, heard } = following({ workspace: database.theirs });
    await heard('connected');
    await append();
    await following().heard('connected');
    assert.deepEqual(hints, ['connected']);
  });

  it('polls, whether it is connected or not', async () => {
    const nowhere = settingsOfUrl('postgresql://ada@localhost:1/x');
    const { hints, made } = following({ settings: nowhere, pollMs: 10 });
    await until('three polls', () => hints.filter((why) => why === 'poll').length > 2);
    assert.equal(made.listening, false);
  });

  it('is back after its session was ended, and after the server was away', async () => {
    const { hints, made } = following({ random: () => 0 });
    const connected = (times: number) =>
      until('connected', () => hints.filter((why) => why === 'connected').length === times);
    await connected(1);
    await database.admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'ada_agent'`);
    await connected(2);
    database.postgres.crash();
    await until('noticed', () => !made.listening);
    database.postgres.start();
    await connected(3);
    assert.equal(made.listening, true);
  });

  it('leaves a connection that takes "listen" and passes on no notification', async () => {
    const proxy = await withoutNotifications(`${database.postgres.host}/.s.PGSQL.${String(database.postgres.port)}`);
    const settings = { ...settingsOfUrl(database.postgres.url('ada_agent')), host: '127.0.0.1', port: proxy.port };
    const { hints } = following({ settings, random: () => 0, probeLimitMs: 50 });
    await until('connected again', () => hints.filter((why) => why === 'connected').length > 1);
    await proxy.close();
  });
});

/** Passes on everything but notifications (messages of type A), as a pooler does. */
async function withoutNotifications(socket: string): Promise<{ port: number; close: () => Promise<void> }> {
  const proxy = net.createServer((client) => {
    const server = net.connect(socket);
    let rest = Buffer.alloc(0);
    client.on('error', () => server.destroy()).pipe(server);
    server.on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
        const end = 1 + rest.readInt32BE(1);
        if (rest[0] !== 'A'.charCodeAt(0)) client.write(rest.subarray(0, end));
        rest = rest.subarray(end);
      }
    });
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => server.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as net.AddressInfo).port,
    close: async () =>
      new Promise((resolve) =>
        proxy.close(() => {
          resolve();
        }),
      ),
  };
}
