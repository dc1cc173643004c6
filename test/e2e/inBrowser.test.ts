/** From the editor's form to the person's own browser and back: a passkey is added, and the policy asks for it. */
import assert from 'node:assert/strict';
import type { Browser, Frame, Page } from 'playwright-core';
import { localOrigin } from '../../src/app/serving/editorLink.ts';
import { writeReminderSettings } from '../../src/app/waiting/reminderFiles.ts';
import { listenerAt } from '../../src/vscode/settings/browserAsking.ts';
import { addDevice, launch, sizes, violations } from '../serve/browser.ts';
import { startAgent } from '../support/agent.ts';
import {
  addPasskeyRule,
  answerAsHuman,
  contextMenu,
  questionShown,
  selectInTree,
  showAnswerView,
} from '../support/answerForm.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { addPasskeyOf, closePopups, createPasskey, signInWithPasskey } from '../support/passkeyPage.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

const port = await freePort();
const origin = localOrigin(port);

describe('Answering in the browser, from the editor', () => {
  let { workspace, editor, agent } = {} as OnSample;
  let browser: Browser;
  /** The person's own browser, in which the addresses are opened by hand: the editor's program may have none. */
  let page: Page;
  onSample(
    async (opened) => {
      ({ workspace, editor, agent } = opened);
      closePopups(editor.window.page);
      browser = await launch();
      page = await (await browser.newContext({ viewport: sizes.phone, locale: 'en-US' })).newPage();
      await addDevice(page);
    },
    { settings: { 'holdpoint.browserPort': port } },
  );
  after(() => browser.close());

  const resolutionOf = (id: string) => agent.workspace.standing().state?.questions.get(id)?.resolution ?? null;
  const browserPart = (form: Frame) => form.locator('[data-part="browser"]');

  async function confirmed(form: Frame): Promise<void> {
    await form.locator('.second-step').waitFor();
    await form.locator('main[data-ready="true"] [data-act="confirm"]').click();
  }

  async function openItem(id: string): Promise<void> {
    await page.goto(`${origin}/open/${id}`);
    await page.locator('main[data-ready=true]').waitFor();
  }

  it('starts a server for this window, which proves that it is ours', async () => {
    await agent.register('t-1', 'API tokens');
    const { id } = await agent.ask('Which port?', { work: 't-1' });
    await editor.window.command('Answer Next Question');
    await answerAsHuman(await questionShown(editor.window), { text: '8080' });
    assert.equal(resolutionOf(id)?.passkey, undefined);
    await editor.window.command('Holdpoint: Answer in the Browser…');
    await until('it listens', async () => typeof (await listenerAt(agent.workspace, 'look', port)) === 'object');
    const folder = agent.workspace.location.root;
    assert.deepEqual(await listenerAt(agent.workspace, 'look', port), { folder, byEditor: true });
  });

  it('shows the address that a phone opens as a QR code', async () => {
    const { options, userFolder } = agent.workspace;
    writeReminderSettings({ ...options, userFolder }, { v: 1, page: 'https://holdpoint.example' });
    await editor.window.command('Holdpoint: You and Your Devices…');
    const form = await editor.window.webview('main[data-view="keys"]');
    await form.getByText('Answer from a phone').click();
    await form.getByRole('img', { name: 'QR code' }).waitFor();
    await form.getByText('https://holdpoint.example/passkey').waitFor();
  });

  it('adds a passkey of the browser after its code was typed in the editor', async () => {
    const code = await createPasskey(page, { workspace: agent.workspace, port }, 'phone');
    await addPasskeyOf(editor.window, code);
    await signInWithPasskey(page);
  });

  it('shows a question that the policy gives to passkeys with one way on, and then its outcome', async () => {
    await editor.window.command('Holdpoint: Edit Rules…');
    const policy = await editor.window.webview('main[data-view="policy"]');
    await addPasskeyRule(policy, 0, 'critical');
    await addPasskeyRule(policy, 1, 'rfc');
    await policy.locator('main[data-ready="true"] [data-act="decide"]').click();
    await confirmed(policy);
    await policy.locator('.notice-info[data-focus="result"]').waitFor();
    const { id } = await agent.ask('Drop the table?', { type: 'approval', urgency: 'critical', work: 't-1' });
    await showAnswerView(editor.window);
    await selectInTree(editor.window, 'Drop the table?');
    const form = await questionShown(editor.window);
    await browserPart(form).getByText('The policy requires a passkey').waitFor();
    assert.equal(await form.locator('[data-act="decide"]').count(), 0);
    await editor.window.screenshot('passkey-question');
    await browserPart(form).locator('[data-act="open-in-browser"]').click();
    await openItem(id);
    await page.keyboard.press('1');
    await page.locator('[data-act=decide]').click();
    await page.locator('main[data-ready=true] [data-act=confirm]').click();
    await form.getByText('Signed in a browser with the passkey “phone”, verified by PIN or fingerprint').waitFor();
    await editor.window.screenshot('passkey-answered');
    assert.equal(resolutionOf(id)?.passkey, true);
  });

  it('reviews such an RFC there, too', async () => {
    const env = { ...editor.env, HOLDPOINT_AGENT_ID: 'builder-001' };
    const texts = ['--summary', 'A', '--motivation', 'B', '--design', 'C', '--timeline', 'D', '--rollback', 'E'];
    const rest = ['--alternative', 'F', '--blocking-task-id', 't-1', '--submit'];
    const proposed = await holdpoint(
      { workspace: workspace.folder, env },
      ...['rfc', 'create', '--title', 'Sessions', ...texts, ...rest],
    );
    assert.match(proposed.out, /RFC-1/, proposed.err);
    await selectInTree(editor.window, 'Sessions');
    const review = await editor.window.webview('main[data-view="rfc"]');
    await browserPart(review).getByText('The policy requires a passkey').waitFor();
    assert.equal(await review.locator('[data-act="open-approve"]').count(), 0);
    await editor.window.screenshot('passkey-rfc');
    await openItem('RFC-1');
    await page.getByRole('button', { name: 'Approve…' }).click();
    await page.locator('main[data-ready=true] [data-act=decide]').click();
    await review.getByText('Signed in a browser with the passkey “phone”').waitFor();
    const shown = await holdpoint({ workspace: workspace.folder, env }, 'rfc', 'show', 'RFC-1', '--json');
    assert.match(shown.out, /"signed_with": ?"passkey"/);
  });

  it('lists, renames and confirms passkeys in the Keys form; a second one takes the first', async () => {
    await page.goto(`${origin}/`);
    await editor.window.command('Holdpoint: You and Your Devices…');
    const form = await editor.window.webview('main[data-view="keys"][data-ready="true"]');
    await form.getByText('last used here').waitFor();
    await editor.window.screenshot('passkey-keys');
    await form.locator('[data-act="rename-passkey"]').click();
    await form.locator('#newName').fill('my phone');
    await confirmed(form);
    await form.getByRole('status').filter({ hasText: 'The passkey is now named “my phone”.' }).waitFor();

    const second = await (await browser.newContext({ viewport: sizes.phone, locale: 'en-US' })).newPage();
    await addDevice(second);
    await addPasskeyOf(
      editor.window,
      await createPasskey(second, { workspace: agent.workspace, port }, 'key in the drawer'),
    );
    await form.getByText('It cannot decide yet if the policy requires a passkey.').waitFor();
    await form.locator('[data-act="open-in-browser"]').waitFor();

    await page.goto(`${origin}/keys`);
    await page.locator('main[data-ready=true] [data-act=confirm-passkey]').click();
    assert.deepEqual(await violations(page), []);
    await page.locator('.second-step').waitFor();
    await page.locator('main[data-ready=true] [data-act=confirm]').click();
    await page
      .getByRole('status')
      .filter({ hasText: 'can decide items for which the policy requires passkeys' })
      .waitFor();
    await form.getByText('It cannot decide yet').waitFor({ state: 'detached' });
    assert.equal(agent.workspace.standing().state?.passkeys.size, 2);
  });

  it('loosens the rule there only, and opens an item from its menu', async () => {
    await page.goto(`${origin}/policy`);
    await page.locator('[data-act=remove-rules]').nth(1).click();
    await page.locator('main[data-ready=true] [data-act=decide]').click();
    await page.locator('main[data-ready=true] [data-act=confirm]').click();
    const rules = () => agent.workspace.standing().state?.policy.passkeys?.rules.length;
    await until('the rule is gone', () => rules() === 1);
    await agent.ask('Which host?', { work: 't-1' });
    await showAnswerView(editor.window);
    await contextMenu(editor.window, 'Which host?', 'Answer in the Browser…');
    assert.deepEqual(editor.window.webviewErrors, []);
  });

  it('ends with the window', async () => {
    const other = startAgent({ workspace: workspace.folder, env: editor.env });
    await editor.window.close();
    await until('nothing listens', async () => (await listenerAt(other.workspace, 'look', port)) === 'free');
    other.close();
  });
});
