/** Every page and form of the built server in a real browser, with hostile texts in all of them. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { launch, liveAttributes, overflow, sizes, violations, visit, type Visit } from './browser.ts';
import { everyPath, fillEveryPage } from './everyPage.ts';
import { startServe, type Served } from './program.ts';
import { signIn } from './streams.ts';

const looks: Readonly<Record<string, BrowserContextOptions & { readonly size: keyof typeof sizes }>> = {
  'on a phone': { size: 'phone' },
  'on a dark phone': { size: 'phone', colorScheme: 'dark' },
  'on a phone with forced colors': { size: 'phone', forcedColors: 'active' },
  'on a tablet': { size: 'tablet' },
  'on a desk': { size: 'desk' },
};

describe('every page', () => {
  let browser: Browser;
  let served: Served;
  let here: Visit;

  before(async () => {
    [browser, served] = await Promise.all([launch(), startServe()]);
    const passkey = await fillEveryPage(served);
    here = await visit(browser, served);
    const [name = '', value = ''] = (await signIn(served.origin, passkey)).split('=');
    await here.page.context().addCookies([{ name, value, url: served.origin }]);
  });
  after(async () => {
    await (here as Visit | undefined)?.close();
    await browser.close();
    await served.stop();
    removeSandboxes();
  });

  async function open(path: string): Promise<void> {
    await here.page.goto(`${served.origin}${path}`);
    const shown = path === '/passkey' ? 'main.login' : path === '/' ? '.browser-inbox li' : 'main[data-view] *';
    await here.page.locator(shown).first().waitFor({ state: 'attached' });
  }

  for (const [where, { size, ...look }] of Object.entries(looks))
    it(`is accessible and fits ${where}, and runs nothing of what an agent wrote`, async () => {
      await here.page.setViewportSize(sizes[size]);
      await here.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', ...look } as object);
      for (const path of everyPath) {
        await open(path);
        const found = {
          path,
          live: await liveAttributes(here.page),
          violations: await violations(here.page),
          over: await overflow(here.page),
          complaints: here.complaints,
        };
        assert.deepEqual(found, { path, live: [], violations: [], over: 0, complaints: [] });
      }
    });

  it('is not shown in a frame', async () => {
    const stranger = await here.page.context().newPage();
    for (const path of everyPath) {
      await stranger.goto('about:blank');
      await stranger.setContent(`<iframe src="${served.origin}${path}"></iframe>`);
      await stranger.waitForFunction(() => document.querySelector('iframe')?.contentDocument === null);
      const [, frame] = stranger.frames();
      assert.match(frame?.url() ?? '', /^chrome-error:/, path);
    }
    await stranger.close();
  });
});
