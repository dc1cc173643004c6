/** Preparing a database for shared journals, and refusing those that are unfit. */
import assert from 'node:assert/strict';
import type { Client } from 'pg';
import { prepareDatabase } from '../../../src/store/shared/migrate.ts';
import { openServer } from '../../../src/store/shared/server.ts';
import { schemaVersion } from '../../../src/store/shared/session.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { owner, startPostgres } from '../../support/postgres.ts';
import type { Postgres } from '../../support/postgres.ts';
import { migrations } from '../../support/store/sharedDatabase.ts';
import { startPooler } from '../../support/transactionPooler.ts';

const ada = { login: 'ada', kind: 'human' } as const;
const agent = { login: 'ada_agent', kind: 'agent' } as const;

describe('preparing a database for shared journals', function () {
  this.timeout(120_000);
  let postgres: Postgres;
  let admin: Client;
  const owning = (login = owner, database = 'postgres') => settingsOfUrl(postgres.url(login, database));
  const prepare = (logins: Parameters<typeof prepareDatabase>[0]['logins'] = [], as = owning()) =>
    prepareDatabase({ owner: as, migrations, logins });
  const isRefused = (attempt: Promise<unknown>, why: RegExp) =>
    assert.rejects(attempt, (error: Error & { code?: string }) => {
      assert.equal(error.code, 'refused', error.message);
      assert.match(error.message, why);
      return true;
    });

  before(async () => {
    // Everybody but the owner needs a password.
    postgres = await startPostgres({
      hba: [`local all ${owner} trust`, 'local all admin trust', 'local all all scram-sha-256'],
    });
    admin = await postgres.connect(owner);
  });
  after(() => postgres.stop());

  /** As before the first run. */
  afterEach(async () => {
    await admin.query('drop schema if exists holdpoint cascade');
    const { rows } = await admin.query<{ rolname: string }>(
      `select rolname from pg_roles where rolname !~ '^pg_' and rolname <> '${owner}'`,
    );
    for (const { rolname } of rows) await admin.query(`drop owned by ${rolname} cascade; drop role ${rolname}`);
  });

  it('has one file for each version, up to the one that this program knows', () => {
    assert.deepEqual(
      migrations.map(({ version }) => version),
      Array.from({ length: schemaVersion }, (_, index) => index + 1),
    );
  });

  it('limits the connections of each login, and keeps a limit that the owner has set', async () => {
    const limits = async () => {
      const { rows } = await admin.query<{ login: string; most: number }>(
        `select rolname as login, rolconnlimit as most from pg_roles where rolname = any ($1)`,
        [[ada.login, agent.login]],
      );
      return Object.fromEntries(rows.map(({ login, most }) => [login, most]));
    };
    await prepare([ada, agent]);
    assert.deepEqual(await limits(), { [ada.login]: 20, [agent.login]: 40 });
    await admin.query(`alter role ${ada.login} connection limit 7; alter role ${agent.login} connection limit -1`);
    await prepare([ada, agent]);
    assert.deepEqual(await limits(), { [ada.login]: 7, [agent.login]: 40 });
  });

  it('makes the schema and the logins once, and says what it did', async () => {
    const first = await prepare([ada, agent]);
    assert.deepEqual({ from: first.from, to: first.to }, { from: 0, to: schemaVersion });
    const passwords = first.logins.map(({ password }) => password ?? '');
    for (const password of passwords) assert.match(password, /^[\w-]{32}$/);
    assert.notEqual(passwords[0], passwords[1]);
    const kept = [ada, agent].map((login) => ({ ...login, password: null }));
    const again = { from: schemaVersion, to: schemaVersion, logins: kept };
    assert.deepEqual(await prepare([ada, agent]), again);
  });

  it('from an earlier version on', async () => {
    const earlier = await prepareDatabase({ owner: owning(), migrations: migrations.slice(0, 2), logins: [] });
    assert.deepEqual({ from: earlier.from, to: earlier.to }, { from: 0, to: 2 });
    const { from, to } = await prepare();
    assert.deepEqual({ from, to }, { from: 2, to: schemaVersion });
  });

  it('all of it or nothing', async () => {
    const broken = [...migrations.slice(0, 2), { version: 3, sql: 'create table holdpoint.x (y int); select 1/0' }];
    await isRefused(prepareDatabase({ owner: owning(), migrations: broken, logins: [ada] }), /division by zero/);
    const { rows } = await admin.query(
      `select 1 from pg_namespace where nspname = 'holdpoint' union select 1 from pg_roles where rolname ~ '^(holdpoint|ada)'`,
    );
    assert.deepEqual(rows, []);
  });

  it('gives passwords that open the database, and never sends or shows them', async () => {
    const { logins } = await prepare([ada]);
    const password = logins[0]!.password!;
    const { rows } = await admin.query<{ rolpassword: string }>(
      `select rolpassword from pg_authid where rolname = 'ada'`,
    );
    assert.match(rows[0]!.rolpassword, /^SCRAM-SHA-256\$/);
    const right = openServer({ settings: { ...owning('ada'), password } });
    assert.deepEqual(await right.workspaces(), []);
    await right.close();
    const wrong = openServer({ settings: { ...owning('ada'), password: `${password}x` } });
    await assert.rejects(wrong.workspaces(), (error: Error) => {
      assert.match(error.message, /password authentication failed/);
      assert.ok(!JSON.stringify([error.message, error.stack]).includes(password));
      return true;
    });
    await wrong.close();
  });

  it('works for an administrator who is no superuser, and who is no member of the owner afterwards', async () => {
    await admin.query('create role admin login createrole; grant create on database postgres to admin');
    const { to } = await prepare([ada, agent], owning('admin'));
    assert.equal(to, schemaVersion);
    const own = await postgres.connect('admin');
    await assert.rejects(own.query('delete from holdpoint.line'), /permission denied/);
    assert.equal((await prepare([ada, agent], owning('admin'))).from, schemaVersion);
    await own.end();
  });

  it('keeps what is prepared from being misled by what others put into "public"', async () => {
    await prepare([ada]);
    const server = openServer({ settings: { ...owning(), user: owner } });
    const rows = await server.session.call('reading', 'show search_path');
    assert.deepEqual(rows, [{ search_path: 'pg_catalog, pg_temp' }]);
    await server.close();
  });

  describe('refuses a login', () => {
    for (const [title, statement, why] of [
      ['that is a superuser', 'alter role ada superuser', /ada is a superuser/],
      ['that may create roles', 'alter role ada createrole', /ada may create roles/],
      ['that bypasses row-level security', 'alter role ada_agent bypassrls', /ada_agent bypasses row-level security/],
      ['that may replicate', 'alter role ada replication', /ada may replicate/],
      ['that is a member of the owner', 'grant holdpoint_owner to ada', /ada is a member of holdpoint_owner/],
      [
        'that reads all data',
        'grant pg_read_all_data to holdpoint_agent',
        /holdpoint_agent is a member of pg_read_all_data/,
      ],
      [
        'of humans that agents use',
        'grant holdpoint_human to ada_agent',
        /ada_agent is a login of humans and of agents/,
      ],
      ['that owns the database', 'alter database postgres owner to ada', /ada owns the database/],
      ['for the owner', 'alter role holdpoint_owner login', /holdpoint_owner can log in/],
    ] as const) {
      it(title, async () => {
        await prepare([ada, agent]);
        // A membership of the owner would be a circle: the owner may end the login's sessions.
        if (title.includes('member of the owner')) await admin.query('revoke ada from holdpoint_owner');
        await admin.query(statement);
        await isRefused(prepare(), why).finally(() => admin.query(`alter database postgres owner to ${owner}`));
      });
    }

    it('that exists and is not one of ours', async () => {
      await admin.query('create role ada login');
      await isRefused(prepare([ada]), /the login ada exists already/);
    });

    for (const login of ['', 'Ada', 'a"b', 'pg_x', `a${'b'.repeat(63)}`]) {
      it(`named "${login}"`, () => isRefused(prepare([{ login, kind: 'human' }]), /cannot be a login/));
    }
  });

  describe('refuses a schema with something strange in it', () => {
    for (const [title, statement] of Object.entries({
      'another function': `create function holdpoint.mine() returns int language sql as 'select 1'`,
      'a function of ours that others may call': `grant execute on function holdpoint.terminate(int[]) to public`,
      'a function of ours with another body': `create or replace function holdpoint.memberships() returns setof uuid language sql
        stable security definer set search_path = pg_catalog, pg_temp set standard_conforming_strings = on as 'select id from holdpoint.workspace'`,
      'a function of ours without its settings': `alter function holdpoint.memberships() reset all`,
      'another owner of a table': `alter table holdpoint.line owner to ${owner}`,
      'another table': `create table holdpoint.mine (x int)`,
      'a trigger': `create trigger t before insert on holdpoint.line for each row execute function suppress_redundant_updates_trigger()`,
      'a rule': `create rule r as on insert to holdpoint.turn do also select 1`,
      'a view': `create view holdpoint.mine as select * from holdpoint.line`,
      'another policy': `create policy more on holdpoint.line using (true)`,
      'no row security': `alter table holdpoint.line disable row level security`,
      'a right to write': `grant insert on holdpoint.line to holdpoint_human`,
      'a right of others to read': `create role other; grant select on holdpoint.line to other`,
      'a right to create': `grant create on schema holdpoint to holdpoint_human`,
      'another owner': `alter schema holdpoint owner to ${owner}`,
    })) {
      it(title, async () => {
        await prepare();
        await admin.query(statement);
        await isRefused(prepare(), /not Holdpoint's/);
      });
    }

    it('that was there before', async () => {
      await admin.query('create schema holdpoint');
      await isRefused(prepare(), /not Holdpoint's \(schema holdpoint\)/);
    });
  });

  it('refuses a login that cannot create what it needs', async () => {
    await admin.query('create role admin login');
    await isRefused(prepare([], owning('admin')), /cannot create roles.*\n.*cannot create a schema/);
  });

  it('refuses a database of another encoding', async () => {
    await admin.query(`create database old template template0 encoding 'SQL_ASCII'`);
    await isRefused(prepare([], owning(owner, 'old')), /encoding is SQL_ASCII/);
  });

  it('refuses a pooler that lends connections for a transaction', async () => {
    const pooler = await startPooler(postgres, owner);
    const settings = { ...owning(), host: '127.0.0.1', port: pooler.port };
    await isRefused(prepare([], settings), /connection pooler/);
    await pooler.close();
  });

  it('is not needed by a program that is older than the schema says, nor by one that is newer', async () => {
    await prepare([ada]);
    const attempt = async () => {
      const server = openServer({ settings: owning() });
      return server.workspaces().finally(() => server.close());
    };
    await admin.query('insert into holdpoint.schema_version values (99, 99)');
    await assert.rejects(attempt(), { code: 'wrong', message: /for a newer Holdpoint/ });
    await admin.query(`update holdpoint.schema_version set min_client = ${String(schemaVersion)} where version = 99`);
    assert.deepEqual(await attempt(), []);
    await admin.query(`delete from holdpoint.schema_version where version >= ${String(schemaVersion)}`);
    await assert.rejects(attempt(), { code: 'wrong', message: /not prepared for this Holdpoint/ });
    await admin.query('drop schema holdpoint cascade');
    await assert.rejects(attempt(), { code: 'wrong' });
  });
});

describe('a server that cannot keep what it acknowledges', function () {
  this.timeout(120_000);

  it('is refused with every reason', async () => {
    const settings = { fsync: 'off', full_page_writes: 'off', max_prepared_transactions: '5' };
    const postgres = await startPostgres({ settings });
    const attempt = prepareDatabase({ owner: settingsOfUrl(postgres.url(owner)), migrations, logins: [] });
    await assert.rejects(attempt, {
      code: 'refused',
      message: /^fsync.*\nfull_page_writes.*\nPrepared transactions.*$/,
    });
    await postgres.stop();
  });
});
