/** `holdpoint team`: the built command line on a real server, with the homes of two users. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { registerWork } from '../../../src/app/work/work.ts';
import { loginFile, settingsOfUrl } from '../../../src/store/shared/settings.ts';
import { holdpoint, type Called } from '../../support/holdpoint.ts';
import { owner, startPostgres, type Postgres } from '../../support/postgres.ts';
import { adasAgent as agent } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { shareAsAda, startGuarded } from '../../support/store/team.ts';

interface Logins {
  readonly logins: readonly { readonly login: string; readonly kind: string; readonly url: string | null }[];
}

describe('holdpoint team', function () {
  this.timeout(240_000);
  let postgres: Postgres;
  let ownerUrl: string;
  /** By login, as `team init` printed them. */
  const urls = new Map<string, string>();
  let root: string;
  let ada: Sandbox;

  const run = (sandbox: Sandbox, env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Called> =>
    holdpoint(
      {
        workspace: sandbox.folder,
        env: {
          PATH: process.env['PATH'],
          HOME: sandbox.home,
          USERPROFILE: sandbox.home,
          LOCALAPPDATA: sandbox.home,
          ...env,
        },
      },
      'team',
      ...args,
    );
  const url = (login: string) => urls.get(login) ?? assert.fail(login);
  const asOwner = () => ({ HOLDPOINT_OWNER_URL: ownerUrl });

  before(async () => {
    postgres = await startGuarded();
    ownerUrl = postgres.url(owner);
    const made = await run(makeSandbox(), asOwner(), 'init', '--person', 'Ada', '--person', 'Grace Hopper', '--json');
    assert.equal(made.code, 0, made.err);
    for (const { login, url: one } of (JSON.parse(made.out) as Logins).logins) urls.set(login, one ?? '');
    const shared = await shareAsAda('team', urls, {
      person: 'Grace',
      human: 'grace_hopper',
      agent: 'grace_hopper_agent',
    });
    ada = shared.sandbox;
    root = shared.fingerprint;
  });
  after(async () => {
    removeSandboxes();
    await postgres.stop();
  });

  const loginFileOf = (sandbox: Sandbox) => {
    const workspace = sandbox.open();
    workspace.close();
    return loginFile(workspace.stateFile.path);
  };

  async function joined(): Promise<Sandbox> {
    const grace = makeSandbox();
    const done = await run(grace, {}, 'join', 'team', url('grace_hopper_agent'), '--fingerprint', root);
    assert.equal(done.code, 0, done.err);
    return grace;
  }

  it('init prints each URL once; a second run changes nothing, and only a new person gets URLs', async () => {
    assert.deepEqual([...urls.keys()], ['ada', 'ada_agent', 'grace_hopper', 'grace_hopper_agent']);
    for (const [login, one] of urls) assert.equal(settingsOfUrl(one).user, login);
    const again = await run(makeSandbox(), asOwner(), 'init', '--person', 'Ada', '--person', 'Linus');
    assert.equal(again.code, 0, again.err);
    assert.match(again.out, /ada \(Ada\): exists already/);
    assert.match(again.out, /linus_agent \(agents of Linus\): for the person's agents/);
    assert.deepEqual(
      [...again.out.matchAll(/postgresql:\/\/(\w+):/g)].map(([, login]) => login),
      ['linus', 'linus_agent'],
    );
  });

  it('init refuses a server that could lose lines, with the reason, and prints no part of the URL', async () => {
    const unfit = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off' } });
    try {
      const refused = await run(makeSandbox(), { HOLDPOINT_OWNER_URL: unfit.url(owner) }, 'init', '--person', 'Ada');
      assert.equal(refused.code, 2);
      assert.match(refused.err, /fsync is off.*\n.*full_page_writes is off/);
      assert.doesNotMatch(refused.out + refused.err, /postgresql:/);
    } finally {
      await unfit.stop();
    }
    const away = 'postgresql://o:s3cret@127.0.0.1:9/none';
    const unreached = await run(makeSandbox(), { HOLDPOINT_OWNER_URL: away }, 'init');
    assert.equal(unreached.code, 1);
    assert.doesNotMatch(unreached.out + unreached.err, /s3cret/);
    const missing = await run(makeSandbox(), {}, 'init');
    assert.deepEqual([missing.code, missing.err.includes('HOLDPOINT_OWNER_URL')], [1, true]);
    const strange = await run(makeSandbox(), asOwner(), 'init', '--person', '李');
    assert.equal(strange.code, 1);
  });
  it('init refuses logins that may do more than append', async () => {
    const client = await postgres.connect(owner);
    await client.query('alter role grace_hopper createrole');
    const unsafe = await run(makeSandbox(), asOwner(), 'init');
    await client.query('alter role grace_hopper nocreaterole');
    assert.deepEqual([unsafe.code, unsafe.err.includes('grace_hopper may create roles')], [2, true], unsafe.err);
    assert.equal((await run(makeSandbox(), asOwner(), 'init')).code, 0);
  });

  it('join copies the journal and keeps the URL outside the workspace, for this user alone', async () => {
    const grace = makeSandbox();
    const done = await run(grace, {}, 'join', 'team', url('grace_hopper_agent'), '--fingerprint', root);
    assert.equal(done.code, 0, done.err);
    assert.match(done.out, /Joined team: its journal was copied and compared[^]*connect your own login in the editor/);
    assert.match(done.err, /Copying team/);
    const { password = '' } = settingsOfUrl(url('grace_hopper_agent'));
    const file = loginFileOf(grace);
    assert.deepEqual([file.startsWith(grace.userFolder), done.out.includes(file)], [true, true]);
    assert.equal(fs.readFileSync(file, 'utf8'), url('grace_hopper_agent'));
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    for (const file of fs.readdirSync(grace.folder, { recursive: true, withFileTypes: true }))
      if (file.isFile())
        assert.ok(!fs.readFileSync(path.join(file.parentPath, file.name), 'latin1').includes(password), file.name);
    assert.deepEqual(fs.readFileSync(grace.journal), fs.readFileSync(ada.journal));
    const gate = await holdpoint(
      { workspace: grace.folder, env: { PATH: process.env['PATH'], HOME: grace.home } },
      'gate',
      '--work',
      'Held',
    );
    assert.equal(gate.code, 2);
    assert.match(gate.out + gate.err, /Q-1/);
  });

  it('join refuses a wrong fingerprint, a human’s login, a stranger and another journal, and leaves nothing', async () => {
    const agents = url('grace_hopper_agent');
    const refusals: readonly (readonly [from: string, name: string, mark: string, code: number, why: RegExp])[] = [
      [agents, 'team', 'ab'.repeat(32), 2, /no team owner key/],
      [url('grace_hopper'), 'team', root, 2, /not an agents' login/],
      [ownerUrl, 'team', root, 2, /not an agents' login/],
      [agents, 'nothing', root, 1, /not a member of a workspace nothing; it is one of: team/],
      ['postgresql://x:s3cret@127.0.0.1:9/none', 'team', root, 1, /cannot be reached/],
      ['postgresql://x:a%0Ahost=evil@127.0.0.1/none', 'team', root, 1, /cannot be reached|control character/],
      ['mysql://x:s3cret@host', 'team', root, 1, /not of the form/],
    ];
    for (const [from, name, mark, code, why] of refusals) {
      const sandbox = makeSandbox();
      const refused = await run(sandbox, {}, 'join', name, from, '--fingerprint', mark);
      assert.equal(refused.code, code, refused.err);
      assert.match(refused.err, why);
      assert.doesNotMatch(refused.out + refused.err, /s3cret/);
      assert.ok(!fs.existsSync(loginFileOf(sandbox)), refused.err);
      assert.equal((await run(sandbox, {}, 'status')).out, notShared);
    }
    const own = makeSandbox();
    const workspace = own.open({ clock: Date.now });
    await registerWork(await workspace.store(), agent(), { id: 'Own', workKind: 'task', title: 'Own' });
    workspace.close();
    const refused = await run(own, {}, 'join', 'team', agents, '--fingerprint', root);
    assert.deepEqual([refused.code, refused.err.includes('its own journal')], [1, true]);
    const nowhere = await run(own, {}, 'join', 'team', '--fingerprint', root);
    assert.deepEqual([nowhere.code, nowhere.err.includes('HOLDPOINT_DATABASE_URL')], [1, true]);
  });

  it('status and the audit name rows of the key ring that no root signed, and go on', async () => {
    const grace = await joined();
    const admin = await postgres.connect(owner);
    await admin.query(`insert into holdpoint.ring (workspace, seq, hash, record, login)
      select id, 900, 'x', 'garbage', 'ada' from holdpoint.workspace where name = 'team'`);
    try {
      const status = await run(grace, {}, 'status');
      const row = /Warning: row \d+ of the team's list of keys is ignored, because it is not JSON/;
      assert.deepEqual([status.code, row.test(status.out)], [0, true], status.out);
      const at = { workspace: grace.folder, env: { HOME: grace.home, PATH: process.env['PATH'] } };
      const audit = await holdpoint(at, 'audit');
      assert.deepEqual([audit.code, row.test(audit.out)], [0, true], audit.out + audit.err);
    } finally {
      await admin.query(`delete from holdpoint.ring where hash = 'x'`);
      await admin.end();
    }
    assert.doesNotMatch((await run(grace, {}, 'status')).out, /Warning/);
  });

  const notShared = 'Not shared: the journal of this workspace is on this machine only.';

  it('status says what is known, with and without the server', async () => {
    const grace = await joined();
    const before = await run(grace, {}, 'status', '--json');
    assert.equal(before.code, 0, before.out);
    const status = JSON.parse(before.out) as Record<string, unknown>;
    const { state, name, problem, position } = status;
    assert.deepEqual({ state, name, problem }, { state: 'current', name: 'team', problem: null });
    const { size } = fs.statSync(grace.journal);
    assert.deepEqual(position, { here: size, server: size });
    const { out } = await run(grace, {}, 'status');
    assert.match(out, /^Shared as team: current\n[^]* on the server\n[^]*team owner key of Ada\nIf it is lost, /m);
    postgres.crash();
    try {
      const confirmed = fs
        .readdirSync(path.join(grace.userFolder, 'stores'))
        .find((file) => file.endsWith('.confirmed.json'));
      fs.rmSync(path.join(grace.userFolder, 'stores', confirmed ?? 'none'));
      const away = await run(grace, {}, 'status');
      assert.equal(away.code, 2, away.out);
      assert.match(away.out, /^Shared as team: UNKNOWN[^]*cannot be reached[^]*on the server: ?|not known/);
      assert.equal((await run(grace, {}, 'members')).code, 1);
    } finally {
      postgres.start();
    }
    assert.equal((await run(grace, {}, 'status')).code, 0);
    fs.rmSync(loginFileOf(grace));
    const lost = await run(grace, {}, 'status');
    assert.match(lost.out, /no agents' login: join the team again/);
  });

  it('members lists logins, and keys prints the keys that count', async () => {
    const grace = await joined();
    const listed = await run(grace, {}, 'members');
    assert.equal(listed.code, 0, listed.err);
    assert.match(listed.out, /^ada +human +yes +Ada$/m);
    assert.match(listed.out, /^grace_hopper_agent +agent +no +Grace$/m);
    const keys = await holdpoint(
      { workspace: grace.folder, env: { PATH: process.env['PATH'], HOME: grace.home } },
      'keys',
    );
    assert.match(keys.out, /^\S+ Ada$/m);
  });

  it('invite adds a person with an administrator’s login only, and prints what they paste', async () => {
    const grace = await joined();
    const logins = ['linus', 'linus_agent'];
    const asGrace = { HOLDPOINT_HUMAN_URL: url('grace_hopper') };
    const asAda = { HOLDPOINT_HUMAN_URL: url('ada') };
    const listed = async () => (await run(grace, {}, 'members')).out.match(/^linus\w*/gm) ?? [];
    for (const env of [{}, asGrace, { HOLDPOINT_HUMAN_URL: url('ada_agent') }])
      assert.equal((await run(grace, { ...asOwner(), ...env }, 'invite', 'Linus')).code, 2);
    assert.deepEqual(await listed(), []);
    const elsewhere = await startGuarded();
    const other = { ...asAda, HOLDPOINT_OWNER_URL: elsewhere.url(owner) };
    const wrong = await run(grace, other, 'invite', 'Linus');
    await elsewhere.stop();
    assert.deepEqual([wrong.code, wrong.err.includes('another database')], [1, true]);
    const again = await run(grace, asAda, 'invite', 'Linus');
    assert.match(again.out, /the URL of linus_agent, which exists already/);
    const added = await run(grace, { ...asAda, ...asOwner() }, 'invite', 'Barbara');
    assert.equal(added.code, 0, added.err);
    assert.match(added.out, /^Barbara is a member of team now: barbara, barbara_agent\./);
    const [joining = ''] = /(?<=: )holdpoint team join .*/.exec(added.out) ?? [];
    assert.equal(joining, `holdpoint team join team --fingerprint ${root.replaceAll(' ', '')}`);
    const pasted = [...added.out.matchAll(/Paste this: (\S+)/g)].map(([, one = '']) => one);
    assert.deepEqual(
      pasted.map((one) => settingsOfUrl(one).user),
      ['barbara_agent', 'barbara'],
    );
    const barbara = makeSandbox();
    const done = await run(barbara, { HOLDPOINT_DATABASE_URL: pasted[0] ?? '' }, ...joining.split(' ').slice(2));
    assert.equal(done.code, 0, done.err);
    assert.deepEqual(await listed(), logins);
    for (const login of logins)
      assert.equal((await run(grace, asAda, 'members', '--remove', login)).out, `Removed: ${login}.`);
    assert.deepEqual(await listed(), []);
    assert.equal((await run(grace, asGrace, 'members', '--remove', 'barbara')).code, 2);
  });
});
