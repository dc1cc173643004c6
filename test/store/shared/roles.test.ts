/** What each login may do on the server of a shared journal. The server refuses; no code of ours is between. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { lastOfDevelopment } from '../../../src/core/records/parts.ts';
import { anyRecord } from '../../../src/core/records/records.ts';
import { addMember, createWorkspace, importRows } from '../../../src/store/shared/server.ts';
import { prepareDatabase } from '../../../src/store/shared/migrate.ts';
import { settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { owner } from '../../support/postgres.ts';
import {
  endOf,
  framed,
  line,
  logins,
  schema,
  noLine,
  startShared,
  type LoginName,
  type SharedDatabase,
} from '../../support/store/sharedDatabase.ts';

/** A login without any role of ours, and the database's owner, who is no superuser. */
const others = ['stranger', 'dba'] as const;
type Who = LoginName | (typeof others)[number];
const everyone: readonly Who[] = [...(Object.keys(logins) as LoginName[]), ...others];

const denied =
  /permission denied|row-level security|must be (?:a )?(?:owner|superuser|member|able)|must have admin option|must have privileges|cannot|only roles with/i;

describe('the logins of a shared journal', function () {
  this.timeout(120_000);
  let database: SharedDatabase;
  let ours: string;
  let theirs: string;
  const clients = new Map<Who, Client>();
  const as = (who: Who): Client => clients.get(who)!;

  before(async () => {
    database = await startShared();
    ({ ours, theirs } = database);
    await database.admin.query('create role stranger login; create role dba login');
    await database.admin.query('alter database postgres owner to dba');
    for (const who of everyone) clients.set(who, await database.connect(who as LoginName));
    const [ada, eve] = [database.server('ada'), database.server('eve')];
    for (const [server, workspace] of [
      [ada, ours],
      [eve, theirs],
    ] as const)
      await server.append('human', workspace, line({ at: 0, prev: noLine, actor: 'human' }).bytes);
    await importOne();
  });
  after(() => database.stop());

  /** A workspace of Ada's that is still being filled. */
  const filling = randomUUID();
  async function importOne(): Promise<void> {
    const ada = database.server('ada');
    await createWorkspace(ada, { id: filling, name: 'filling', person: 'Ada' });
    await addMember(ada, filling, { login: 'ada_agent', kind: 'agent', person: 'Ada' });
    await addMember(ada, filling, { login: 'grace', kind: 'human', person: 'Grace' });
    const { bytes } = line({ at: 0, prev: noLine });
    await importRows(ada, filling, 0, [{ kind: 'line', bytes }]);
  }

  /** All rows of all tables, as the superuser sees them. */
  async function everything(): Promise<unknown> {
    const tables = ['workspace', 'member', 'line', 'ring', 'schema_version'];
    const rows: object[] = [];
    for (const table of tables)
      rows.push((await database.admin.query<object>(`select * from holdpoint.${table} x order by x`)).rows);
    return rows;
  }

  async function refused(attempt: () => Promise<unknown>, why: RegExp): Promise<void> {
    const before = await everything();
    await assert.rejects(attempt(), why);
    assert.deepEqual(await everything(), before);
  }

  async function append(who: Who, by: 'agent' | 'human', workspace: string, bytes: Buffer) {
    const { rows } = await as(who).query<{ outcome: string }>(`select * from holdpoint.append_${by}($1, $2)`, [
      workspace,
      bytes,
    ]);
    return rows[0]!.outcome;
  }
  const end = (workspace = ours) => endOf(database.server(workspace === ours ? 'ada' : 'eve'), workspace);

  describe('are refused everything but the functions', () => {
    const statements = (who: Who): Record<string, string> => ({
      'an insert': `insert into holdpoint.line select * from holdpoint.line`,
      'an update of a line': `update holdpoint.line set bytes = ''`,
      'a deletion of a line': `delete from holdpoint.line`,
      'a lock of lines': `select from holdpoint.line for update`,
      'a lock of the workspace': `select from holdpoint.workspace for key share`,
      'a lock of a table': `lock table holdpoint.workspace in exclusive mode`,
      'a truncation': `truncate holdpoint.line cascade`,
      'a copy into the table': `copy holdpoint.line from program 'true'`,
      'a change of the end': `update holdpoint.workspace set size = 0, head = repeat('0', 64)`,
      'a workspace that is filled again': `update holdpoint.workspace set opened_at = null`,
      'a new member': `insert into holdpoint.member values ('${ours}', session_user, 'human', 'Ada', true)`,
      'a change of a membership': `update holdpoint.member set kind = 'human'`,
      'another version': `insert into holdpoint.schema_version values (99, 99)`,
      'the inner function': `select holdpoint.append_line('${ours}', ''::bytea, 'human')`,
      'the lock without the function': `select holdpoint.locked('${ours}', 'agent', true, false)`,
      'a replaced function': `create or replace function holdpoint.memberships() returns setof uuid language sql as 'select id from holdpoint.workspace'`,
      'another setting of a function': `alter function holdpoint.append_line(uuid, bytea, text) set search_path = pg_temp`,
      'a table in the schema': `create table holdpoint.mine (x int)`,
      'a trigger': `create trigger t before insert on holdpoint.line execute function pg_catalog.suppress_redundant_updates_trigger()`,
      'a rule': `create rule r as on insert to holdpoint.line do instead nothing`,
      'row security off': `alter table holdpoint.line disable row level security`,
      'another policy': `create policy all_rows on holdpoint.line using (true)`,
      'ownership of a table': `alter table holdpoint.line owner to current_user`,
      'ownership of the schema': `alter schema holdpoint owner to current_user`,
      'becoming the owner': `set role holdpoint_owner`,
      'becoming the superuser': `set role ${owner}`,
      'becoming another session': `set session authorization ${who === 'ada' ? 'grace' : 'ada'}`,
      'a superuser': `create role another login superuser`,
      'membership of the owner': `grant holdpoint_owner to current_user`,
      'membership of a group': `grant holdpoint_human, holdpoint_agent to current_user`,
      'the rights of the owner': `drop owned by holdpoint_owner`,
      "another person's password": `alter role ${who === 'ada' ? 'grace' : 'ada'} password 'x'`,
      'dropping the schema': `drop schema holdpoint cascade`,
      'renaming the schema': `alter schema holdpoint rename to old`,
      'a file of the server': `copy (select 1) to '/tmp/lines'`,
      'a program of the server': `copy (select 1) to program 'true'`,
      'a setting of the server': `alter system set fsync = off`,
      'replication instead of triggers': `set session_replication_role = replica`,
      'a large object of the server': `select lo_import('/etc/passwd')`,
      'the log of changes': `select pg_create_logical_replication_slot('x', 'test_decoding')`,
      'ending other sessions': `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${owner}' and pid <> pg_backend_pid()`,
    });
    for (const title of Object.keys(statements('ada'))) {
      it(title, async () => {
        for (const who of everyone) {
          // Nothing that an attempt may have changed stays.
          await as(who).query('begin');
          try {
            await refused(() => as(who).query(statements(who)[title]!), denied);
          } catch (error) {
            assert.fail(`${who}: ${String(error)}`);
          } finally {
            await as(who).query('rollback');
          }
        }
      });
    }
  });

  describe('append only as what they are', () => {
    const may: Partial<Record<Who, 'agent' | 'human'>> = { ada: 'human', grace: 'human', ada_agent: 'agent' };
    for (const who of everyone) {
      for (const by of ['agent', 'human'] as const) {
        it(`${who} ${may[who] === by ? 'may' : 'may not'} call append_${by}`, async () => {
          const { bytes } = line({ ...(await end()), actor: by });
          if (may[who] === by) assert.equal(await append(who, by, ours, bytes), 'won');
          else await refused(() => append(who, by, ours, bytes), /permission denied|not a member/);
        });
      }
    }

    it("an agents' login does not write as a human, however the text says it", async () => {
      for (const actor of ['human', 'h\\u0075man', '\\u0068uman']) {
        const { bytes } = line({ ...(await end()), actor });
        const raw = Buffer.from(bytes.toString().replaceAll('\\\\', '\\'));
        await refused(() => append('ada_agent', 'agent', ours, rehashed(raw)), /cannot write as a human/);
      }
    });

    it("an agents' login writes no record that only a human writes", async () => {
      const signed = anyRecord.kinds.filter((kind) => anyRecord.isSigned(kind));
      assert.ok(signed.length > 20);
      for (const kind of [...signed, 'store.shared']) {
        const { bytes } = line({ ...(await end()), records: [{ kind: 'x' }, { kind, v: 1 }] });
        await refused(() => append('ada_agent', 'agent', ours, bytes), /only a human can write/);
      }
      const later = line({ ...(await end()), records: [{ kind: 'of.aLaterVersion', v: 1, envelope: {} }] });
      await refused(() => append('ada_agent', 'agent', ours, later.bytes), /only a human can write/);
      const escaped = line({ ...(await end()), records: [{ kind: 'question.answered' }] });
      const raw = Buffer.from(escaped.bytes.toString().replace('question.answered', 'question\\u002eanswered'));
      await refused(() => append('ada_agent', 'agent', ours, rehashed(raw)), /only a human can write/);
    });

    it("an agents' login does not lock out all programs with a format of the future", async () => {
      const beyond = { kind: 'format.changed', v: 1, minReader: 1, minWriter: lastOfDevelopment + 1 };
      const created = { kind: 'workspace.created', v: 1, workspace: ours, minReader: 1, minWriter: 1 };
      await append('ada', 'human', ours, line({ ...(await end()), actor: 'human', records: [created] }).bytes);
      const enormous = { ...beyond, minReader: 999_999 };
      for (const format of [beyond, enormous]) {
        const { bytes } = line({ ...(await end()), records: [format] });
        await refused(() => append('ada_agent', 'agent', ours, bytes), /does not know the format/);
      }
      const known = { ...beyond, minWriter: lastOfDevelopment };
      const { bytes } = line({ ...(await end()), records: [known] });
      assert.equal(await append('ada_agent', 'agent', ours, bytes), 'won');
    });

    it('a team’s lines stay out of another team’s workspace', async () => {
      const { bytes } = line({ ...(await end(theirs)), actor: 'human' });
      await refused(() => append('ada', 'human', theirs, bytes), /not a member/);
      await refused(async () => append('ada_agent', 'agent', theirs, line(await end(theirs)).bytes), /not a member/);
      await refused(() => append('ada', 'human', randomUUID(), bytes), /not a member/);
    });

    for (const [title, forge] of Object.entries<(bytes: Buffer) => Buffer>({
      'a changed body': (bytes) => Buffer.from(bytes.toString().replace('t-1', 't-2')),
      'another hash': (bytes) => Buffer.from(bytes.toString().replace(/ [0-9a-f]{64} /, ` ${'1'.repeat(64)} `)),
      'a wrong length': (bytes) => Buffer.from(bytes.toString().replace(/^\n\d+/, '\n7')),
      'a length with other digits': (bytes) => Buffer.from(bytes.toString().replace(/^\n\d/, '\n٣')),
      'no line feed at the end': (bytes) => bytes.subarray(0, -1),
      'bytes behind the line': (bytes) => Buffer.concat([bytes, bytes]),
      'two lines in a body': (bytes) => rehashed(Buffer.from(bytes.toString().replace('{', '{\n'))),
      'a null byte': (bytes) => rehashed(Buffer.from(bytes.toString().replace('t-1', 't\u0000'))),
      'no frame': () => Buffer.from('{}'),
      'no bytes': () => Buffer.alloc(0),
      'bytes that are not UTF-8': (bytes) =>
        rehashed(Buffer.concat([bytes.subarray(0, -3), Buffer.from([255]), bytes.subarray(-2)])),
    })) {
      it(`no line with ${title}`, async () => {
        const { bytes } = line(await end());
        await refused(() => append('ada_agent', 'agent', ours, forge(bytes)), /line|body|encoding|json/);
      });
    }
  });

  describe('cannot mislead the functions', () => {
    const signed = async () => line({ ...(await end()), records: [{ kind: 'question.answered', v: 1 }] }).bytes;
    for (const [title, statements] of Object.entries({
      'a table of the session': `create temp table member as select '${randomUUID()}'::uuid as workspace`,
      'a search path': `set search_path = pg_temp, holdpoint`,
      'another meaning of backslashes': `set standard_conforming_strings = off`,
      'other comparisons with null': `set transform_null_equals = on`,
      'another form of bytes': `set bytea_output = 'escape'`,
      'row security off': `set row_security = off`,
    })) {
      it(`with ${title}`, async () => {
        const client = await database.connect('ada_agent');
        await client.query(statements);
        const call = async (bytes: Buffer) =>
          client.query(
            `select outcome from holdpoint.append_agent('${ours}', decode('${bytes.toString('hex')}', 'hex'))`,
          );
        await refused(async () => call(await signed()), /only a human can write/);
        await refused(async () => call(line({ ...(await end()), actor: 'human' }).bytes), /cannot write as a human/);
        await refused(async () => call(Buffer.from('x')), /not a line/);
        assert.deepEqual((await call(line(await end()).bytes)).rows, [{ outcome: 'won' }]);
        await client.end();
      });
    }

    it('with an older view of who is a member', async () => {
      for (const level of ['repeatable read', 'serializable']) {
        const client = await database.connect('ada_agent');
        await client.query(`begin isolation level ${level}`);
        await refused(
          async () => client.query('select * from holdpoint.append_agent($1, $2)', [ours, line(await end()).bytes]),
          /isolation level/,
        );
        await client.end();
      }
    });

    it('with acknowledgements that are not on disk', async () => {
      const client = await database.connect('ada_agent');
      await client.query('set synchronous_commit = off; begin');
      await client.query('select * from holdpoint.append_agent($1, $2)', [ours, line(await end()).bytes]);
      const { rows } = await client.query('show synchronous_commit');
      assert.deepEqual(rows, [{ synchronous_commit: 'on' }]);
      await client.query('commit');
      await client.end();
    });
  });

  describe('read their own workspaces only', () => {
    const sees: Record<Who, () => string[]> = {
      ada: () => [ours, filling],
      grace: () => [ours, filling],
      ada_agent: () => [ours, filling],
      eve: () => [theirs],
      eve_agent: () => [theirs],
      mallory: () => [],
      mallory_agent: () => [],
      stranger: () => [],
      dba: () => [],
    };
    for (const who of everyone) {
      it(`${who}, in each table and by each function`, async () => {
        const all = `select workspace from holdpoint.line union select id from holdpoint.workspace union
          select workspace from holdpoint.member union select workspace from holdpoint.ring`;
        const expected = sees[who]();
        if (others.some((other) => other === who)) await assert.rejects(as(who).query(all), denied);
        else {
          const { rows } = await as(who).query<{ workspace: string }>(all);
          assert.deepEqual(rows.map(({ workspace }) => workspace).sort(), [...expected].sort());
        }
        for (const workspace of [ours, theirs, filling].filter((each) => !expected.includes(each))) {
          await refused(
            () => as(who).query('select * from holdpoint.tail($1, 0, 9)', [workspace]),
            /not a member|permission/,
          );
        }
      });
    }

    it('a notification has no text of the journal, on a channel that others cannot guess', async () => {
      const heard = new Promise<object>((resolve) => as('grace').once('notification', resolve));
      await as('grace').query(`listen "holdpoint_${ours}"`);
      await append('ada_agent', 'agent', ours, line(await end()).bytes);
      const { at } = await end();
      const { channel, payload } = (await heard) as { channel: string; payload: string };
      assert.deepEqual({ channel, payload }, { channel: `holdpoint_${ours}`, payload: String(at) });
    });
  });

  describe('administer only what is theirs', () => {
    const calls = (workspace: string): Record<string, string> => ({
      add_member: `select holdpoint.add_member('${workspace}', session_user, 'human', 'Me')`,
      remove_member: `select holdpoint.remove_member('${workspace}', 'grace')`,
      import_lines: `select holdpoint.import_lines('${workspace}', 0, '{}', '{}')`,
      open_workspace: `select holdpoint.open_workspace('${workspace}', 0, '${noLine}')`,
      append_ring: `select holdpoint.append_ring('${workspace}', '{}', 0)`,
    });
    const inFilling = new Set(['import_lines', 'open_workspace']);
    for (const name of Object.keys(calls(''))) {
      it(`${name}: nobody but an administrator`, async () => {
        for (const who of everyone.filter((each) => each !== 'ada')) {
          const workspace = inFilling.has(name) ? filling : ours;
          await refused(() => as(who).query(calls(workspace)[name]!), /does not administer|permission denied/);
        }
      });
    }

    it('creating a workspace: not agents', async () => {
      for (const who of ['ada_agent', 'eve_agent', 'mallory_agent', ...others] as const)
        await refused(() => as(who).query(`select holdpoint.create_workspace($1, 'x', 'X')`, [randomUUID()]), denied);
      await refused(
        () => as('eve').query(`select holdpoint.create_workspace($1, 'mine', 'Eve')`, [ours]),
        /duplicate key/,
      );
      await refused(
        () => as('eve').query(`select holdpoint.create_workspace($1, 'ours', 'Eve')`, [randomUUID()]),
        /duplicate key/,
      );
    });

    it('an open workspace is never filled again, and one that is being filled takes no appends', async () => {
      for (const name of inFilling) await refused(() => as('ada').query(calls(ours)[name]!), /cannot be filled again/);
      const { at, prev } = await endOf(database.server('ada'), filling);
      await refused(() => append('ada_agent', 'agent', filling, line({ at, prev }).bytes), /still being filled/);
    });

    it('members stay of their kind, and have a login of that kind', async () => {
      const add = (login: string, kind: string) => () =>
        as('ada').query(`select holdpoint.add_member('${ours}', $1, $2, 'X')`, [login, kind]);
      await refused(add('ada_agent', 'human'), /no login/);
      await refused(add('grace', 'agent'), /no login/);
      await refused(add('nobody', 'human'), /no login/);
      await refused(add('stranger', 'human'), /no login/);
      await refused(add('grace', 'owner'), /no login/);
    });

    it('no administrator removes one, nor themselves: one remains', async () => {
      const id = await database.fresh();
      await database.admin.query(`update holdpoint.member set admin = kind = 'human' where workspace = $1`, [id]);
      for (const other of ['ada', 'grace'])
        await refused(() => as('ada').query(`select holdpoint.remove_member($1, $2)`, [id, other]), /can be removed/);
    });
  });

  describe('can be stopped', () => {
    /** As a program of an agent that means harm. */
    async function hold(who: LoginName): Promise<Client> {
      const client = await database.connect(who);
      await client.query('begin');
      await client.query('select * from holdpoint.append_agent($1, $2)', [ours, line(await end()).bytes]);
      await client.query(`set idle_in_transaction_session_timeout = 0`);
      return client;
    }

    it('who keeps the lock: the owner ends the sessions of that login', async () => {
      const holder = await hold('ada_agent');
      const ended = new Promise((resolve) => holder.once('end', resolve));
      const { bytes } = line({ ...(await end()), actor: 'human' });
      await assert.rejects(database.server('ada').append('human', ours, bytes), { code: 'busy' });
      await database.admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'ada_agent'`);
      await ended;
      assert.equal((await database.server('ada').append('human', ours, bytes)).outcome, 'won');
      clients.set('ada_agent', await database.connect('ada_agent'));
    });

    it('who waits for the lock: out of the workspace, they are refused once they have it', async () => {
      const holder = await hold('ada_agent');
      const waiting = await database.connect('ada_agent');
      const { bytes } = line(await end());
      const late = waiting.query('select * from holdpoint.append_agent($1, $2)', [ours, bytes]);
      const refusal = assert.rejects(late, /not a member/);
      await as('ada').query(`select holdpoint.remove_member('${ours}', 'ada_agent')`);
      await holder.query('rollback');
      await refusal;
      await database.admin.query(`insert into holdpoint.member values ('${ours}', 'ada_agent', 'agent', 'Ada')`);
      await Promise.all([holder.end(), waiting.end()]);
    });

    it('a lock that any login can take stops no one', async () => {
      await as('mallory').query(`select pg_advisory_lock(hashtextextended($1, 0))`, [ours]);
      await as('mallory').query('begin; lock table holdpoint.line in access share mode');
      assert.equal(await append('ada', 'human', ours, line({ ...(await end()), actor: 'human' }).bytes), 'won');
      await as('mallory').query('rollback');
    });

    it('a login takes a part of the connections only', async () => {
      const { rows } = await database.admin.query<{ rolname: string; rolconnlimit: number }>(
        `select rolname, rolconnlimit from pg_roles where rolname = any ($1)`,
        [Object.keys(logins)],
      );
      for (const { rolconnlimit } of rows) assert.ok(rolconnlimit > 0 && rolconnlimit <= 40);
    });
  });

  it('are the same after the database is prepared again', async () => {
    const before = await everything();
    const again = { owner: settingsOfUrl(database.postgres.url(owner)), schema, logins: [] };
    assert.deepEqual(await prepareDatabase(again), []);
    assert.deepEqual(await everything(), before);
  });
});

/** The same text with the length and hash that it has now. */
function rehashed(bytes: Buffer): Buffer {
  const [frame] = /^\n\d+ [0-9a-f]{64} /.exec(bytes.toString('latin1')) ?? [''];
  return framed(bytes.subarray(frame.length, -1)).bytes;
}
