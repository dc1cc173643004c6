/** A form beside something else that has the focus: VS Code's own lists and editors, here a field around the form. */
import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { Snapshot } from '../../../src/ui/answer/view.ts';
import { until } from '../../support/until.ts';
import { openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import type { Boundary } from '../hostPage.ts';
import { full, snapshot } from './samples.ts';

describe('the form in the background', () => {
  let frame: Frame;
  const form = openForEach(questionSurface);

  beforeEach(async () => {
    form.keep();
    const { page } = form;
    const view = page.url();
    await page.goto(new URL('/favicon.ico', view).href);
    await page.evaluate((src) => {
      document.body.innerHTML = `<input id="palette"><iframe src="${src}" width="340" height="600"></iframe>`;
    }, view);
    await page.frameLocator('iframe').locator('.page').waitFor({ state: 'attached' });
    frame = page.frames()[1]!;
    await frame.waitForFunction(() => (globalThis as unknown as Boundary).posted.length > 0);
  });

  async function send(value: Snapshot): Promise<void> {
    await frame.evaluate((message) => {
      window.postMessage(message, '*');
    }, value);
    await frame.locator(`main[data-ready=true] [data-focus]`).first().waitFor();
  }

  const palette = () => form.page.locator('#palette');
  const inside = () => frame.evaluate(() => (document.hasFocus() ? document.activeElement?.id : undefined));

  it('opened on purpose, but something else took the focus since: it comes to the form with its user', async () => {
    await palette().focus();
    await send(snapshot(full(), { focus: 'opened-1' }));
    await form.page.keyboard.type('Open');
    assert.equal(await palette().inputValue(), 'Open');
    await form.page.keyboard.press('Tab');
    await until('the first choice has the focus', async () => (await inside()) === 'choice-0');
  });

  it('a click in the form chooses its own place', async () => {
    await palette().focus();
    await send(snapshot(full(), { focus: 'opened-1' }));
    await frame.locator('#choice-2').click();
    assert.equal(await inside(), 'choice-2');
  });
});
