/** A team's day with one PostgreSQL server and two real editors: of two users of this machine where it has them. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { prepareDatabase } from '../../src/store/shared/migrate.ts';
import { settingsOfUrl } from '../../src/store/shared/settings.ts';
import { startAgent } from '../support/agent.ts';
import { answerAsHuman, questionShown, readAll, selectInTree, showAnswerView } from '../support/answerForm.ts';
import { sampleRepository } from '../support/clones.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { findHost } from '../support/host.ts';
import { owner } from '../support/postgres.ts';
import { secondUserOfEditors } from '../support/secondUser.ts';
import { schema, startShared, type SharedDatabase } from '../support/store/sharedDatabase.ts';
import { confirm, enter, join, rootOf, publicKeyIn, standing, teamForm, trustKey } from '../support/teamForms.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { extensionReady } from '../support/tools.ts';
import { until } from '../support/until.ts';
import type { EditorWindow } from '../support/window.ts';

const login = (database: SharedDatabase, name: string) =>
  `postgresql://${name}@127.0.0.1:${String(database.postgres.port)}/postgres`;

interface Place {
  readonly editor: Editor;
  readonly workspace: string;
}

describe('A team with two editors', () => {
  /** What has begun, even if the rest could not. */
  const ends: (() => Promise<void>)[] = [];
  let database: SharedDatabase;
  let folder: TemporaryFolder;
  let ada: Place;
  let grace: Place;
  let second: ReturnType<typeof secondUserOfEditors>;
  let id = '';
  let fingerprint = '';
  before(async () => {
    database = await startShared({ settings: { listen_addresses: '127.0.0.1' } });
    ends.push(() => database.stop());
    const hers = { login: 'grace_agent', kind: 'agent' } as const;
    await prepareDatabase({ owner: settingsOfUrl(database.postgres.url(owner)), schema, logins: [hers] });
    folder = await temporaryFolder();
    ends.push(() => folder.remove());
    second = secondUserOfEditors(await findHost());
    const repository = sampleRepository(folder.folder);
    const open = async (name: string, user?: { uid: number; gid: number }): Promise<Place> => {
      const { clone } = repository.machine(name, user);
      const env = { HOLDPOINT_DATABASE_URL: login(database, `${name}_agent`) };
      const editor = await openEditor({ workspace: clone, env, user, person: name === 'ada' ? 'Ada' : 'Grace' });
      ends.push(() => editor.close());
      return { workspace: clone, editor };
    };
    ada = await open('ada');
    grace = await open('grace', 'why' in second ? undefined : second);
    for (const { editor } of [ada, grace]) {
      await extensionReady(editor.window);
      await showAnswerView(editor.window);
    }
    const agent = startAgent({ workspace: ada.workspace, env: ada.editor.env });
    ends.push(() => {
      agent.close();
      return Promise.resolve();
    });
    await agent.register('t-1', 'API tokens');
    await agent.ask('Which port?', { work: 't-1' });
    await ada.editor.window.command('Answer Next Question');
    const form = await questionShown(ada.editor.window);
    await answerAsHuman(form, { text: 'Eighty.' });
    await agent.ask('May I use postgresql://ada:hunter22@db.example/shop?', { work: 't-1' });
  });
  after(async () => {
    for (const end of ends.toReversed()) await end();
  });

  const shared = async () => (await database.server('ada').workspaces()).find(({ name }) => name === 'shop');
  /** A command of the agents of one of them. */
  const shellOf = ({ workspace, editor }: Place) => {
    const user = editor === grace.editor && !('why' in second) ? second : undefined;
    return { workspace, env: { ...editor.env, HOLDPOINT_AGENT_ID: 'builder-001' }, user };
  };
  const shell = (place: Place, ...args: readonly string[]) => holdpoint(shellOf(place), ...args);

  async function ask(text: string, ...more: readonly string[]): Promise<void> {
    const asked = await shell(ada, 'question', 'create', '--text', text, '--blocking-task-id', 't-1', ...more);
    assert.equal(asked.code, 0, asked.err);
  }

  it('the form shows what everybody will see, and asks for a login first', async () => {
    await ada.editor.window.menu('Rules and Devices', 'Share This Workspace…');
    const form = await teamForm(ada.editor.window, 'share');
    const text = await form.locator('main').innerText();
    for (const shown of ['2 questions', '1 work item', 'password in a URL', 'Q-2', 'not connected'])
      assert.ok(text.includes(shown), `${shown} in ${text}`);
    assert.ok(!text.includes('hunter22'));
  });

  it('a login that is not a person’s is refused, and asked for again; the right one is kept', async () => {
    const { page } = ada.editor.window;
    await (await teamForm(ada.editor.window, 'share')).locator('[data-act="connect"]').click();
    const input = page.locator('.quick-input-widget input');
    await input.waitFor();
    assert.equal(await input.getAttribute('type'), 'password');
    await input.fill(login(database, 'ada_agent'));
    await page.keyboard.press('Enter');
    await enter(ada.editor.window, 'not a login for a person', login(database, 'ada'));
    await (await teamForm(ada.editor.window, 'share')).locator('dd', { hasText: 'ada_agent' }).waitFor();
  });

  it('shares it: the server has the journal, and agents go on', async () => {
    const form = await teamForm(ada.editor.window, 'share');
    await form.locator('#called').fill('shop');
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await confirm(form);
    fingerprint = await rootOf(shellOf(ada));
    const before = await shared();
    assert.ok(before?.open && before.size > 0);
    id = before.id;
    await ada.editor.window.screenshot('shared');
    const { out } = await shell(ada, 'gate', '--json', '--work', 't-1');
    assert.match(out, /BLOCKED/);
    assert.match(out, /"shared"/);
    await ada.editor.window.command('Answer Next Question');
    await answerAsHuman(await questionShown(ada.editor.window), { text: 'No.' });
    assert.ok(((await shared())?.size ?? 0) > before.size, 'the answer is on the server');
  });

  it('a teammate joins in another clone, with another home', async () => {
    const url = login(database, 'ada');
    const env = { ...ada.editor.env, HOLDPOINT_HUMAN_URL: url };
    const added = await holdpoint({ workspace: ada.workspace, env }, 'team', 'invite', 'Grace');
    assert.equal(added.code, 0, added.err);
    await join(grace.editor.window, shellOf(grace), { url: login(database, 'grace'), workspace: 'shop', fingerprint });
    const status = await shell(grace, 'team', 'status');
    assert.match(status.out, /Shared as shop: current/);
    assert.equal(status.code, 0);
  });

  it('under another user of the operating system', async function () {
    if ('why' in second) {
      console.log(`Both editors ran as the same user: ${second.why}.`);
      this.skip();
    }
    const users = await Promise.all(
      [ada, grace].map(({ editor }) => editor.window.evaluate(() => process.getuid?.(), undefined)),
    );
    assert.deepEqual(users, [0, second.uid]);
  });

  it('its root adds the teammate’s key to the team’s ring, in the Keys form', async () => {
    const line = await publicKeyIn(grace.editor.window);
    await ada.editor.window.command('Holdpoint: You and Your Devices…');
    const form = await teamForm(ada.editor.window, 'keys');
    assert.equal(await form.locator('[data-act="rotate"]').count(), 0);
    await trustKey(ada.editor.window, line, 'Grace');
    await until('her machine has it', async () => (await shell(grace, 'keys')).out.includes('Grace'));
  });

  it('both answer the same question at the same moment: one wins, and the other form says who answered what', async () => {
    await ask('JWT or sessions?');
    const people = [
      { name: 'Ada', window: ada.editor.window, text: 'JWT, since services need no lookup.' },
      { name: 'Grace', window: grace.editor.window, text: 'Sessions, since revoking has to be instant.' },
    ];
    const forms = await Promise.all(
      people.map(async ({ window, text }) => {
        await selectInTree(window, 'JWT or sessions?');
        const shown = await questionShown(window);
        await shown.locator('.question-text', { hasText: 'JWT or sessions?' }).waitFor();
        const form = await readAll(shown);
        await form.locator('#text').fill(text);
        await form.locator('main[data-ready="true"]').waitFor();
        return form;
      }),
    );
    // Nothing is appended before both answers are on the server.
    const turn = await database.postgres.connect(owner);
    await turn.query('begin');
    await turn.query('select from holdpoint.workspace where id = $1 for update', [id]);
    await Promise.all(forms.map((form) => form.locator('[data-act="decide"]').click()));
    const both = `select from pg_stat_activity where wait_event_type = 'Lock' and usename in ('ada', 'grace')`;
    await until('both answers wait for the turn', async () => ((await database.admin.query(both)).rowCount ?? 0) >= 2);
    await turn.query('rollback');

    const results = await Promise.all(forms.map((form) => form.locator('.result').innerText()));
    const won = results.findIndex((text) => text.includes('You answered'));
    const [winner, loser] = won === 0 ? people : people.toReversed();
    const [first, other] = won === 0 ? results : results.toReversed();
    assert.ok(winner && loser && first && other);
    assert.ok(first.includes(winner.text) && !first.includes(loser.text), first);
    assert.match(other, new RegExp(`${winner.name} answered`));
    assert.ok(other.includes(winner.text), other);
    assert.equal(await forms[1 - won]?.locator('.left-over-text').innerText(), loser.text);
    for (const { out, code } of await Promise.all(
      [ada, grace].map((place) => shell(place, 'question', 'show', 'Q-3')),
    )) {
      assert.equal(code, 0, out);
      assert.ok(out.includes(winner.text) && !out.includes(loser.text), out);
    }
  });

  it('the tree shows what is for me, or for everyone', async () => {
    await ask('Which cipher?', '--for', 'Grace');
    await ask('Which colour?', '--for', 'Ada');
    await ask('Which host?');
    const rows = ({ editor }: Place) =>
      editor.window.page.locator('.pane-body').getByRole('treeitem', { name: /^Which|, Which/ });
    for (const place of [ada, grace]) await until('all rows', async () => (await rows(place).count()) === 3);
    for (const [place, other] of [
      [ada, 'Which cipher?'],
      [grace, 'Which colour?'],
    ] as const) {
      await place.editor.window.run('holdpoint.waiting.forMe');
      await rows(place).filter({ hasText: other }).waitFor({ state: 'detached' });
      await place.editor.window.page.getByText('Filtered: for me. 2 of 3 shown.').waitFor();
      await until('both rows', async () => (await rows(place).count()) === 2);
    }
    await grace.editor.window.run('holdpoint.waiting.forAll');
    await rows(grace).filter({ hasText: 'Which colour?' }).waitFor();
    await until('all rows again', async () => (await rows(grace).count()) === 3);
  });

  it('without its server: offline since when, then UNKNOWN when the lease is over, and current again', async () => {
    const windows = [ada, grace].map(({ editor }) => editor.window);
    const status = ({ page }: EditorWindow, text: RegExp) => page.locator('.statusbar-item', { hasText: text });
    const bar = async (window: EditorWindow, text: RegExp) =>
      (await questionShown(window)).locator('.outage', { hasText: text }).waitFor();
    database.postgres.crash();
    for (const window of windows) {
      await status(window, /offline since \d/).waitFor();
      await standing(window, /offline since \d/).waitFor();
      await bar(window, /Offline since .*\d/);
    }
    assert.match((await shell(grace, 'team', 'status')).out, /offline/i);
    // An hour later, by all clocks.
    for (const { editor } of [ada, grace]) letHourPass(editor.env['HOME'] ?? '');
    for (const window of windows) {
      await status(window, /can’t verify the journal since/).waitFor();
      await standing(window, /can’t verify the journal since/).waitFor();
      await bar(window, /Can’t verify the journal: .*has not answered since/);
    }
    await windows[0]!.screenshot('unknown');
    const denied = await shell(grace, 'gate', '--work', 't-1');
    assert.equal(denied.code, 2);
    assert.match(denied.err, /UNKNOWN/);
    database.postgres.start();
    for (const window of windows) {
      await standing(window, 'shared, current').waitFor();
      await status(window, /UNKNOWN|offline/).waitFor({ state: 'detached' });
      await (await questionShown(window)).locator('.outage').waitFor({ state: 'detached' });
    }
  });

  it('one of them leaves: that clone keeps the journal to itself', async () => {
    const { window } = grace.editor;
    await window.run('holdpoint.team.leave');
    const form = await teamForm(window, 'leave');
    await window.screenshot('leave');
    await form.locator('[data-act="decide"]').click();
    await confirm(form);
    await standing(window, /shared|UNKNOWN|offline/).waitFor({ state: 'detached' });
    const status = await shell(grace, 'team', 'status');
    assert.match(status.out, /not shared/i);
    const before = await shared();
    const audit = await shell(grace, 'audit', '--verify');
    assert.equal(audit.code, 0, audit.out);
    await ask('Which port now?');
    assert.ok(((await shared())?.size ?? 0) > (before?.size ?? 0));
    assert.equal((await shell(grace, 'question', 'show', 'Q-7')).code, 1);
    assert.deepEqual([...ada.editor.window.webviewErrors, ...window.webviewErrors], []);
  });
});

/** Sets back when the server last confirmed the copies of this home. */
function letHourPass(home: string): void {
  const hour = 60 * 60 * 1_000;
  const files = fs
    .readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.confirmed.json'));
  assert.ok(files.length > 0);
  for (const file of files.map((name) => path.join(home, name))) {
    const { at, up, ...rest } = JSON.parse(fs.readFileSync(file, 'utf8')) as { at: string; up: number };
    const earlier = { at: new Date(Date.parse(at) - hour).toISOString(), up: Math.max(0, up - hour) };
    fs.writeFileSync(file, JSON.stringify({ ...rest, ...earlier }));
  }
}
