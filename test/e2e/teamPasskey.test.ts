/** A passkey in a team: added in one person's browser, accepted by the root in another editor, and shown by both. */
import assert from 'node:assert/strict';
import type { Browser, Frame, Page } from 'playwright-core';
import { localOrigin } from '../../src/app/serving/editorLink.ts';
import { prepareDatabase } from '../../src/store/shared/migrate.ts';
import { settingsOfUrl } from '../../src/store/shared/settings.ts';
import { listenerAt } from '../../src/vscode/settings/browserAsking.ts';
import { addDevice, launch, sizes } from '../serve/browser.ts';
import { startAgent, type Agent } from '../support/agent.ts';
import { addPasskeyRule, questionShown, selectInTree, showAnswerView } from '../support/answerForm.ts';
import { sampleRepository } from '../support/clones.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { addPasskeyOf, closePopups, createPasskey, signInWithPasskey } from '../support/passkeyPage.ts';
import { owner } from '../support/postgres.ts';
import { freePort } from '../support/ports.ts';
import { schema, startShared, type SharedDatabase } from '../support/store/sharedDatabase.ts';
import { confirm, join, publicKeyIn, share, standing, teamForm, trustKey } from '../support/teamForms.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { extensionReady } from '../support/tools.ts';
import { until } from '../support/until.ts';

interface Place {
  readonly editor: Editor;
  readonly workspace: string;
  readonly agent: Agent;
  /** Of the server that this editor starts. */
  readonly port: number;
}

const outcome = 'Signed in a browser with the passkey “Grace’s phone”, verified by PIN or fingerprint';

describe('A passkey in a team with two editors', () => {
  /** What has begun, even if the rest could not. */
  const ends: (() => Promise<void> | void)[] = [];
  let database: SharedDatabase;
  let ada: Place;
  let grace: Place;
  let browser: Browser;
  /** Grace's own browser, in which the addresses are opened by hand: the editor's program may have none. */
  let page: Page;
  /** For the root: Grace's passkey. */
  let line = '';

  const login = (name: string) => `postgresql://${name}@127.0.0.1:${String(database.postgres.port)}/postgres`;
  const shell = ({ workspace, editor }: Place, ...args: readonly string[]) =>
    holdpoint({ workspace, env: { ...editor.env, HOLDPOINT_AGENT_ID: 'builder-001' } }, ...args);

  before(async () => {
    database = await startShared({ settings: { listen_addresses: '127.0.0.1' } });
    ends.push(() => database.stop());
    const hers = { login: 'grace_agent', kind: 'agent' } as const;
    await prepareDatabase({ owner: settingsOfUrl(database.postgres.url(owner)), schema, logins: [hers] });
    const folder = await temporaryFolder();
    ends.push(() => folder.remove());
    const repository = sampleRepository(folder.folder);
    const open = async (name: string): Promise<Place> => {
      const port = await freePort();
      const { clone } = repository.machine(name);
      const env = { HOLDPOINT_DATABASE_URL: login(`${name}_agent`) };
      const editor = await openEditor({
        workspace: clone,
        env,
        person: 'Ada',
        settings: { 'holdpoint.browserPort': port },
      });
      ends.push(() => editor.close());
      const agent = startAgent({ workspace: clone, env: editor.env });
      ends.push(() => {
        agent.close();
      });
      await extensionReady(editor.window);
      await showAnswerView(editor.window);
      closePopups(editor.window.page);
      return { editor, workspace: clone, agent, port };
    };
    ada = await open('ada');
    await ada.agent.register('t-1', 'API tokens');
    const shell = { workspace: ada.workspace, env: ada.editor.env };
    const fingerprint = await share(ada.editor.window, shell, { called: 'shop', url: login('ada') });
    await standing(ada.editor.window, 'shared, current').waitFor();
    const env = { ...ada.editor.env, HOLDPOINT_HUMAN_URL: login('ada') };
    const added = await holdpoint({ workspace: ada.workspace, env }, 'team', 'invite', 'Grace');
    assert.equal(added.code, 0, added.err);
    grace = await open('grace');
    await join(
      grace.editor.window,
      { workspace: grace.workspace, env: grace.editor.env },
      { url: login('grace'), workspace: 'shop', fingerprint },
    );
    await trustKey(ada.editor.window, await publicKeyIn(grace.editor.window), 'Grace');

    browser = await launch();
    ends.push(() => browser.close());
    page = await (await browser.newContext({ viewport: sizes.phone, locale: 'en-US' })).newPage();
    await addDevice(page);
  });
  after(async () => {
    for (const end of ends.toReversed()) await end();
  });

  it('one person makes it in a browser, and gets a line for the root', async () => {
    const { window } = grace.editor;
    await window.command('Holdpoint: Answer in the Browser…');
    const at = { workspace: grace.agent.workspace, port: grace.port };
    const listens = async () => typeof (await listenerAt(at.workspace, 'look', at.port)) === 'object';
    await until('it listens', listens);
    await addPasskeyOf(window, await createPasskey(page, at, 'Grace’s phone'));
    await until('the line is in the clipboard', async () => {
      line = await window.evaluate(async ({ vscode }) => await vscode.env.clipboard.readText(), undefined);
      return line.startsWith('passkey ');
    });
  });

  it('the root sees where it signs, and adds it in the other editor', async () => {
    const { window } = ada.editor;
    await trustKey(window, line, 'Grace');
    const form = await teamForm(window, 'keys');
    await form.getByText('Grace’s phone').waitFor();
    await window.screenshot('team-passkey-keys');
    await signInWithPasskey(page);
  });

  it('its human confirms it', async () => {
    const { window } = grace.editor;
    await window.command('Holdpoint: You and Your Devices…');
    const form = await teamForm(window, 'keys');
    await form.locator('main[data-ready="true"] [data-act="confirm-passkey"]').click();
    await confirm(form);
    await form.locator('[data-act="confirm-passkey"]').waitFor({ state: 'detached' });
  });

  it('answers in the browser what the policy gives to passkeys, and both editors show the outcome', async () => {
    const { window } = ada.editor;
    await window.command('Holdpoint: Edit Rules…');
    const policy = await window.webview('main[data-view="policy"]');
    await addPasskeyRule(policy, 0, 'critical');
    await policy.locator('main[data-ready="true"] [data-act="decide"]').click();
    await confirm(policy);
    await policy.locator('.notice-info[data-focus="result"]').waitFor();

    const { id } = await ada.agent.ask('Drop the table?', { type: 'approval', urgency: 'critical', work: 't-1' });
    const forms: Frame[] = [];
    for (const place of [ada, grace]) {
      await showAnswerView(place.editor.window);
      await selectInTree(place.editor.window, 'Drop the table?');
      const form = await questionShown(place.editor.window);
      await form.locator('[data-part="browser"]').getByText('The policy requires a passkey').waitFor();
      assert.equal(await form.locator('[data-act="decide"]').count(), 0);
      forms.push(form);
    }
    assert.equal((await shell(ada, 'gate', '--work', 't-1')).code, 2);
    await forms[1]?.locator('[data-part="browser"] [data-act="open-in-browser"]').click();
    await page.goto(`${localOrigin(grace.port)}/open/${id}`);
    await page.locator('main[data-ready=true]').waitFor();
    await page.keyboard.press('1');
    await page.locator('[data-act=decide]').click();
    await page.locator('main[data-ready=true] [data-act=confirm]').click();
    for (const form of forms) await form.getByText(outcome).waitFor();
    await window.screenshot('team-passkey-root');
    await grace.editor.window.screenshot('team-passkey-signer');
  });

  it('every copy of the journal says who signed with what, and agents go on', async () => {
    for (const place of [ada, grace]) {
      const shown = await shell(place, 'question', 'list', '--all', '--json');
      assert.match(shown.out, /"signed_with": ?"passkey"/);
      const audit = await shell(place, 'audit', '--verify');
      assert.equal(audit.code, 0, audit.out + audit.err);
      assert.equal((await shell(place, 'gate', '--work', 't-1')).code, 0);
      assert.deepEqual(place.editor.window.webviewErrors, []);
    }
  });
});
