import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { formatKeyring, parseKeyring, type PinnedKey } from '../../src/trust/keyring.ts';
import { formatPublicKey } from '../../src/trust/publicKeys.ts';
import { offerPasskey } from '../../src/app/keys/acts.ts';
import { makePasskey } from '../support/authenticator.ts';
import { until } from '../support/until.ts';
import { answerAsHuman, questionShown } from '../support/answerForm.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { makeHuman } from '../support/store/people.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

describe('Keys, changed by a human in the form', () => {
  let { workspace, editor, agent } = {} as OnSample;
  onSample(async (opened) => {
    ({ workspace, editor, agent } = opened);
    await agent.register('t-1', 'API tokens');
    await agent.ask('Which port?', { work: 't-1' });
    await editor.window.command('Answer Next Question');
    await answerAsHuman(await questionShown(editor.window), { text: 'Eighty.' });
  });

  const ringFile = () => path.join(agent.workspace.userFolder, 'keys.json');
  const ring = (): PinnedKey[] => (existsSync(ringFile()) ? parseKeyring(readFileSync(ringFile(), 'utf8')) : []);
  const counting = () => ring().filter(({ retired }) => !retired);
  const audit = async (): Promise<string> => {
    const { out, code } = await holdpoint({ workspace: workspace.folder, env: editor.env }, 'audit', '--verify');
    assert.equal(code, 0, out);
    return (await holdpoint({ workspace: workspace.folder, env: editor.env }, 'audit')).out;
  };
  const ready = 'main[data-view="keys"][data-ready="true"]';

  async function keysForm(): Promise<Frame> {
    await editor.window.command('Holdpoint: You and Your Devices…');
    return editor.window.webview(ready);
  }

  /** It stands in the form, and is read to those who do not see it. */
  async function said(form: Frame, text: string): Promise<void> {
    await form.getByRole('status').filter({ hasText: text }).waitFor();
  }

  async function confirm(form: Frame): Promise<void> {
    await form.locator('.second-step').waitFor();
    await form.locator('main[data-ready="true"]').waitFor();
    await form.locator('[data-act="confirm"]').click();
  }

  it('a new key: the old one signs it in, and old decisions verify', async () => {
    const [old] = counting();
    const form = await keysForm();
    await editor.window.screenshot('keys');
    await form.locator('[data-act="rotate"]').click();
    await confirm(form);
    await said(form, 'signs with a new key now');
    assert.equal(ring().find(({ keyid }) => keyid === old!.keyid)?.retired?.why, 'rotated');
    assert.equal(counting().length, 1);
    assert.match(await audit(), /key\.rotated/);
  });

  it('a teammate’s key: looked at, compared, trusted by name; then taken out', async () => {
    const bob = makeHuman('Bob').pin;
    let form = await keysForm();
    await form.locator('#pasted').fill(formatPublicKey(bob));
    await form.locator('[data-act="look"]').click();
    await form.locator('#compare').waitFor();
    assert.ok((await form.locator('.second-step').innerText()).includes(bob.keyid.slice(0, 4)));
    await confirm(form);
    await said(form, 'Decisions of Bob are now valid here');
    assert.ok(counting().some(({ keyid }) => keyid === bob.keyid));

    form = await keysForm();
    await form.locator(`[data-key="${bob.keyid}"] [data-act="take-out"]`).click();
    await confirm(form);
    await said(form, 'Removed.');
    assert.equal(ring().find(({ keyid }) => keyid === bob.keyid)?.retired?.why, 'takenOut');
    const acts = await audit();
    assert.match(acts, /key\.trusted/);
    assert.match(acts, /key\.retired/);
  });

  it('a key written into the file is said to be let in by no form, and is taken out', async () => {
    const mallory = makeHuman('Mallory').pin;
    writeFileSync(ringFile(), formatKeyring([...ring(), mallory]));
    const form = await keysForm();
    const row = form.locator(`[data-key="${mallory.keyid}"]`);
    await row.getByText('This key was not added through a form of this editor').waitFor();
    // The change of the file draws the form again, which takes back a click just before.
    await until('the second step', async () => {
      await row.locator('[data-act="take-out"]').click();
      return form.locator('.second-step').isVisible();
    });
    await confirm(form);
    await said(form, 'Removed.');
    assert.equal(ring().find(({ keyid }) => keyid === mallory.keyid)?.retired?.why, 'stranger');
  });

  it('a passkey: offered by a page, picked by its code, then confirmed', async () => {
    const passkey = makePasskey('Nobody', { label: 'Phone' });
    const { publicKey, passkey: binding } = passkey.pin;
    const code = offerPasskey(agent.workspace, { publicKey, passkey: binding, at: agent.workspace.now() });
    const { page } = editor.window;
    await editor.window.menu('Rules and Devices', 'Add a Passkey…');
    const input = page.locator('.quick-input-widget input.input');
    await input.fill('00000-00000');
    await page.locator('.quick-input-widget', { hasText: 'No passkey of the last five minutes' }).waitFor();
    await input.fill(code.toLowerCase());
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-title', { hasText: 'Add the passkey “Phone”?' }).waitFor();
    await editor.window.screenshot('passkey');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Add passkey' }).click();
    await until('the passkey counts', () => counting().some(({ keyid }) => keyid === passkey.pin.keyid));
    const own = counting().find(({ passkey: one }) => one === undefined);
    assert.equal(counting().find(({ keyid }) => keyid === passkey.pin.keyid)?.name, own?.name, 'of the same person');
    await until('the journal names it', async () => (await audit()).includes('key.passkeyAdded'));
  });

  it('the form says where signing happens in a window on another machine, and nothing of one on this machine', async () => {
    const remote = await editor.window.evaluate(({ vscode }) => vscode.env.remoteName ?? '', null);
    const form = await keysForm();
    const isHere = remote === '' || /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(remote);
    assert.equal(await form.locator('[data-note="remote"]').count(), isHere ? 0 : 1);
  });

  it('a lost key: another one in its place, loudly; old decisions verify', async () => {
    const [own] = counting();
    // As if the editor's secrets were lost: an unknown key signs now.
    const other = makeHuman('Somebody').pin;
    writeFileSync(
      ringFile(),
      formatKeyring(ring().map((pin) => (pin.keyid === own!.keyid ? { ...pin, ...lostAs(other, pin) } : pin))),
    );
    await editor.window.command('Holdpoint: You and Your Devices…');
    const form = await editor.window.webview('main[data-view="enrol"][data-ready="true"]');
    await form.locator('fieldset label').first().click();
    await form.locator('[data-act="decide"]').click();
    await confirm(form);
    const keys = await keysForm();
    await keys.locator('[data-note="lost"]').waitFor();
    await editor.window.screenshot('keys-lost');
    assert.equal(ring().find(({ keyid }) => keyid === other.keyid)?.retired?.why, 'lost');
    assert.match(await audit(), /key\.lost/);
    assert.deepEqual(editor.window.webviewErrors, []);
  });
});

/** The pin of a key whose private half is nowhere, in the place of one. */
function lostAs({ keyid, publicKey }: PinnedKey, { name, enrolledAt }: PinnedKey): PinnedKey {
  return { keyid, publicKey, name, enrolledAt };
}
