/** The lines of docs/team.md that back up a server, restore it and put back what it lost, as a reader pastes them. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { askGate } from '../../../src/app/hold/gate.ts';
import { addMember as addKey } from '../../../src/app/team/ring.ts';
import { readSharedRing } from '../../../src/app/workspace/sharedFile.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { addMember, appendRing } from '../../../src/store/shared/server.ts';
import { databaseUrl } from '../../../src/store/shared/settings.ts';
import { root } from '../../support/host.ts';
import { owner } from '../../support/postgres.ts';
import { agent, makeHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { startShared, type SharedDatabase } from '../../support/store/sharedDatabase.ts';
import { adasWorkspace } from '../../support/store/sharedWorkspace.ts';

const hasPsql = spawnSync('psql', ['--version']).status === 0;

/** The lines of the page that begin so. */
function pasted(beginning: string): string {
  const line = fs.readFileSync(path.join(root, 'docs', 'team.md'), 'utf8').split('\n');
  return line.find((one) => one.startsWith(beginning)) ?? assert.fail(`docs/team.md has no line ${beginning}`);
}

describe('the runbook of a team', function () {
  this.timeout(240_000);
  let database: SharedDatabase;
  before(async function () {
    if (!hasPsql) this.skip();
    database = await startShared();
  });
  after(async () => {
    if (hasPsql) await database.stop();
  });
  afterEach(removeSandboxes);

  const register = async (workspace: Workspace, id: string, person: string) =>
    registerWork(await workspace.store(), agent(`${person}/copilot-001`), {
      ...{ id, workKind: 'task', title: `${id} “é\\” "kind":"segment.sealed"` },
    });
  const asOwner = async (text: string, values: readonly string[] = []) => {
    const client = await database.postgres.connect(owner);
    await client.query(text, [...values]);
    await client.end();
  };
  const state = (workspace: Workspace) => askGate(workspace, {}).state;

  /** Ada's and Grace's machines, with a journal and a ring that go on after a backup which is then restored. */
  async function rolledBack() {
    const {
      sandbox: mine,
      workspace,
      ada,
      id,
      name,
      join,
    } = await adasWorkspace(database, (one) => register(one, 'before', 'Ada'));
    await addMember(database.server('ada'), id, { login: 'eve_agent', kind: 'agent', person: 'Grace' });
    const hers = makeSandbox();
    const there = hers.open({
      env: { [databaseUrl]: database.postgres.url('eve_agent') },
      humanLogin: () => database.postgres.url('grace'),
    });
    const confirm = async () => {
      for (const { clock } of [mine, hers]) clock.now += 60_000;
      for (const one of [workspace, there]) await one.confirm(20_000);
    };
    await join(there);
    const restoreOld = database.postgres.backUp();
    await confirm();
    for (const nth of [1, 2, 3]) {
      const [where, person] = nth === 2 ? ([there, 'Grace'] as const) : ([workspace, 'Ada'] as const);
      await register(where, `lost-${String(nth)}`, person);
    }
    const anchor = { workspace: id, roots: [ada.pin.publicKey] };
    const append = (record: Uint8Array, after: number) => appendRing(database.server('ada'), id, record, after);
    const ring = () => readSharedRing(workspace.options.fs, workspace.stateFile.path, anchor);
    for (const who of ['Grace', 'Linus']) {
      await addKey({ signer: ada, now: () => workspace.now(), append }, ring(), makeHuman(who).pin);
      await confirm();
    }
    restoreOld();
    // The first contact only finds that the connection is gone.
    await confirm();
    await confirm();
    assert.deepEqual([state(workspace), state(there)], ['UNKNOWN', 'UNKNOWN']);
    return { mine, hers, workspace, there, id, name, join, confirm };
  }

  /** What a reader does: the owner's line, then the file. */
  function putBack({ mine, workspace, name }: { mine: Sandbox; workspace: Workspace; name: string }, login = 'ada') {
    const shell = (line: string) =>
      spawnSync('bash', ['-c', line.replaceAll('payments', name)], {
        cwd: mine.folder,
        encoding: 'utf8',
        env: {
          PATH: process.env['PATH'],
          HOLDPOINT_OWNER_URL: database.postgres.url(owner),
          MY_URL: database.postgres.url(login),
          RING: workspace.stateFile.path.replace(/\.json$/, '.ring.json'),
        },
      });
    fs.copyFileSync(path.join(root, 'media', 'sql', 'put-back.sql'), path.join(mine.folder, 'put-back.sql'));
    const reopened = shell(
      pasted(
        'psql "$HOLDPOINT_OWNER_URL" -c "grant holdpoint_owner to current_user; set role holdpoint_owner; update holdpoint.workspace',
      ),
    );
    assert.equal(reopened.status, 0, reopened.stderr);
    return shell(pasted('psql "$MY_URL" -v name=payments'));
  }
  const rowsOf = async (id: string) =>
    Buffer.concat((await database.server('ada').tail(id, 0)).rows.map(({ bytes }) => bytes));

  it('begins with at most ten steps', () => {
    const [, steps = ''] = fs.readFileSync(path.join(root, 'docs', 'team.md'), 'utf8').split(/^## Set it up.*$/m);
    const { length } = steps.split(/^## /m)[0]?.match(/^\d+\. /gm) ?? [];
    assert.ok(length > 5 && length <= 10, String(length));
  });

  it('puts all lines and keys back, byte for byte, and every machine goes on', async () => {
    const one = await rolledBack();
    const { mine, hers, workspace, there, id, confirm } = one;
    const before = fs.readFileSync(mine.journal);
    const done = putBack(one);
    assert.equal(done.status, 0, done.stderr);
    assert.deepEqual(await rowsOf(id), before);
    await confirm();
    assert.deepEqual([state(workspace), state(there)], ['CLEAR', 'CLEAR']);
    assert.deepEqual(
      there
        .pins()
        .map((pin) => pin.name)
        .sort(),
      ['Ada', 'Grace', 'Linus'],
    );
    await register(there, 'after', 'Grace');
    await confirm();
    assert.ok(workspace.standing().state?.work.has('after'));
    assert.deepEqual(fs.readFileSync(hers.journal), fs.readFileSync(mine.journal));
  });

  it('puts nothing back where the server went on with other lines, with a login that may not, or from a changed copy', async () => {
    const one = await rolledBack();
    const { mine, workspace, id, join } = one;
    const third = makeSandbox().open({
      env: { [databaseUrl]: database.postgres.url('ada_agent') },
      humanLogin: () => database.postgres.url('grace'),
    });
    const refused = (login?: string) => {
      const { status, stdout, stderr } = putBack(one, login);
      assert.equal(status, 3, stdout + stderr);
      return stderr;
    };
    const before = await rowsOf(id);
    for (const login of ['grace', 'ada_agent', 'eve']) refused(login);
    const text = fs.readFileSync(mine.journal, 'latin1');
    fs.writeFileSync(mine.journal, text.replace('lost-2', 'mine-2'), 'latin1');
    assert.match(refused(), /does not match its hash/);
    fs.writeFileSync(mine.journal, text, 'latin1');
    assert.deepEqual(await rowsOf(id), before);
    await asOwner('update holdpoint.workspace set opened_at = now() where id = $1', [id]);
    await join(third);
    await register(third, 'another', 'Ada');
    const now = await rowsOf(id);
    assert.match(refused(), /does not follow the line before it/);
    assert.deepEqual(await rowsOf(id), now);
    assert.equal(state(workspace), 'UNKNOWN');
  });

  it('backs up and restores the database with its roles', async function () {
    const major = /\d+/.exec(String(spawnSync('pg_dump', ['--version']).stdout))?.[0];
    if (Number(major) < database.postgres.version) this.skip();
    const { id, sandbox } = await adasWorkspace(database, (one) => register(one, 'kept', 'Ada'));
    const before = await rowsOf(id);
    const folder = sandbox.at('backup');
    fs.mkdirSync(folder);
    await asOwner('create database restored');
    const env = { PATH: process.env['PATH'] };
    const run = (line: string, from: string) =>
      execFileSync('bash', ['-c', line], {
        cwd: folder,
        env: { ...env, HOLDPOINT_OWNER_URL: database.postgres.url(owner), SUPERUSER_URL: from },
      });
    for (const beginning of ['pg_dump ', 'pg_dumpall ']) run(pasted(beginning), '');
    for (const beginning of ['psql --file', 'pg_restore'])
      run(pasted(beginning), database.postgres.url(owner, 'restored'));
    const client = await database.postgres.connect('ada', 'restored');
    const { rows } = await client.query<{ line_bytes: Buffer }>('select line_bytes from holdpoint.tail($1, 0, 5000)', [
      id,
    ]);
    assert.deepEqual(Buffer.concat(rows.map((row) => row.line_bytes)), before);
    await client.end();
  });
});
