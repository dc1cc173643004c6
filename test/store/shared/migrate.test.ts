/** Preparing a database for shared journals, and refusing those that are unfit. */
import assert from 'node:assert/strict';
import type { Client } from 'pg';
import { prepareDatabase } from '../../../src/store/shared/migrate.ts';
import { openServer } from '../../../src/store/shared/server.ts';
import { schemaVersion } from '../../../src/store/shared/session.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { owner, startPostgres, type Postgres } from '../../support/postgres.ts';
import { schema } from '../../support/store/sharedDatabase.ts';

const ada = { login: 'ada', kind: 'human' } as const;
const agent = { login: 'ada_agent', kind: 'agent' } as const;

describe('preparing a database for shared journals', function () {
  this.timeout(120_000);
  let postgres: Postgres;
  let admin: Client;
  const owning = (login = owner, database = 'postgres') => settingsOfUrl(postgres.url(login, database));
  const prepare = (logins: Parameters<typeof prepareDatabase>[0]['logins'] = [], as = owning()) =>
    prepareDatabase({ owner: as, schema, logins });
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

  it('makes the schema and the logins once', async () => {
    const passwords = (await prepare([ada, agent])).map(({ password }) => password ?? '');
    for (const password of passwords) assert.match(password, /^[\w-]{32}$/);
    assert.notEqual(passwords[0], passwords[1]);
    const kept = [ada, agent].map((login) => ({ ...login, password: null }));
    assert.deepEqual(await prepare([ada, agent]), kept);
  });

  it('all of it or nothing', async () => {
    const broken = `${schema}; select 1/0`;
    await isRefused(prepareDatabase({ owner: owning(), schema: broken, logins: [ada] }), /division by zero/);
    const { rows } = await admin.query(
      `select 1 from pg_namespace where nspname = 'holdpoint' union select 1 from pg_roles where rolname ~ '^(holdpoint|ada)'`,
    );
    assert.deepEqual(rows, []);
  });

  it('gives passwords that open the database, and never sends or shows them', async () => {
    const [made] = await prepare([ada]);
    const password = made!.password!;
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
    await prepare([ada, agent], owning('admin'));
    const own = await postgres.connect('admin');
    await assert.rejects(own.query('delete from holdpoint.line'), /permission denied/);
    const again = await prepare([ada, agent], owning('admin'));
    assert.ok(again.every(({ password }) => password === null));
    await own.end();
  });

  it('keeps what is prepared from being misled by what others put into "public"', async () => {
    await prepare([ada]);
    const server = openServer({ settings: { ...owning(), user: owner } });
    const rows = await server.call('reading', 'show search_path');
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

  const schemaNow = async () => {
    const { rows } = await admin.query<{ what: string }>(`
      select format('%s %s %s', relname, relrowsecurity, relacl) as what from pg_class
        where relnamespace = 'holdpoint'::regnamespace and relkind = 'r'
      union all select format('%s %s %s %s', proname, md5(prosrc), proconfig, proacl) from pg_proc
        where pronamespace = 'holdpoint'::regnamespace
      union all select format('%s %s', polname, polrelid::regclass) from pg_policy
      union all select tgname from pg_trigger where not tgisinternal
      union all select rulename from pg_rewrite where ev_class = 'holdpoint.ring'::regclass
      union all select nspacl::text from pg_namespace where nspname = 'holdpoint' order by 1`);
    return rows.map(({ what }) => what);
  };

  describe('removes again', () => {
    for (const [title, statement] of Object.entries({
      'another function': `create function holdpoint.mine() returns int language sql as 'select 1'; alter function holdpoint.mine owner to holdpoint_owner`,
      'a function of ours that others may call': `grant execute on function holdpoint.notify(uuid, text) to public`,
      'a function of ours with another body': `create or replace function holdpoint.memberships() returns setof uuid language sql
        stable security definer set search_path = pg_catalog, pg_temp set standard_conforming_strings = on as 'select id from holdpoint.workspace'`,
      'a function of ours without its settings': `alter function holdpoint.memberships() reset all`,
      'a trigger': `create trigger t before insert on holdpoint.line for each row execute function suppress_redundant_updates_trigger()`,
      'a rule': `create rule r as on insert to holdpoint.ring do also select 1`,
      'another policy': `create policy more on holdpoint.line using (true)`,
      'no row security': `alter table holdpoint.line disable row level security`,
      'a right to write': `grant insert on holdpoint.line to holdpoint_human`,
      'a right of all to write': `grant insert on holdpoint.line to public`,
      'a right of others to read': `create role other; grant select on holdpoint.line to other; grant usage on schema holdpoint to other`,
      'a right to create': `grant create on schema holdpoint to holdpoint_human`,
    })) {
      it(title, async () => {
        await prepare();
        const before = await schemaNow();
        await admin.query(statement);
        assert.notDeepEqual(await schemaNow(), before);
        await prepare();
        assert.deepEqual(await schemaNow(), before);
      });
    }
  });

  describe('refuses a schema in which somebody else', () => {
    for (const [title, statement] of Object.entries({
      'owns a table of ours': `alter table holdpoint.line owner to ${owner}`,
      'has a table': `create table holdpoint.mine (x int)`,
      'has a function': `create function holdpoint.mine() returns int language sql as 'select 1'`,
      'has a view': `create view holdpoint.mine as select * from holdpoint.line`,
      'owns it': `alter schema holdpoint owner to ${owner}`,
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

  it('is not needed by a program that is older than the schema says, nor by one that is newer', async () => {
    await prepare([ada]);
    const attempt = async () => {
      const server = openServer({ settings: owning() });
      return server.workspaces().finally(() => server.close());
    };
    await admin.query('update holdpoint.schema_version set version = 99, min_client = 99');
    await assert.rejects(attempt(), { code: 'wrong', message: /for a newer Holdpoint/ });
    await isRefused(prepare(), /for a newer Holdpoint/);
    await admin.query(`update holdpoint.schema_version set min_client = ${String(schemaVersion)}`);
    assert.deepEqual(await attempt(), []);
    await admin.query(`update holdpoint.schema_version set version = ${String(schemaVersion - 1)}`);
    await assert.rejects(attempt(), { code: 'wrong', message: /not prepared for this Holdpoint/ });
    await admin.query('drop schema holdpoint cascade');
    await assert.rejects(attempt(), { code: 'wrong' });
  });
});
