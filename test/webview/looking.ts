/** Checks on every state of a surface: how it looks, and that all of it can be translated. */
import assert from 'node:assert/strict';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { day, ofTheDay, isFull, someOf, turnOf } from '../support/runs.ts';
import { startSurface, type Form, type Harness, type Surface } from './harness.ts';
import { inOtherLanguage, untranslated, type Snapshots } from './otherLanguage.ts';
import { themeNames } from './themes.ts';

type Scene<Message, Sent> = (form: Form<Message, Sent>) => Promise<void>;

export interface Looks<Message extends { type: string }, Sent extends Snapshots> {
  readonly surface: Surface<Message, Sent>;
  readonly scenes: Readonly<Record<string, Scene<Message, Sent>>>;
  /** Widths at which no content may overflow. */
  readonly widths: readonly number[];
  readonly open?: { readonly width: number; readonly height: number };
  /** The selector of the fields whose content a human types. */
  readonly fields: string;
}

const chosen = isFull ? 'every state' : `an eighth of the states, of HOLDPOINT_DAY=${String(day)}`;

/** Defines one test for each scene, or for those of the day. */
export function checkLooks<Message extends { type: string }, Sent extends Snapshots>({
  surface,
  scenes,
  widths,
  open = { width: 340, height: 800 },
  fields,
}: Looks<Message, Sent>): void {
  let harness: Harness<Message, Sent>;
  before(async () => {
    harness = await startSurface(surface);
  });
  after(() => harness.close());

  describe(chosen, () => {
    for (const [index, [name, play]] of ofTheDay([...Object.entries(scenes).entries()])) {
      it(`${name}: accessible, narrow and zoomed without overflow, within the policy, translated`, async () => {
        const form = await harness.open(open);
        try {
          await play(form);
          await form.loadAxe();
          // One theme per scene, another one each time that its day comes; all four with HOLDPOINT_RUNS=all.
          for (const [turn, theme] of someOf(themeNames, turnOf(index)).entries()) {
            await form.wear(theme);
            // The content is the same in every theme, so further themes check only visible properties.
            const found = await violations(form.page, turn === 0 ? undefined : seen);
            assert.deepEqual({ theme, found }, { theme, found: [] });
          }
          assert.deepEqual(await torn(form.page), []);
          for (const width of widths) {
            await form.page.setViewportSize({ width, height: 600 });
            assert.deepEqual({ width, over: await overflow(form.page) }, { width, over: [] });
            assert.deepEqual({ width, squashed: await squashed(form.page) }, { width, squashed: [] });
          }
          assert.deepEqual(form.complaints, []);
          assert.deepEqual(await leftInEnglish(harness, play, fields), []);
        } finally {
          await form.close();
        }
      });
    }
  });
}

/** The same form, which keeps the snapshots that it was sent. */
function recorded<Message, Sent extends Snapshots>(form: Form<Message, Sent>) {
  const sent: Sent[] = [];
  const through = (pass: (snapshot: Sent) => Promise<void>) => (snapshot: Sent) => {
    sent.push(snapshot);
    return pass(snapshot);
  };
  return { sent, recording: { ...form, show: through(form.show), send: through(form.send) } };
}

/** Plays the scene in another language from its beginning. */
async function leftInEnglish<Message extends { type: string }, Sent extends Snapshots>(
  harness: Harness<Message, Sent>,
  play: Scene<Message, Sent>,
  fields: string,
): Promise<string[]> {
  const form = await harness.open({ translated: true });
  try {
    const { sent, recording } = recorded(form);
    await play(inOtherLanguage(recording));
    return await untranslated(form.page, sent, fields);
  } finally {
    await form.close();
  }
}

/** Rules that concern only visible properties. */
const seen = ['color-contrast', 'link-in-text-block'];

/**
 * Runs in the page itself, which has no frames: axe’s builder for frames injects axe each time, and merges its results
 * in a separate page, which takes several times as long.
 * @param rules - only these rules; all by default
 */
export function violations(page: Page, rules: readonly string[] | undefined): Promise<string[]> {
  return page.evaluate(async (only) => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const run = await inPage.run(document, {
      resultTypes: ['violations'],
      ...(only && { runOnly: { type: 'rule', values: [...only] } }),
    });
    return run.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, rules);
}

/** Elements beyond the right edge, except boxes that scroll by themselves. */
export function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const edge = document.documentElement.clientWidth;
    const scrolls = document.documentElement.scrollWidth > edge ? ['the page scrolls sideways'] : [];
    const over = [...document.querySelectorAll('main *')].filter(
      (element) =>
        element.closest('.scroll-x, .sr-only, pre code') === null && element.getBoundingClientRect().right > edge + 0.5,
    );
    return [...scrolls, ...over.map((element) => element.outerHTML.slice(0, 160))];
  });
}

/** Check boxes and radio buttons that a narrow view makes narrower than they are high. */
function squashed(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const own = [...document.querySelectorAll('main input[type=checkbox], main input[type=radio]')];
    return own.flatMap((control) => {
      const { width, height } = control.getBoundingClientRect();
      return height > 0 && Math.abs(width - height) > 1
        ? [`${String(width)} x ${String(height)}: ${control.outerHTML}`]
        : [];
    });
  });
}

/** Sentences with parts of their own, such as a name in bold, directly in a row of boxes: each part would be a column. */
export function torn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const inline = 'a, b, bdi, code, em, strong, time';
    const isRow = (element: Element) => {
      const { display, flexDirection } = getComputedStyle(element);
      return display.endsWith('flex') && flexDirection.startsWith('row');
    };
    const hasText = (node: Node) => node.nodeType === Node.TEXT_NODE && /\p{L}/u.test(node.textContent ?? '');
    return [...document.querySelectorAll('main *')]
      .filter(
        (element) =>
          [...element.childNodes].some(hasText) &&
          [...element.children].some((child) => child.matches(inline) && child.textContent.trim() !== '') &&
          isRow(element),
      )
      .map((element) => element.outerHTML.replace(/<!--.*?-->/g, '').slice(0, 200));
  });
}
