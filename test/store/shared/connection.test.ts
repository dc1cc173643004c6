/** What the address of a shared journal's server may say. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { messageOf } from '../../../src/store/journal/problem.ts';
import { openServer } from '../../../src/store/shared/server.ts';
import { hasOpenssl, makeCertificates } from '../../support/certificates.ts';
import { owner, type Postgres, startPostgres } from '../../support/postgres.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { prepareDatabase } from '../../../src/store/shared/migrate.ts';
import { pgbouncer, type Pooler, startPgbouncer } from '../../support/pgbouncer.ts';
import { adasAgent as agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { logins, schema, type SharedDatabase, startShared } from '../../support/store/sharedDatabase.ts';
import { adasWorkspace, join, openAs } from '../../support/store/sharedWorkspace.ts';
import { until } from '../../support/until.ts';

describe('the address of a shared journal', () => {
  describe('as a URL', () => {
    const local = { host: 'localhost', port: 5432, database: 'db', user: 'ada', password: undefined, tls: 'disable' };
    const none = { rootCertificate: undefined };
    for (const [url, expected] of Object.entries({
      'postgresql://ada@localhost/db': local,
      'postgres://ada@localhost': { ...local, database: 'ada' },
      'postgresql://ada:p%40ss:w@localhost:6000/db': { ...local, port: 6000, password: 'p@ss:w' },
      'postgresql://ada@[::1]/db': { ...local, host: '::1' },
      'postgresql://ada@/db?host=%2Frun%2Fpg': { ...local, host: '/run/pg' },
      'postgresql://a%2Fda@localhost/d%20b': { ...local, user: 'a/da', database: 'd b' },
      'postgresql://ada@db.example/db': { ...local, host: 'db.example', tls: 'verify-full' },
      'postgresql://ada@db.example/db?sslmode=require': { ...local, host: 'db.example', tls: 'require' },
      'postgresql://ada@localhost/db?sslmode=verify-full&sslrootcert=/etc/ca.pem': {
        ...local,
        tls: 'verify-full',
        rootCertificate: '/etc/ca.pem',
      },
      'postgresql://ada@db.example/db?sslrootcert=system': { ...local, host: 'db.example', tls: 'verify-full' },
    })) {
      it(url, () => {
        assert.deepEqual(settingsOfUrl(url), { ...none, ...expected });
      });
    }

    for (const [url, why] of Object.entries({
      'mysql://ada:s3cret@localhost/db': /not of the form/,
      s3cret: /not of the form/,
      'postgresql://localhost/s3cret': /names no user/,
      'postgresql://ada:s3cret@/db': /one host/,
      'postgresql://ada:s3cret@a,b/db': /one host/,
      'postgresql://ada:s3cret@localhost:0/db': /port/,
      'postgresql://ada:s3cret%@localhost/db': /hexadecimal/,
      'postgresql://ada:s3cret@s3cret@localhost/db': /an @ too many.*%40/,
      'postgresql://ada:1/s3cret@localhost/db': /an @ too many.*%2F/,
      'postgresql://ada:1?s3cret@localhost/db': /an @ too many.*%3F/,
      'postgresql://ada:s3cret@db.example/db?sslmode=prefer': /plain text/,
      'postgresql://ada:s3cret@db.example/db?options=-cx': /options, which is not supported/,
      'postgresql://ada:s3cret@db.example/db?sslcert=/me.pem': /sslcert, which is not supported/,
      'postgresql://ada:s3cret@db.example/db?sslrootcert=ca.pem': /sslrootcert.* absolute path/,
    })) {
      it(`refuses ${url}, without a part of it`, () => {
        assert.throws(
          () => settingsOfUrl(url),
          (error: Error) => {
            assert.match(error.message, why);
            assert.doesNotMatch(error.message, /s3cret/);
            return true;
          },
        );
      });
    }
  });
});

/** Encryption to the server of a shared journal: as the address says, and never less. */
describe('TLS to the server of a shared journal', function () {
  this.timeout(120_000);
  let place: TemporaryFolder;
  let postgres: Postgres;
  /** Empty where this is skipped. */
  const ends: (() => Promise<void>)[] = [];
  const file = (name: string) => path.join(place.folder, name);

  before(async function () {
    if (!hasOpenssl()) this.skip();
    place = await temporaryFolder();
    ends.push(() => place.remove());
    makeCertificates(place.folder, 'localhost');
    postgres = await startPostgres({
      settings: { listen_addresses: '127.0.0.1', ssl: 'on' },
      hba: ['local all all trust', 'hostssl all all 127.0.0.1/32 trust'],
      files: { 'server.crt': fs.readFileSync(file('server.pem')), 'server.key': fs.readFileSync(file('server.key')) },
    });
    ends.push(() => postgres.stop());
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });

  /** What becomes of a connection; it reaches our schema's check only after the server was accepted. */
  async function outcome(host: string, query: string): Promise<string> {
    const url = `postgresql://${owner}@${host}:${String(postgres.port)}/postgres?${query.replaceAll('DIR', place.folder)}`;
    const server = openServer({ settings: settingsOfUrl(url) });
    try {
      await server.workspaces();
      return 'connected';
    } catch (error) {
      const message = messageOf(error);
      return message.includes('schema_version') ? 'connected' : message;
    } finally {
      await server.close();
    }
  }

  for (const [host, query, expected] of [
    ['localhost', 'sslmode=verify-full&sslrootcert=DIR/ca.pem', /^connected$/],
    ['localhost', 'sslmode=verify-full&sslrootcert=DIR/other.pem', /cannot be reached.*(certificate|signature)/],
    ['localhost', 'sslmode=verify-full', /cannot be reached.*(certificate|signature)/],
    ['127.0.0.1', 'sslmode=verify-full&sslrootcert=DIR/ca.pem', /cannot be reached.*altnames/],
    ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=DIR/ca.pem', /^connected$/],
    ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=DIR/other.pem', /cannot be reached.*(certificate|signature)/],
    ['127.0.0.1', 'sslmode=require', /^connected$/],
    ['127.0.0.1', 'sslmode=disable', /no encryption|SSL off/],
  ] as const) {
    it(`${host} with ${query.replaceAll('DIR/', '')}`, async () => {
      assert.match(await outcome(host, query), expected);
    });
  }
});

/** Connection poolers between a machine and the server, with PgBouncer, which most managed databases use. */
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
