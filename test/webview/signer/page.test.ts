/** The tab of Holdpoint Signer, in a browser. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { launch } from '../harness.ts';
import { openSigner } from './open.ts';
import { axeSource } from '../../support/axe.ts';
import { overflow, violations } from '../looking.ts';
import type { Boundary } from '../hostPage.ts';
import { themeNames, themes } from '../themes.ts';
import { signerPages } from './samples.ts';

describe('the tab of Holdpoint Signer', function () {
  this.timeout(60_000);
  let browser: Browser;
  before(async () => {
    browser = await launch();
  });
  after(() => browser.close());

  for (const name of signerPages)
    it(`${name}: accessible in each theme, and no narrower than its content`, async () => {
      const { page, complaints } = await openSigner(browser, name);
      await page.locator('#sign:enabled').waitFor();
      await page.evaluate(axeSource);
      for (const theme of themeNames) {
        await page.evaluate((worn) => {
          (globalThis as unknown as Boundary).wear(worn);
        }, themes[theme]);
        assert.deepEqual({ theme, found: await violations(page, undefined) }, { theme, found: [] });
      }
      for (const width of [900, 300, 170]) {
        await page.setViewportSize({ width, height: 500 });
        assert.deepEqual({ width, over: await overflow(page) }, { width, over: [] });
        assert.deepEqual({ width, inView: await isInView(page) }, { width, inView: true });
      }
      assert.deepEqual(complaints, []);
      await page.close();
    });

  it('signs on a click of a person, and on no scripted one', async () => {
    const { page } = await openSigner(browser, 'rfc');
    const posted = () => page.evaluate(() => (globalThis as unknown as Boundary).posted);
    await page.locator('#sign:enabled').waitFor();
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('#sign')?.click();
    });
    assert.deepEqual(await posted(), ['ready']);
    await page.locator('#sign').click();
    assert.deepEqual(await posted(), ['ready', 'sign']);
    await page.close();
  });
});

/** Whether both buttons are, wherever the page is scrolled to. */
function isInView(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    ['#sign', '#no'].every((button) => {
      const { top, bottom } = document.querySelector(button)?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
      return top >= 0 && bottom <= innerHeight;
    }),
  );
}
