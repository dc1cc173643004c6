import assert from 'node:assert/strict';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { ring } from '../../src/store/shared/administration.ts';
import { formatPublicKey } from '../../src/trust/publicKeys.ts';
import { startAgent } from '../support/agent.ts';
import type { Agent } from '../support/agent.ts';
import { answerAsHuman, questionShown } from '../support/answerForm.ts';
import { openEditor } from '../support/editor.ts';
import type { Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import { makeHuman } from '../support/store/people.ts';
import { startShared } from '../support/store/sharedDatabase.ts';
import type { SharedDatabase } from '../support/store/sharedDatabase.ts';
import type { TemporaryFolder } from '../support/temporary.ts';
import { extensionReady } from '../support/tools.ts';

describe('A workspace, shared with a team from the editor', () => {
  let database: SharedDatabase;
  let workspace: TemporaryFolder;
  let editor: Editor;
  let agent: Agent;
  before(async () => {
    database = await startShared();
    workspace = await copyFolder(path.join(root, 'sample'));
    const env = { HOLDPOINT_DATABASE_URL: database.postgres.url('ada_agent') };
    editor = await openEditor({ workspace: workspace.folder, env });
    agent = startAgent({ workspace: workspace.folder, env: editor.env });
    await extensionReady(editor.window);
    await agent.register('t-1', 'API tokens');
    await agent.ask('Which port?', { work: 't-1' });
    await editor.window.command('Answer Next Question');
    await answerAsHuman(await questionShown(editor.window), { text: 'Eighty.' });
    await agent.ask('May I use postgresql://ada:hunter22@db.example/shop?', { work: 't-1' });
  });
  after(async () => {
    agent.close();
    await editor.close();
    await workspace.remove();
    await database.stop();
  });

  const shareForm = (): Promise<Frame> => editor.window.webview('main[data-view="share"][data-ready="true"]');

  it('the form shows what everybody will see, and asks for a login first', async () => {
    await editor.window.command('Holdpoint: Share This Workspace…');
    const form = await shareForm();
    const text = await form.locator('main').innerText();
    for (const shown of ['2 questions', '1 work item', 'password in a URL', 'Q-2', 'not connected'])
      assert.ok(text.includes(shown), `${shown} in ${text}`);
    assert.ok(!text.includes('hunter22'));
  });

  it('a login that is not a person’s is refused, and asked for again; the right one is kept', async () => {
    const { page } = editor.window;
    await (await shareForm()).locator('[data-act="connect"]').click();
    const input = page.locator('.quick-input-widget input');
    await input.waitFor();
    assert.equal(await input.getAttribute('type'), 'password');
    await input.fill(database.postgres.url('ada_agent'));
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget', { hasText: 'not a login for a person' }).waitFor();
    await input.fill(database.postgres.url('ada'));
    await page.keyboard.press('Enter');
    const form = await shareForm();
    await form.locator('dd', { hasText: 'ada_agent' }).waitFor();
  });

  it('shares it: the server has the journal, agents go on, and the form has the lines for teammates', async () => {
    const form = await shareForm();
    await form.locator('#called').fill('shop');
    await form.locator('main[data-ready="true"] [data-act="decide"]').click();
    await form.locator('.second-step').waitFor();
    await form.locator('main[data-ready="true"]').waitFor();
    await form.locator('[data-act="confirm"]').click();
    const lines = await form.locator('[data-lines]').innerText();
    assert.match(lines, /^holdpoint team join shop --fingerprint [0-9a-f]{64}$/);
    const [shared] = (await database.server('ada').workspaces()).filter(({ name }) => name === 'shop');
    assert.ok(shared?.open && shared.size > 0);
    const before = shared.size;
    await editor.window.screenshot('shared');
    const { out } = await holdpoint(
      { workspace: workspace.folder, env: editor.env },
      'gate',
      '--json',
      '--work',
      't-1',
    );
    assert.match(out, /BLOCKED/);
    assert.match(out, /"shared"/);
    await editor.window.command('Answer Next Question');
    await answerAsHuman(await questionShown(editor.window), { text: 'No.' });
    const [after] = (await database.server('ada').workspaces()).filter(({ name }) => name === 'shop');
    assert.ok((after?.size ?? 0) > before, 'the answer is on the server');
  });

  it('its root adds a teammate’s key to the team’s ring, in the form of keys', async () => {
    const bob = makeHuman('Bob').pin;
    await editor.window.command('Holdpoint: Manage Keys…');
    const form = await editor.window.webview('main[data-view="keys"][data-ready="true"]');
    assert.equal(await form.locator('[data-act="rotate"]').count(), 0);
    await form.locator('#pasted').fill(formatPublicKey(bob));
    await form.locator('[data-act="look"]').click();
    await form.locator('#compare').waitFor();
    await form.locator('main[data-ready="true"]').waitFor();
    await form.locator('[data-act="confirm"]').click();
    await form.getByRole('status').filter({ hasText: 'Decisions of Bob count for the team now' }).waitFor();
    const [shared] = (await database.server('ada').workspaces()).filter(({ name }) => name === 'shop');
    const records = (await ring(database.server('ada'), shared?.id ?? '')).map(({ record }) => record.toString('utf8'));
    assert.match(records.at(-1) ?? '', /"name":"Bob"/);
  });
});
