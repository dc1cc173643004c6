/** Questions of the same shape answered in one act in a real browser, with one signature of a virtual passkey. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { until } from '../support/until.ts';
import { addDevice, launch, overflow, signedIn, sizes, violations, type Device, type Visit } from './browser.ts';
import { enrol } from './enrolling.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { startServe, type Served } from './program.ts';

describe('questions answered together in a browser', () => {
  let browser: Browser;
  let served: Served;
  let here: Visit;
  let device: Device;

  before(async () => {
    [browser, served] = await Promise.all([launch(), startServe()]);
    here = await signedIn(browser, served);
    device = await addDevice(here.page);
    await enrol(here, served, 'Ada');
    for (const name of ['zod', 'vite', 'left-pad', 'moment']) {
      const text = `Add dependency ${name}?`;
      const { code, err } = await served.agent('question', 'create', '--text', text, '--type', 'approval');
      assert.equal(code, 0, err);
    }
  });
  after(async () => {
    await here.close();
    await browser.close();
    await served.stop();
    removeSandboxes();
  });
  afterEach(() => {
    assert.deepEqual(here.complaints, []);
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
