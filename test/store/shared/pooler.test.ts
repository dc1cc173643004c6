/** Connection poolers between a machine and the server, with PgBouncer, which most managed databases use. */
import assert from 'node:assert/strict';
import { askGate } from '../../../src/app/hold/gate.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { prepareDatabase } from '../../../src/store/shared/migrate.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { pgbouncer, startPgbouncer, type Pooler } from '../../support/pgbouncer.ts';
import { owner } from '../../support/postgres.ts';
import { adasAgent as agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { logins, schema, startShared, type SharedDatabase } from '../../support/store/sharedDatabase.ts';
import { adasWorkspace, join, openAs } from '../../support/store/sharedWorkspace.ts';
import { until } from '../../support/until.ts';

describe('PgBouncer in front of the server', function () {
  this.timeout(240_000);
  const ends: (() => Promise<void>)[] = [];
  let database: SharedDatabase;
  let pooler: Record<'session' | 'transaction', Pooler>;

  before(async function () {
    const program = pgbouncer();
    if (program === null) {
      console.log('    PgBouncer is not installed, so nothing is tried with it: apt-get install pgbouncer');
      this.skip();
    }
    database = await startShared();
    ends.push(() => database.stop());
    const begin = async (mode: 'session' | 'transaction') => {
      const started = await startPgbouncer(program, database.postgres, {
        mode,
        logins: [owner, ...Object.keys(logins)],
      });
      ends.push(() => started.stop());
      return started;
    };
    pooler = { session: await begin('session'), transaction: await begin('transaction') };
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  afterEach(removeSandboxes);

  const prepare = (mode: 'session' | 'transaction') =>
    prepareDatabase({ owner: settingsOfUrl(pooler[mode].url(owner)), schema, logins: [] });

  async function joinThrough(mode: 'session' | 'transaction') {
    const one = await adasWorkspace(database, async (workspace) =>
      registerWork(await workspace.store(), agent(), { id: 'First', workKind: 'task', title: 'First' }),
    );
    const there = openAs({ postgres: pooler[mode] }, makeSandbox(), 'grace');
    return { one, there, joined: join(there, one.name, one.ada) };
  }

  it('in transaction mode, is refused by "team init"', async () => {
    await assert.rejects(prepare('transaction'), { code: 'refused', message: /connection pooler.*session mode/ });
  });

  it('in transaction mode, is refused by "team join", which leaves nothing behind', async () => {
    const { there, joined } = await joinThrough('transaction');
    await assert.rejects(joined, { code: 'bad_input', message: /connection pooler.*session mode/ });
    assert.equal(there.standing().problem, null);
  });

  it('in session mode, carries everything: preparing, joining, acts in both directions, and notifications', async () => {
    await prepare('session');
    const { one, there, joined } = await joinThrough('session');
    await joined;
    there.onChange(() => undefined);
    const register = async (workspace: typeof there, id: string) =>
      registerWork(await workspace.store(), agent(), { id, workKind: 'task', title: id });
    await register(there, 'There');
    await register(one.workspace, 'Here');
    await until('followed', () => there.standing().state?.work.has('Here') === true);
    await one.workspace.confirm(20_000);
    assert.ok(one.workspace.standing().state?.work.has('There'));
    assert.equal(askGate(there, { work: 'There' }).state, 'CLEAR');
  });
});
