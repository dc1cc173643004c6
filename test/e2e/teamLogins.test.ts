/** The logins of teammates: dialogs that only a person's editor shows. */
import assert from 'node:assert/strict';
import { startAgent } from '../support/agent.ts';
import { showAnswerView } from '../support/answerForm.ts';
import { sampleRepository } from '../support/clones.ts';
import { openEditor } from '../support/editor.ts';
import type { Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { owner } from '../support/postgres.ts';
import { startShared } from '../support/store/sharedDatabase.ts';
import type { SharedDatabase } from '../support/store/sharedDatabase.ts';
import { addLogins, dialog, enter, share, standing, teamForm } from '../support/teamForms.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import type { EditorWindow } from '../support/window.ts';

describe('A team’s administrator', () => {
  /** What has begun, even if the rest could not. */
  const ends: (() => Promise<void>)[] = [];
  let database: SharedDatabase;
  let editor: Editor;
  let window: EditorWindow;
  let workspace: string;
  const login = (name: string) => `postgresql://${name}@127.0.0.1:${String(database.postgres.port)}/postgres`;

  before(async () => {
    database = await startShared({ settings: { listen_addresses: '127.0.0.1' } });
    ends.push(() => database.stop());
    const folder = await temporaryFolder();
    ends.push(() => folder.remove());
    workspace = sampleRepository(folder.folder).machine('ada').clone;
    const env = { HOLDPOINT_DATABASE_URL: login('ada_agent') };
    editor = await openEditor({ workspace, env, probe: false, settings: { 'window.dialogStyle': 'custom' } });
    ends.push(() => editor.close());
    ({ window } = editor);
    await showAnswerView(window);
    const agent = startAgent({ workspace, env: editor.env });
    await agent.register('t-1', 'API tokens');
    await agent.ask('Which port?', { work: 't-1' });
    agent.close();
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await share(window, { name: 'Ada', called: 'shop', url: login('ada') });
    await standing(window, 'shared, current').waitFor();
  });
  after(async () => {
    for (const end of ends.toReversed()) await end();
  });

  const rows = (text: string) => window.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
  const shell = (...args: readonly string[]) =>
    holdpoint({ workspace, env: { ...editor.env, HOLDPOINT_AGENT_ID: 'builder-001' } }, ...args);
  const members = async () => (await shell('team', 'members')).out;
  const untilMembers = (what: string, pattern: RegExp) => until(what, async () => pattern.test(await members()));

  it('gives a teammate logins from the Keys form, with the owner’s URL alone', async () => {
    await window.command('Holdpoint: Manage Keys…');
    await (await teamForm(window, 'keys')).getByRole('button', { name: 'Logins of teammates…' }).click();
    await rows('Add a teammate…').click();
    await enter(window, 'They get two logins', 'Linus');
    await enter(window, 'the URL that the server was prepared with', login('mallory'));
    const refusal = 'This login cannot create roles';
    const input = window.page.locator('.quick-input-widget', { hasText: refusal }).locator('input');
    await input.waitFor();
    assert.equal(await input.getAttribute('type'), 'password');
    assert.doesNotMatch(await members(), /linus/);
    await enter(window, refusal, login(owner));
    await dialog(window).getByText('The logins of Linus, shown this once').waitFor();
  });

  it('copies each URL from a dialog that shows no password', async () => {
    const copied: string[] = [];
    for (const name of ['Copy Linus’s URL', 'Copy the URL of Linus’s Agents']) {
      await dialog(window).getByRole('button', { name }).click();
      await until('the URL is in the clipboard', async () => {
        const text = await window.page.evaluate(() => navigator.clipboard.readText());
        if (!text.startsWith('postgresql://linus') || copied.includes(text)) return false;
        copied.push(text);
        return true;
      });
    }
    assert.deepEqual(
      copied.map((url) => new URL(url).username),
      ['linus', 'linus_agent'],
    );
    await dialog(window)
      .getByText(/linus_agent@.*Copied/s)
      .waitFor();
    const shown = await window.page.locator('body').innerText();
    for (const url of copied) assert.ok(!shown.includes(new URL(url).password));
    await dialog(window).getByRole('button', { name: 'Close', exact: true }).click();
    await dialog(window).waitFor({ state: 'detached' });
    assert.match(await members(), /linus_agent +agent +no +Linus/);
  });

  it('is asked first about logins that exist already', async () => {
    const asked = await addLogins(window, { person: 'Eve', owner: login(owner) });
    await asked.getByText('This server has these logins already: eve, eve_agent').waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    assert.doesNotMatch(await members(), /eve/);
    await addLogins(window, { person: 'Eve', owner: login(owner) });
    await asked.getByRole('button', { name: 'Add Them', exact: true }).click();
    await untilMembers('Eve is a member', /eve_agent/);
  });

  it('removes the logins of a teammate', async () => {
    await window.command('Holdpoint: Manage Logins of Teammates…');
    await rows('Linus').click();
    await rows('Remove from this workspace…').click();
    await dialog(window).getByRole('button', { name: 'Remove', exact: true }).click();
    await untilMembers('Linus is no member', /^(?![^]*linus)[^]*eve/);
  });

  it('reports no errors', () => {
    assert.deepEqual(window.webviewErrors, []);
  });
});
