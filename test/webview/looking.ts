/** How every state of a surface has to look, whatever it shows. */
import { AxeBuilder } from '@axe-core/playwright';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startSurface } from './harness.ts';
import type { Form, Harness, Surface } from './harness.ts';
import { themeNames } from './themes.ts';

export interface Looks<Message extends { type: string }, Sent extends { view: { type: string } }> {
  readonly surface: Surface<Message, Sent>;
  readonly scenes: Readonly<Record<string, (form: Form<Message, Sent>) => Promise<void>>>;
  /** Widths at which nothing may reach beyond the edge. */
  readonly widths: readonly number[];
  readonly open?: { readonly width: number; readonly height: number };
}

/** One test for each scene. */
export function checkLooks<Message extends { type: string }, Sent extends { view: { type: string } }>({
  surface,
  scenes,
  widths,
  open = { width: 340, height: 800 },
}: Looks<Message, Sent>): void {
  let harness: Harness<Message, Sent>;
  before(async () => {
    harness = await startSurface(surface);
  });
  after(() => harness.close());

  for (const [name, play] of Object.entries(scenes)) {
    it(`${name}: accessible in every theme, narrow and zoomed without overflow, within the policy`, async () => {
      const form = await harness.open(open);
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
        for (const width of widths) {
          await form.page.setViewportSize({ width, height: 600 });
          assert.deepEqual({ width, over: await overflow(form.page) }, { width, over: [] });
        }
        assert.deepEqual(form.complaints, []);
      } finally {
        await form.close();
      }
    });
  }
}

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
