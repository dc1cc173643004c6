/** What the editor does before it shares a workspace: trying logins, saving the agents', and reading what leaves the machine. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { agentsLogin, saveAgentsLogin, serverFailure, sharedIdOf, tryLogin } from '../../../src/app/team/servers.ts';
import { overviewOf } from '../../../src/app/team/overview.ts';
import { loginFile } from '../../../src/store/shared/settings.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { adasAgent as agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { sharedDatabase } from '../../support/store/sharedDatabase.ts';

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
