/** What the editor does before it shares a workspace: trying logins, saving the agents', and reading what leaves the machine. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { randomUUID } from 'node:crypto';
import {
  agentsLogin,
  saveAgentsLogin,
  serverFailure,
  sharedIdOf,
  tryLogin,
  teamStatus,
} from '../../../src/app/team/servers.ts';
import { overviewOf } from '../../../src/app/team/decisions.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { adasAgent as agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { schemaFile, sharedDatabase, type SharedDatabase, startShared } from '../../support/store/sharedDatabase.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { joinTeam, prepareTeam } from '../../../src/app/team/people.ts';
import { confirmWith, freshnessOf } from '../../../src/app/workspace/freshness.ts';
import type { Workspace, WorkspaceOptions } from '../../../src/app/workspace/workspace.ts';
import type { StoreError } from '../../../src/store/journal/problem.ts';
import { settingsOfUrl, urlOf, databaseUrl, loginFile } from '../../../src/store/shared/settings.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { raiseQuestion as raiseTool } from '../../../src/tools/question/asking.ts';
import { startProxy } from '../../support/proxy.ts';
import { adasWorkspace, openAs } from '../../support/store/sharedWorkspace.ts';
import { until } from '../../support/until.ts';

describe('before a workspace is shared', function () {
  this.timeout(120_000);
  const database = sharedDatabase();
  afterEach(removeSandboxes);
  const url = (login: 'ada' | 'ada_agent' | 'mallory') => database.postgres.url(login);

  it('a login is tried: its kind, and where it is a member', async () => {
    const mine = await tryLogin(url('ada'));
    assert.deepEqual([mine.login, mine.kind, mine.workspaces], ['ada', 'human', [database.ours]]);
    assert.equal((await tryLogin(url('ada_agent'))).kind, 'agent');
    const other = await tryLogin(url('mallory'));
    assert.deepEqual([other.kind, other.workspaces], ['human', []]);
  });

  it('a wrong password or address says so, without the password', async () => {
    for (const wrong of [url('ada').replace(/:[^:@]+@/, ':not-the-secret@'), 'https://example.com/?not-the-secret']) {
      const error: unknown = await tryLogin(wrong).catch((reason: unknown) => reason);
      assert.match(serverFailure(error)?.code ?? '', /refused|wrong/);
      assert.ok(!String(error).includes('not-the-secret'));
    }
  });

  it('the agents’ login comes from the environment, or from a file that only this user can read', () => {
    const sandbox = makeSandbox();
    const inEnvironment = sandbox.open({ env: { HOLDPOINT_DATABASE_URL: url('ada_agent') } });
    assert.deepEqual(agentsLogin(inEnvironment), { login: 'ada_agent' });
    const workspace = sandbox.open({ env: {} });
    assert.ok('problem' in agentsLogin(workspace));
    const file = loginFile(workspace.stateFile.path);
    saveAgentsLogin(workspace, 'postgresql://first:secret@db.example/holdpoint');
    const undo = saveAgentsLogin(workspace, url('ada_agent'));
    assert.deepEqual(agentsLogin(workspace), { login: 'ada_agent' });
    assert.doesNotMatch(fs.readFileSync(file, 'utf8'), /first/);
    assert.throws(() => saveAgentsLogin(workspace, 'postgresql://localhost'), /names no user/);
    undo();
    assert.deepEqual(agentsLogin(workspace), { login: 'first' });
    if (process.platform === 'win32') return;
    assert.equal(fs.statSync(file).mode & 0o077, 0);
    fs.chmodSync(file, 0o644);
    assert.match(JSON.stringify(agentsLogin(workspace)), /read by other users: run chmod 600/);
  });

  it('the overview has what is in the journal: numbers and texts that look like secrets', async () => {
    const workspace = makeSandbox().open();
    const ada = enrolledHuman(workspace);
    const store = await workspace.store();
    await registerWork(store, agent(), { id: 't-1', workKind: 'task', title: 'Ports' });
    const ask = (text: string) =>
      raiseQuestion(store, agent(), { text, type: 'decision', urgency: 'low', mode: 'sync', work: 't-1' });
    await ask('Which port?');
    await ask(`May I use postgresql://ada:hunter22@db.example/shop for the tests?`);
    await decide(workspace, ada, 'Q-1');
    const overview = await overviewOf(workspace);
    assert.equal(overview.counts.questions, 2);
    assert.deepEqual(overview.secrets, [{ item: 'Q-2', kind: 'urlPassword', beginning: 'postgresql://ada:' }]);
    assert.equal(overview.secretCount, 1);
    assert.equal(sharedIdOf(workspace), store.workspaceId);
  });
});

/** A real server that rejects the agents' login, because its password was changed: nothing is saved, and nothing is lost. */
const asked = { text: 'Which way?', type: 'clarification', urgency: 'high', mode: 'sync', work: null } as const;

const rejection = /password authentication failed for user "ada_agent"/;

describe('a server that rejects the login of the agents', function () {
  this.timeout(240_000);
  let database: SharedDatabase;
  let password = '';
  before(async () => {
    database = await startShared({ hba: ['local all ada_agent,mallory scram-sha-256', 'local all all trust'] });
  });
  after(() => database.stop());
  afterEach(removeSandboxes);

  /** Of the agents with the password that they have now, and of all others without one. */
  function url(login: string): string {
    const settings = settingsOfUrl(database.postgres.url(login));
    return urlOf(login === 'ada_agent' ? { ...settings, password } : settings);
  }

  /** Open connections would go on. */
  async function changePassword(): Promise<void> {
    password = randomUUID();
    await database.admin.query(`alter role ada_agent password '${password}'`);
    await database.admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'ada_agent'`);
  }

  async function shared() {
    await changePassword();
    const postgres = { ...database.postgres, url };
    const one = await adasWorkspace({ ...database, postgres }, async (workspace) => {
      await raiseQuestion(await workspace.store(), agent('other-001'), { ...asked, text: 'Before?' });
    });
    return {
      ...one,
      another: (more: Partial<WorkspaceOptions> = {}) => openAs({ postgres }, one.sandbox, 'ada', more),
    };
  }

  /** As a program that was started before the password was changed. */
  const withEnv = (sandbox: Sandbox, to: string) =>
    sandbox.open({ env: { [databaseUrl]: to }, humanLogin: () => null });
  const texts = async (workspace: Workspace) =>
    [...(await workspace.store()).read().state.questions.values()].map(
      ({ id, raised }) => `${id} ${raised?.text ?? ''}`,
    );
  const gate = (workspace: Workspace) => askGate(workspace, { files: ['src/a.ts'], session: { agent: 'other-002' } });

  it('saves no question and says so, and takes it once a login is accepted', async () => {
    const { sandbox, another } = await shared();
    const before = url('ada_agent');
    await changePassword();
    const program = withEnv(sandbox, before);
    const context = { workspace: program, session: agent(), signal: new AbortController().signal, waitMs: 0 };
    const input = { text: asked.text, type: asked.type, wait_seconds: 0, holds: ['src'] };
    const raised = await runOperation(raiseTool, context, input);
    assert.equal(raised.status, 'error');
    assert.match(raised.text, /^Not saved: the server refused the connection: /);
    assert.match((await teamStatus(program)).problem ?? '', rejection);
    const accepted = another();
    await runOperation(raiseTool, { ...context, workspace: accepted }, input);
    assert.deepEqual(await texts(accepted), ['Q-1 Before?', 'Q-2 Which way?']);
    assert.equal(gate(accepted).state, 'BLOCKED');
  });

  it('leaves open whether a question was saved whose reply was lost before, and it is there once', async () => {
    const { sandbox, another } = await shared();
    const proxy = await startProxy(database.postgres);
    try {
      const behind = urlOf({ ...settingsOfUrl(url('ada_agent')), host: '127.0.0.1', port: proxy.port });
      const program = withEnv(sandbox, behind);
      await program.store();
      proxy.onReplyTo('append_agent', () => {
        proxy.cut();
        void changePassword().then(() => {
          proxy.restore();
        });
      });
      const question = { ...asked, holds: ['src'] };
      await assert.rejects(raiseQuestion(await program.store(), agent(), question), { code: 'unknown-outcome' });
      const accepted = another();
      assert.ok((await raiseQuestion(await accepted.store(), agent(), question)).already);
      assert.equal(gate(accepted).state, 'BLOCKED');
      assert.deepEqual(await texts(accepted), ['Q-1 Before?', 'Q-2 Which way?']);
    } finally {
      await proxy.close();
    }
  });

  it('is asked again with the login that was saved meanwhile, by programs that go on running', async () => {
    const { sandbox, workspace, another } = await shared();
    workspace.close();
    const env = { [databaseUrl]: url('ada_agent') };
    const running = sandbox.open({ env, humanLogin: () => null, clock: Date.now });
    const standing = async () => {
      await running.confirm(20_000);
      const { rows } = await database.admin.query(`select from pg_stat_activity where usename = 'ada_agent'`);
      return rows.length;
    };
    running.onChange(() => undefined);
    await until('it is connected', async () => (await standing()) === 1);
    for (const text of ['One?', 'Two?']) {
      await changePassword();
      const raise = async () => raiseQuestion(await running.store(), agent(), { ...asked, text, holds: ['src'] });
      // The connection may end before or after the act is sent.
      await assert.rejects(raise(), ({ code }: StoreError) => code === 'offline' || code === 'unknown-outcome');
      // First the login moves from the environment into the file, then only its password changes there.
      const other = another();
      saveAgentsLogin(other, url('ada_agent'));
      other.close();
      await until('it is connected again', async () => (await standing()) === 1);
      await raise();
    }
    assert.equal(gate(running).state, 'BLOCKED');
    await confirmWith(running);
    assert.equal(freshnessOf(running).state, 'current');
    assert.deepEqual(await texts(running), ['Q-1 Before?', 'Q-2 One?', 'Q-3 Two?']);
  });

  it('is shown to people who join, try a login or prepare a database, in the words of the server', async () => {
    const rejected = (promise: Promise<unknown>) =>
      assert.rejects(promise, { code: 'denied', message: /^password authentication failed for user "mallory"/ });
    const mallory = urlOf({ ...settingsOfUrl(database.postgres.url('mallory')), password: 'wrong' });
    const joining = { name: 'ours', fingerprint: '0'.repeat(64), url: mallory };
    await rejected(joinTeam(makeSandbox().open(), joining));
    await rejected(prepareTeam(mallory, schemaFile, []));
    const error: unknown = await tryLogin(mallory).catch((reason: unknown) => reason);
    const { code, message } = serverFailure(error) ?? {};
    assert.deepEqual([code, message], ['rejected', 'password authentication failed for user "mallory"']);
  });
});
