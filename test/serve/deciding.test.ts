/** Decisions in a real browser with a virtual authenticator, recorded by the built server. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { until } from '../support/until.ts';
import {
  addDevice,
  type Device,
  overflow,
  signedIn,
  sizes,
  violations,
  visit,
  withBrowser,
  type Visit,
} from './browser.ts';
import { enrol } from './enrolling.ts';
import { dropPasskeyOffer, offerCode, readPasskeyOffers } from '../../src/app/keys/acts.ts';
import type { Served } from './program.ts';

describe('a decision in a browser', () => {
  let browser: Browser;
  let served: Served;
  let here: Visit;
  let device: Device;

  withBrowser(async (...started) => {
    [browser, served] = started;
    here = await signedIn(browser, served);
    device = await addDevice(here.page);
    return here;
  });

  async function ask(text: string, ...more: string[]): Promise<string> {
    const raised = await served.agent('question', 'create', '--text', text, '--type', 'approval', ...more);
    const id = /Q-\d+/.exec(raised.out)?.[0];
    assert.ok(id, raised.err);
    return id;
  }

  async function open(id: string): Promise<void> {
    await here.page.goto(`${served.origin}/open/${id}`);
    await here.page.locator('main[data-ready=true]').waitFor();
  }

  const stateOf = (id: string) => {
    const workspace = served.sandbox.open();
    const question = workspace.standing().state?.questions.get(id);
    workspace.close();
    return question?.resolution ?? null;
  };

  it('is not offered to somebody who only reads, and the page says how to add a passkey', async () => {
    const id = await ask('May I read?');
    await here.page.goto(`${served.origin}/open/${id}`);
    await here.page.getByText('To decide, add a passkey').waitFor();
    assert.equal(await here.page.locator('[data-act=decide]').count(), 0);
    await here.page.getByRole('link', { name: 'Add a passkey' }).click();
    await here.page.getByLabel('Name of this device').waitFor();
    assert.deepEqual(await violations(here.page), []);
  });

  it('shows who would sign only to somebody who can', async () => {
    await served.agent('work', 'register', '--id', 't-0', '--kind', 'task', '--title', 'Old task');
    await ask('May I read it?', '--blocking-task-id', 't-0');
    await here.page.goto(`${served.origin}/work/t-0`);
    await here.page.getByText('To decide, add a passkey').waitFor();
    assert.equal(await here.page.locator('[data-part=signs-as]').count(), 0);
  });

  it('waits for the editor to add the passkey, and shows at once that it was turned down', async () => {
    const { page } = here;
    await page.goto(`${served.origin}/passkey`);
    await page.getByLabel('Name of this device').fill('Old phone');
    await page.getByRole('button', { name: 'Create the passkey' }).click();
    await page.getByText('Waiting for the editor…').waitFor();
    const code = await page.locator('.offer-code').innerText();
    const workspace = served.sandbox.open({ clock: Date.now });
    const offer = readPasskeyOffers(workspace).find((one) => offerCode(one) === code);
    assert.ok(offer);
    dropPasskeyOffer(workspace, offer);
    workspace.close();
    await page.getByRole('alert').filter({ hasText: 'The editor refused this passkey' }).waitFor();
    await page.getByRole('button', { name: 'Create the passkey' }).waitFor();
  });

  it('is refused to a script that has only the session', async () => {
    const outcome = await here.page.evaluate(async () => {
      interface Sent {
        readonly view: { readonly key: string; readonly shown: string; readonly render: string };
        readonly outcome?: { readonly reason: string; readonly text: string };
      }
      const page = `/pages/${crypto.randomUUID()}`;
      const send = (message: object) =>
        fetch(`${page}/messages`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ message }),
        });
      const events = new EventSource(`${page}/events?path=/open/Q-1`);
      const seen: Sent[] = [];
      events.addEventListener('surface', (event: MessageEvent<string>) => {
        seen.push(JSON.parse(event.data) as Sent);
      });
      await new Promise((resolve) => {
        events.addEventListener('begin', resolve, { once: true });
      });
      await send({ type: 'ready' });
      for (let turn = 0; turn < 40; turn += 1) {
        // A rendering counts only after a moment in which a person could read it.
        await new Promise((resolve) => setTimeout(resolve, 600));
        const outcomes = seen.flatMap(({ outcome }) => outcome ?? []);
        const final = outcomes.find(({ reason }) => reason !== 'changed');
        if (final) return final;
        const view = seen.at(-1)?.view;
        if (!view) continue;
        const { key, shown, render } = view;
        const act = `a-${String(turn)}`;
        await send({ type: 'answer', act, key, shown, render, choices: ['Yes'], text: '', confirmed: true });
      }
      return null;
    });
    assert.equal(outcome?.reason, 'invalid');
    assert.match(outcome.text, /add a passkey/);
    assert.equal(stateOf('Q-1'), null);
  });

  it('begins with a passkey that the editor adds after a code was compared, and returns to the item', async () => {
    await enrol(here, served, 'Ada', '/open/Q-1');
    assert.deepEqual(await violations(here.page), []);
  });

  it('returns to pages of this server only', async () => {
    for (const from of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:1', '/open/Q-1/..']) {
      await here.page.goto(`${served.origin}/passkey?from=${encodeURIComponent(from)}`);
      const back = here.page.getByRole('link', { name: 'All items' });
      assert.equal(await back.getAttribute('href'), '/', from);
    }
    await here.page.goto(`${served.origin}/passkey?from=/briefing`);
    assert.equal(await here.page.getByRole('link', { name: 'Back', exact: true }).getAttribute('href'), '/briefing');
  });

  it('is signed with the passkey, on a phone', async () => {
    const id = await ask('May I go on?');
    await open(id);
    await here.page.keyboard.press('1');
    await here.page.locator('[data-act=decide]').click();
    await here.page.getByText('Waiting for copilot-001').waitFor();
    assert.equal(stateOf(id)?.how, 'answered');
    const shown = await served.agent('question', 'show', id);
    assert.match(shown.out, /Ada/);
  });

  it('can be undone after its signature, also from another page; its draft is still there', async () => {
    const id = await ask('May I undo it?');
    await open(id);
    await here.page.keyboard.press('1');
    await here.page.locator('textarea').first().fill('Only today.');
    await here.page.locator('[data-act=decide]').click();
    await here.page.locator('[data-part=undo]').waitFor();
    assert.equal(stateOf(id), null, 'signed, and not recorded');
    await open('Q-1');
    await here.page.locator('[data-act=undo]').click();
    await here.page.waitForURL(`**/open/${id}`);
    await here.page.locator('[data-act=decide]').waitFor();
    assert.equal(await here.page.locator('textarea').first().inputValue(), 'Only today.');
    await here.page.waitForTimeout(6_000);
    assert.equal(stateOf(id), null, 'the signature was dropped');
  });

  it('is taken once on a slow network, however often the button is pressed, and keeps what was typed', async () => {
    const id = await ask('May I go on by train?');
    const client = await here.page.context().newCDPSession(here.page);
    await client.send('Network.enable');
    const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
    await client.send('Network.emulateNetworkConditions', slow);
    await open(id);
    await here.page.keyboard.press('1');
    await here.page.locator('textarea').first().fill('Until Friday.');
    await here.page.reload();
    await here.page.locator('main[data-ready=true]').waitFor();
    assert.equal(await here.page.locator('textarea').first().inputValue(), 'Until Friday.');
    await here.page.locator('[data-act=decide]').click({ clickCount: 5 });
    await here.page.getByText('Waiting for copilot-001').waitFor();
    await client.send('Network.emulateNetworkConditions', {
      ...slow,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    // Not detached: that would end the virtual authenticator of the other session, too.
    assert.equal(stateOf(id)?.how, 'answered');
    assert.match((await served.agent('question', 'show', id)).out, /Until Friday\./);
  });

  it('does not count when the human gives no fingerprint or PIN, and can be tried again', async () => {
    const id = await ask('May I delete it?');
    await device.verifies(false);
    await open(id);
    await here.page.keyboard.press('1');
    await here.page.locator('[data-act=decide]').click();
    await here.page.getByText('Not signed: nothing was decided.').waitFor();
    assert.equal(stateOf(id), null);
    await device.verifies(true);
    await here.page.locator('main[data-ready=true]').waitFor();
    await here.page.locator('[data-act=decide]').click();
    await here.page.getByText('Waiting for copilot-001').waitFor();
    assert.equal(stateOf(id)?.how, 'answered');
  });

  it('shows changes of held files, restores them, and accepts them with the passkey', async () => {
    const { sandbox, origin } = served;
    const files = ['free.txt', 'kept.txt'].map((name) => path.join(sandbox.folder, name)) as [string, string];
    for (const file of files) writeFileSync(file, 'one\n');
    const id = await ask('May I change them?', '--holds', 'free.txt', '--holds', 'kept.txt');
    for (const file of files) writeFileSync(file, 'two\n');
    await here.page.goto(`${origin}/open/${id}`);
    const row = (name: string) => here.page.locator('[data-part=changes] li', { hasText: name });
    await row('kept.txt').waitFor();
    assert.equal(await row('kept.txt').locator('[data-act=compare-held]').count(), 0);
    await here.page.locator('main[data-ready=true]').waitFor();
    await row('kept.txt').locator('[data-act=restore-held]').click();
    await row('kept.txt').waitFor({ state: 'detached' });
    assert.deepEqual(
      files.map((file) => readFileSync(file, 'utf8')),
      ['two\n', 'one\n'],
    );
    await here.page.locator('main[data-ready=true]').waitFor();
    await row('free.txt').locator('[data-act=accept-change]').click();
    await row('free.txt').waitFor({ state: 'detached' });
    const workspace = sandbox.open();
    const known = workspace.standing().state?.heldFiles.get(id);
    workspace.close();
    assert.deepEqual([known?.changes, known?.accepted.map((one) => one.path)], [[], ['free.txt']]);
    assert.equal(stateOf(id), null, 'nothing is released');
  });

  it('needs a second step if the question is critical', async () => {
    const id = await ask('Drop the table?', '--urgency', 'critical');
    await open(id);
    await here.page.keyboard.press('1');
    await here.page.locator('[data-act=decide]').click();
    await here.page.locator('[data-act=confirm]').waitFor();
    assert.equal(stateOf(id), null);
    await here.page.locator('main[data-ready=true]').waitFor();
    await here.page.locator('[data-act=confirm]').click();
    await here.page.getByText('Waiting for copilot-001').waitFor();
    assert.equal(stateOf(id)?.how, 'answered');
  });

  it('approves an RFC on a phone, and the briefing and the dashboard are accessible', async () => {
    await served.agent('work', 'register', '--id', 't-1', '--kind', 'task', '--title', 'API tokens');
    const parts = [
      '--summary',
      'Use sessions.',
      '--motivation',
      'Revoking.',
      '--design',
      'A table.',
      '--timeline',
      'A week',
    ];
    const rest = ['--rollback', 'Drop it', '--alternative', 'JWT', '--blocking-task-id', 't-1', '--submit'];
    const proposed = await served.agent('rfc', 'create', '--title', 'Sessions', ...parts, ...rest);
    assert.match(proposed.out, /RFC-1/, proposed.err);
    await open('RFC-1');
    assert.deepEqual(await violations(here.page), []);
    assert.equal(await overflow(here.page), 0);
    await here.page.getByRole('button', { name: 'Approve…' }).click();
    await here.page.locator('main[data-ready=true]').waitFor();
    await here.page.locator('[data-act=decide]').click();
    await until('the approval counts', async () =>
      (await served.agent('rfc', 'await', 'RFC-1')).out.includes('approved by Ada'),
    );
    for (const path of ['/briefing', '/dashboard']) {
      await here.page.goto(`${served.origin}${path}`);
      await here.page.locator('main[data-view]').waitFor();
      assert.deepEqual({ path, found: await violations(here.page) }, { path, found: [] });
      assert.equal(await overflow(here.page), 0);
    }
  });

  it('deletes held work, which the dashboard opens; what holds it stays open', async () => {
    await served.agent('work', 'register', '--id', 'team/t#2', '--kind', 'task', '--title', 'Sign-in page');
    const id = await ask('Which provider?', '--blocking-task-id', 'team/t#2');
    await here.page.goto(`${served.origin}/dashboard`);
    await here.page.locator('.section .entry', { hasText: 'Which provider?' }).locator('summary').click();
    await here.page.locator('[data-act=work]', { hasText: 'Sign-in page' }).click();
    await here.page.waitForURL(/\/work\/team%2Ft%232$/);
    await here.page.locator('main[data-ready=true]').getByText('Which provider?').waitFor();
    assert.deepEqual(await violations(here.page), []);
    await here.page.locator('[data-act=decide]').click();
    await here.page.locator('main[data-ready=true] [data-act=confirm]').click();
    await until('it is deleted', async () => (await served.agent('work', 'show', 'team/t#2')).out.includes('deleted'));
    assert.equal(stateOf(id), null);
  });

  it('ends reading with a code alone, and the passkey opens the next session', async () => {
    const stranger = await visit(browser, served);
    await stranger.page.goto(`${served.origin}/`);
    await stranger.page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    assert.deepEqual(await violations(stranger.page), []);
    await stranger.close();
    await here.page.goto(served.origin);
    await here.page.getByRole('button', { name: 'Sign out' }).click();
    await here.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await here.page.locator('.browser-inbox h1').waitFor({ state: 'attached' });
  });
});

/** Questions of the same shape answered in one act in a real browser, with one signature of a virtual passkey. */
describe('questions answered together in a browser', () => {
  let served: Served;
  let here: Visit;
  let device: Device;

  withBrowser(async (browser, started) => {
    served = started;
    here = await signedIn(browser, served);
    device = await addDevice(here.page);
    await enrol(here, served, 'Ada');
    for (const name of ['zod', 'vite', 'left-pad', 'moment']) {
      const text = `Add dependency ${name}?`;
      const { code, err } = await served.agent('question', 'create', '--text', text, '--type', 'approval');
      assert.equal(code, 0, err);
    }
    return here;
  });

  /** The other questions of the act that answered each; null for an open one. */
  function answers(): (readonly string[] | null)[] {
    const workspace = served.sandbox.open();
    const { state } = workspace.standing();
    workspace.close();
    return [...(state?.questions.values() ?? [])].map(({ resolution }) => resolution && (resolution.with ?? []));
  }

  const ready = () => here.page.locator('main[data-ready=true]').waitFor();
  const boxes = () => here.page.locator('.assumed input');

  it('are opened from the form of one of them, at an address of their own', async () => {
    const { page } = here;
    await page.goto(`${served.origin}/open/Q-2`);
    await ready();
    await page.locator('[data-act=together]').click();
    await page.waitForURL(/\/together\/Q-\d$/);
    await ready();
    assert.equal(await boxes().count(), 4);
    assert.deepEqual(await page.locator('.alike-part').allInnerTexts(), ['zod', 'vite', 'left-pad', 'moment']);
    for (const size of [sizes.phone, sizes.desk]) {
      await page.setViewportSize(size);
      assert.deepEqual(await violations(page), []);
      assert.equal(await overflow(page), 0);
    }
    await page.setViewportSize(sizes.phone);
  });

  it('stay open if the human gives no fingerprint or PIN', async () => {
    const { page } = here;
    await device.verifies(false);
    await page.goto(`${served.origin}/together/Q-1`);
    await ready();
    await boxes().nth(1).click();
    await page.getByRole('radio', { name: 'Yes' }).click();
    await page.locator('[data-act=decide]').click();
    await page.getByText('Not signed: nothing was decided.').waitFor();
    assert.deepEqual(answers(), [null, null, null, null]);
    await device.verifies(true);
  });

  it('are answered with one signature, but those that were unticked stay open', async () => {
    const { page } = here;
    await ready();
    assert.equal(await boxes().nth(1).isChecked(), false, 'what was unticked before stays so');
    await page.locator('[data-act=decide]').click();
    await until('they are answered', () => answers().some((one) => one !== null));
    assert.deepEqual(answers(), [['Q-3', 'Q-4'], null, ['Q-1', 'Q-4'], ['Q-1', 'Q-3']]);
    const { out, code } = await served.agent('audit', '--verify');
    assert.equal(code, 0, out);
    await page.goto(`${served.origin}/open/Q-3`);
    await ready();
    assert.equal(await page.locator('[data-part=with]').innerText(), 'The same signature answered Q-1, Q-4.');
  });

  it('have no form of their own once only one is left', async () => {
    const { page } = here;
    await page.goto(`${served.origin}/together/Q-2`);
    await ready();
    assert.equal(await page.locator('.together .assumed').count(), 0);
  });
});
