/** The logins of teammates, as the editor makes, renews and removes them, on a server that asks for passwords. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { addPerson, removeLogin } from '../../../src/app/team/membership.ts';
import type { PersonsLogin } from '../../../src/app/team/preparing.ts';
import { makeLogins, newPasswords, peopleOf, requireOwnersDatabase } from '../../../src/app/team/teammates.ts';
import { tryLogin } from '../../../src/app/team/login.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { root } from '../../support/host.ts';
import { owner, startPostgres } from '../../support/postgres.ts';
import type { Postgres } from '../../support/postgres.ts';
import { removeSandboxes } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';
import { makeLogins as makeFirstLogins, shareAsAda, startGuarded } from '../../support/store/team.ts';

describe('the logins of teammates', function () {
  this.timeout(240_000);
  let postgres: Postgres;
  let urls: ReadonlyMap<string, string>;
  let sandbox: Sandbox;
  let workspace: Workspace;
  before(async () => {
    postgres = await startGuarded();
    urls = await makeFirstLogins(postgres, ['Ada', 'Grace']);
    ({ sandbox } = await shareAsAda('team', urls, { human: 'grace', agent: 'grace_agent', person: 'Grace' }));
  });
  beforeEach(() => {
    workspace = sandbox.open({ clock: Date.now, env: { HOLDPOINT_DATABASE_URL: urls.get('ada_agent') } });
  });
  afterEach(() => sandbox.close());
  after(async () => {
    removeSandboxes();
    await postgres.stop();
  });

  const access = () => ({ owner: postgres.url(owner), migrations: path.join(root, 'media', 'sql') });
  const own = () => urls.get('ada') ?? '';
  const id = () => workspace.standing().state?.workspace?.id ?? '';
  const urlOf = (logins: readonly PersonsLogin[], wanted: string) =>
    logins.find(({ login }) => login === wanted)?.url ?? assert.fail(wanted);
  const members = async () => (await peopleOf(workspace, own())).map(({ name }) => name);

  it('are made, become members, get new passwords and are removed', async () => {
    const made = await makeLogins(access(), 'Linus');
    assert.equal((await tryLogin(urlOf(made, 'linus'), id())).member, false);
    await addPerson(workspace, own(), 'Linus');
    for (const [login, kind] of [
      ['linus', 'human'],
      ['linus_agent', 'agent'],
    ] as const) {
      const tried = await tryLogin(urlOf(made, login), id());
      assert.deepEqual([tried.kind, tried.member], [kind, true]);
    }
    const people = await peopleOf(workspace, own());
    assert.deepEqual(
      people.map(({ name, logins }) => [name, logins.map(({ login }) => login).sort()]),
      [
        ['Ada', ['ada', 'ada_agent']],
        ['Grace', ['grace', 'grace_agent']],
        ['Linus', ['linus', 'linus_agent']],
      ],
    );
    const again = await makeLogins(access(), 'Linus');
    assert.deepEqual(
      again.map(({ url }) => url),
      [null, null],
    );
    const renewed = await newPasswords(access(), again);
    for (const login of ['linus', 'linus_agent']) {
      await assert.rejects(tryLogin(urlOf(made, login), id()), /password authentication failed/);
      assert.equal((await tryLogin(urlOf(renewed, login), id())).member, true);
    }
    for (const login of ['linus', 'linus_agent']) await removeLogin(workspace, own(), login);
    assert.deepEqual(await members(), ['Ada', 'Grace']);
    assert.equal((await tryLogin(urlOf(renewed, 'linus'), id())).member, false);
  });

  it('are listed for an administrator of the workspace alone', async () => {
    await assert.rejects(peopleOf(workspace, urls.get('grace') ?? ''), {
      code: 'denied',
      message: /grace does not administer this workspace: ask Ada$/,
    });
  });

  it('are not made in another database, whose schema stays as it is', async () => {
    await requireOwnersDatabase(own(), postgres.url(owner));
    const client = await postgres.connect(owner);
    await client.query('create database other');
    const other = await startPostgres();
    try {
      for (const url of [postgres.url(owner, 'other'), other.url(owner)])
        await assert.rejects(requireOwnersDatabase(own(), url), { code: 'bad_input', message: /another database/ });
    } finally {
      await other.stop();
    }
    await assert.rejects(requireOwnersDatabase(own(), postgres.url('nobody:x')), { code: 'denied' });
  });
});
