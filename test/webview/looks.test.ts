/** Every state, as it looks: accessible in four themes, inside the policy, and never wider than the view. */
import { AxeBuilder } from '@axe-core/playwright';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startHarness } from './harness.ts';
import type { Harness } from './harness.ts';
import { scenes } from './scenes.ts';
import { themeNames } from './themes.ts';

describe('the form: looks', function () {
  this.timeout(60_000);
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
  });
  after(() => harness.close());

  for (const [name, play] of Object.entries(scenes)) {
    it(`${name}: accessible in every theme, narrow and zoomed without overflow, within the policy`, async () => {
      const form = await harness.open();
      try {
        await play(form);
        for (const theme of themeNames) {
          await form.wear(theme);
          const axe = new AxeBuilder({ page: form.page });
          // What is said is the same in every theme: the others are about what can be seen.
          if (theme !== themeNames[0]) axe.withRules(['color-contrast', 'link-in-text-block']);
          const { violations } = await axe.analyze();
          const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
          assert.deepEqual({ theme, found }, { theme, found: [] });
        }
        for (const width of [250, 340 / 2]) {
          await form.page.setViewportSize({ width, height: 600 });
          assert.deepEqual({ width, over: await overflow(form.page) }, { width, over: [] });
        }
        assert.deepEqual(form.complaints, []);
      } finally {
        await form.close();
      }
    });
  }
});

/** What reaches beyond the right edge, but boxes that scroll by themselves. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const edge = document.documentElement.clientWidth;
    const scrolls = document.documentElement.scrollWidth > edge ? ['the page scrolls sideways'] : [];
    const over = [...document.querySelectorAll('main *')].filter(
      (element) =>
        element.closest('.scroll-x, .sr-only') === null && element.getBoundingClientRect().right > edge + 0.5,
    );
    return [...scrolls, ...over.map((element) => element.outerHTML.slice(0, 160))];
  });
}
