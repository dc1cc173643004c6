import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { holdpoint } from '../support/holdpoint.ts';
import { notificationShown } from '../support/notices.ts';
import { status, startReceiver, type Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { writeReminderSettings } from '../../src/app/waiting/reminderFiles.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

describe('Reminders outside of the editor', () => {
  let { editor, agent } = {} as OnSample;
  let receiver: Receiver;
  onSample(
    async (opened) => {
      ({ editor, agent } = opened);
      receiver = await startReceiver();
    },
    { empty: true },
  );
  after(() => receiver.close());

  const page = () => editor.window.page;
  const widget = () => page().locator('.quick-input-widget');
  const pick = (label: string) => widget().locator('.monaco-list-row', { hasText: label }).first().click();
  const userFile = (name: string) => path.join(agent.workspace.userFolder, name);

  async function type(title: string, text: string): Promise<void> {
    await widget().locator('.quick-input-title', { hasText: title }).waitFor();
    await widget().locator('input').fill(text);
    await page().keyboard.press('Enter');
  }

  async function menu(label: string): Promise<void> {
    await editor.window.run('holdpoint.reminders.show');
    await widget().locator('.quick-input-title', { hasText: 'Reminders' }).waitFor();
    await pick(label);
  }

  it('a webhook is added and tested; its address is kept apart and shown nowhere', async () => {
    await menu('Add a webhook…');
    await pick('Slack');
    await type('Name of the channel', 'chat');
    await widget().locator('.quick-input-title', { hasText: 'Address of the webhook' }).waitFor();
    assert.equal(await widget().locator('input').getAttribute('type'), 'password');
    await type('Address of the webhook', receiver.address);
    await until('the test arrives', () => receiver.bodies.some((body) => body.includes('this is a test')));
    await until('it is saved', () => statSync(userFile('reminders.json'), { throwIfNoEntry: false }) !== undefined);
    for (const name of ['reminders.json', 'reminders.secrets.json'])
      assert.equal(statSync(userFile(name)).mode & 0o777, 0o600, name);
    assert.ok(!readFileSync(userFile('reminders.json'), 'utf8').includes('SECRET'));
  });

  it('a critical question reaches it, with a link to the form', async () => {
    await agent.ask('JWT or sessions?', { urgency: 'critical' });
    await until('it arrives', () => receiver.bodies.some((body) => body.includes('JWT or sessions?')));
    const body = receiver.bodies.find((one) => one.includes('JWT')) ?? '';
    assert.match(body, /:\/\/holdpoint\.holdpoint\/open\/Q-1\?workspace=[0-9a-f-]{36}/);
    assert.match(readFileSync(userFile(path.join('reminders', 'sender.1.json')), 'utf8'), /"role":"editor"/);
  });

  it('a terminal shows what was sent, and why something was not', async () => {
    receiver.answer = status(404);
    await agent.ask('Which port?', { urgency: 'critical' });
    await until('it is tried', () => receiver.bodies.some((body) => body.includes('Which port?')));
    await until('it is noted', () =>
      readFileSync(userFile(path.join('reminders', 'sent.json')), 'utf8').includes('HTTP status 404'),
    );
    const { out } = await holdpoint({ workspace: agent.workspace.location.root, env: editor.env }, 'reminders');
    assert.match(out, /chat +Q-1 .*delivered/);
    assert.match(out, /chat +Q-2 .*failed.*HTTP status 404/);
  });

  it('"do not disturb" is kept in the same file, which the menu opens', async () => {
    await menu('Do not disturb…');
    await pick('For 1 hour');
    await until('it is saved', () => readFileSync(userFile('reminders.json'), 'utf8').includes('doNotDisturbUntil'));
    await editor.window.run('holdpoint.reminders.show');
    await widget().locator('.monaco-list-row', { hasText: 'until ' }).waitFor();
    await editor.window.screenshot('reminders-menu');
    await type('Reminders', 'Open settings file');
    await page().locator('.tab.active', { hasText: 'reminders.json' }).waitFor();
  });

  it('the editor says so when another program changes the settings, also while a dialog is open; both are kept', async () => {
    await menu('Do not disturb…');
    await widget().locator('.monaco-list-row', { hasText: 'For 4 hours' }).waitFor();
    const { options, userFolder } = agent.workspace;
    writeReminderSettings({ ...options, userFolder }, { v: 1, channels: [], page: 'https://elsewhere.example' });
    await pick('For 4 hours');
    await until('both are kept', () => {
      const text = readFileSync(userFile('reminders.json'), 'utf8');
      return text.includes('elsewhere') && text.includes('doNotDisturbUntil');
    });
    await notificationShown(editor.window, 'Your reminder settings were changed outside of the editor.');
  });
});
