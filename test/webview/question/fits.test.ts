/**
 * What a person signs has been seen: at the sizes that the view has in VS Code's default layout, all that decides is in sight
 * without scrolling, or the button opens the form in a tab. Unless HOLDPOINT_RUNS=all, a day has half of the sizes.
 */
import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { readAll } from '../../support/answerForm.ts';
import { ofTheDay } from '../../support/runs.ts';
import { openForEach } from '../eachForm.ts';
import { type Form, type Harness, questionSurface, startHarness } from '../harness.ts';
import { settle, twoFrames } from '../settled.ts';
import { realQuestions } from './realQuestions.ts';
import { asynchronous, full, plain, snapshot } from './samples.ts';
import { themeNames } from '../themes.ts';
import type { QuestionForm } from '../../../src/ui/answer/question.ts';
import type { Snapshot } from '../../../src/ui/answer/form.ts';
import { until } from '../../support/until.ts';
import type { Boundary } from '../hostPage.ts';

/** The view "Answer" as VS Code 1.139 lays it out at first: below the list, which has five rows. */
const sizes = {
  '1440x900, notes open': { width: 297, height: 470 },
  '1440x900': { width: 297, height: 590 },
  '1280x720': { width: 297, height: 410 },
  '250 px': { width: 250, height: 410 },
  '1440x900 at 200 %': { width: 297, height: 140 },
} as const;

/** Where the form has all of the window: there the button reads on. */
const wholeWindows = {
  'a tab at 1440x900': { width: 1080, height: 780 },
  'a tab at 1280x720': { width: 920, height: 600 },
  'a tab at 1440x900 and 200 %': { width: 540, height: 390 },
  'a phone': { width: 390, height: 844 },
} as const;

describe('the form fits', () => {
  const form = openForEach(questionSurface);

  for (const [name, size] of ofTheDay(Object.entries({ ...sizes, ...wholeWindows }), 2)) {
    const tab = name in wholeWindows;
    it(`${name}: all that decides is in sight and whole, or the button opens the form`, async () => {
      await form.page.setViewportSize(size);
      assert.equal(realQuestions.length, 20);
      let answered = 0;
      for (const view of realQuestions) {
        await form.send(snapshot(view, { tab }));
        const hidden = await outside(['[data-decides]']);
        const missing = !tab && size.height < 300 ? ['a pane this low'] : hidden;
        const unseen = await outside(['.headline', '[data-act=decide]']);
        const opens =
          missing.length > 0 ? await outside([tab ? '[data-act=read-on]' : '[data-act=open-to-answer]']) : [];
        const isRight = missing.length > 0 ? opens.length === 0 && unseen.length === 1 : unseen.length === 0;
        assert.ok(isRight, JSON.stringify({ text: view.text, missing, unseen, opens }));
        assert.deepEqual({ text: view.text, cut: await cutTexts() }, { text: view.text, cut: [] });
        if (missing.length === 0) answered++;
        // Then the view has nothing else: not the choices, and no second button.
        else if (!tab) {
          const rest = form.page.locator('.background, .choices, .text, .details, article vscode-button');
          assert.deepEqual(await rest.filter({ visible: true }).allInnerTexts(), ['Open to answer']);
          const decides = view.impact ?? view.ifDelayed ?? view.assumption;
          assert.equal(await form.page.locator('.question > .facts-of').isVisible(), decides !== undefined);
        }
      }
      // Where the briefing is collapsed, as it starts, most are answered where they are.
      if (tab ? size.height > 400 : name === '1440x900')
        assert.ok(answered > realQuestions.length / 2, String(answered));
    });
  }

  it('until all that decides was on the screen, the button and its keys open the form, and decide nothing', async () => {
    await form.page.setViewportSize(sizes['250 px']);
    const view = full();
    await form.send(snapshot(view));
    await form.page.keyboard.press('1');
    await form.page.locator('[data-act=open-to-answer]').click();
    await form.page.keyboard.press('Control+Enter');
    const openTab = { type: 'openTab', key: view.key };
    const posted = async () => (await form.posted()).filter(({ type }) => type !== 'keep');
    assert.deepEqual(await posted(), [openTab, openTab]);
    await readAll(form.page);
    await form.page.keyboard.press('1');
    await settle(form.page);
    await form.page.locator('[data-act=decide]').click();
    assert.equal((await posted()).at(-1)?.type, 'answer');
    const answer = (await posted()).at(-1);
    assert.ok(answer?.type === 'answer');
    const outcome = { type: 'refused', act: answer.act, reason: 'changed', text: 'It changed.' } as const;
    await form.send(snapshot({ ...view, shown: 'sha256-changed' }, { outcome }));
    assert.equal(await form.page.locator('[data-act=open-to-answer]').count(), 1, 'another content was not seen');
  });

  it('opened on purpose, from a row or a notification, it opens in the tab by itself, once', async () => {
    const opened = async (view: QuestionForm, focus: string) => {
      await form.send(snapshot(view, { focus }));
      await twoFrames(form.page);
      return (await form.posted()).filter(({ type }) => type === 'openTab').length;
    };
    await form.page.setViewportSize(sizes['1440x900']);
    assert.equal(await opened(plain(), 'opened-1'), 0, 'there is room');
    await form.page.setViewportSize(sizes['250 px']);
    assert.equal(await opened(full(), 'opened-2'), 1);
    assert.equal(await opened(full({ history: [] }), 'opened-2'), 1, 'redrawn');
    await form.page.setViewportSize(sizes['1440x900 at 200 %']);
    assert.equal(await opened(plain(), 'opened-3'), 2, 'in a pane this low');
  });

  const queue = { run: { index: 1, of: 2, done: 0 }, held: [] };
  for (const [name, more] of Object.entries({ 'in a tab': {}, 'below the bar of the queue': { queue } }))
    it(`${name}, the button and its keys read on to what was not on the screen`, async () => {
      await form.page.setViewportSize({ width: 300, height: 300 });
      await form.send(snapshot(full(), { tab: true, ...more }));
      const [readOn, decide] = ['read-on', 'decide'].map((act) => form.page.locator(`[data-act=${act}]`));
      // Jumping over a part does not show it.
      await form.page.evaluate(() => {
        document.querySelector('.choices')!.scrollIntoView();
      });
      await twoFrames(form.page);
      assert.equal(await decide!.count(), 0);
      await form.page.evaluate(() => {
        window.scrollTo(0, 0);
      });
      await form.page.setViewportSize({ width: 700, height: 300 });
      await form.page.keyboard.press('1');
      await form.page.keyboard.press('Control+Enter');
      for (let presses = 0; presses < 12 && (await decide!.count()) === 0; presses++) {
        // The button may become the one that decides while the pointer is on its way.
        await readOn!.click({ timeout: 2000 }).catch(() => undefined);
        await twoFrames(form.page);
      }
      assert.equal(await decide!.count(), 1);
      assert.deepEqual(
        (await form.posted()).filter(({ type }) => type !== 'keep'),
        [],
      );
    });

  for (const name of ofTheDay(['1440x900, notes open', '1440x900', '1280x720'] as const, 2)) {
    it(`${name}: the confirmation of Yes and of No repeats the consequence above its button`, async () => {
      await form.page.setViewportSize(sizes[name]);
      for (const view of realQuestions.filter(({ secondStep }) => secondStep))
        for (const choice of ['1', '2']) {
          await form.send(snapshot({ ...view, key: `${view.key}-${choice}` }));
          await readAll(form.page);
          await form.page.keyboard.press(choice);
          await settle(form.page);
          await form.page.locator('[data-act=decide]').click();
          await form.page.locator('[data-act=confirm]').waitFor();
          const facts = view.impact === undefined ? [] : ['.second-step .facts-of'];
          const step = form.page.locator('.second-step');
          for (const said of [view.impact, view.choices[Number(choice) - 1]?.description])
            if (said !== undefined) await step.getByText(said).waitFor();
          assert.deepEqual(
            { text: view.text, hidden: await outside([...facts, '[data-act=confirm]']) },
            { text: view.text, hidden: [] },
          );
        }
    });
  }

  for (const [name, { width }] of ofTheDay([...Object.entries(sizes), ['the tab', { width: 720 }]] as const, 2)) {
    it(`${name}: the first line has urgency and time whole, also where the agent goes on`, async () => {
      await form.page.setViewportSize({ width, height: 450 });
      for (const mode of ['sync', 'async'] as const)
        for (const agent of ['copilot-001', 'reviewer-with-a-long-name-001']) {
          await form.send(snapshot(asynchronous({ mode, agent, urgency: 'critical' })));
          assert.deepEqual(await cut(['.headline .urgency', '.headline time']), []);
          assert.equal(await form.page.locator('.goes-on').count(), mode === 'async' ? 1 : 0);
          assert.match(await form.page.locator('.headline').innerText(), /2 min/);
        }
    });
  }

  it('what was refused is in sight, with the keyboard', async () => {
    await form.page.setViewportSize(sizes['1440x900, notes open']);
    for (const view of realQuestions) {
      await form.send(snapshot(view));
      await readAll(form.page);
      if (view.choices.length > 0) await form.page.keyboard.press('1');
      else await form.page.locator('#text').fill('Yes.');
      await settle(form.page);
      await form.page.locator('[data-act=decide]').click();
      if (view.secondStep) {
        await settle(form.page);
        await form.page.locator('[data-act=confirm]').click();
      }
      const act = (await form.posted()).findLast((message) => message.type === 'answer')?.act ?? '';
      const text = 'Saving failed: the disk is full.';
      await form.send(snapshot(view, { outcome: { type: 'refused', act, reason: 'failed', text } }));
      assert.deepEqual(await outside(['.notice-error']), []);
      assert.equal(await form.page.evaluate(() => document.activeElement?.getAttribute('data-focus')), 'refusal');
    }
  });

  it('what is missing is in sight, with the keyboard in its field', async () => {
    await form.page.setViewportSize(sizes['1440x900, notes open']);
    for (const view of realQuestions) {
      await form.send(snapshot(view));
      await readAll(form.page);
      await settle(form.page);
      await form.page.locator('[data-act=decide]').click();
      await form.page.locator('.hint').waitFor();
      await twoFrames(form.page);
      assert.deepEqual(await outside(['.hint', '[data-act=decide]']), []);
      const field = view.choices.length > 0 ? 'INPUT' : 'TEXTAREA';
      assert.equal(await form.page.evaluate(() => document.activeElement?.tagName), field);
    }
  });

  /** What of these is cut off by the line that it is in. */
  async function cut(selectors: readonly string[]): Promise<string[]> {
    await twoFrames(form.page);
    return form.page.evaluate((all) => {
      const line = document.querySelector('.headline')!.getBoundingClientRect();
      return all.filter((selector) => {
        const { left, right, top, bottom, width } = document.querySelector(selector)!.getBoundingClientRect();
        const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const covered = over?.closest(selector) === null && over.querySelector(selector) === null;
        return width < 8 || left < line.left - 1 || right > line.right + 1 || bottom > line.bottom + 3 || covered;
      });
    }, selectors);
  }

  /** What of the question, its facts and choices is shown in part, or with an ellipsis. */
  function cutTexts(): Promise<string[]> {
    return form.page.evaluate(() =>
      [...document.querySelectorAll('[data-decides], [data-decides] *')]
        .filter((one) => {
          const { textOverflow, overflow } = getComputedStyle(one);
          return textOverflow === 'ellipsis' || (overflow === 'hidden' && one.scrollHeight > one.clientHeight + 1);
        })
        .map((one) => one.outerHTML.slice(0, 120)),
    );
  }

  /** Those that are not fully visible, or are covered by something else. */
  async function outside(selectors: readonly string[]): Promise<string[]> {
    await twoFrames(form.page);
    return form.page.evaluate((all) => {
      const say = (one: Element): string[] => {
        const { top, bottom, left, height } = one.getBoundingClientRect();
        const name = `${one.id} ${one.className} ${Math.round(top)} to ${Math.round(bottom)} of ${innerHeight}`;
        if (height === 0 || top < 0 || bottom > innerHeight + 0.5) return [name];
        const over = document.elementFromPoint(left + 12, bottom - 4);
        return over !== null && one.contains(over) ? [] : [`${name} under ${over?.className ?? ''}`];
      };
      return all.flatMap((selector) => {
        const elements = [...document.querySelectorAll(selector)];
        return elements.length === 0 ? [`no ${selector}`] : elements.flatMap(say);
      });
    }, selectors);
  }
});

/** A picked choice and a recommendation look like it, and the question names its choices. */
describe('the form: choices', () => {
  const form = openForEach(questionSurface);

  const look = (selector: string) =>
    form.page
      .locator(selector)
      .first()
      .evaluate((one) => {
        const { borderTopColor: border, backgroundColor: ground, boxShadow: bar } = getComputedStyle(one);
        return { border, ground, bar };
      });
  /** Transparent, however the browser writes it. */
  const none = /^(?:rgba\(0, 0, 0, 0\)|transparent|none)$|\/ 0\)$/;

  for (const theme of themeNames)
    it(`${theme}: a picked one has the accent on its edge and a tint of it; a recommended one a badge`, async () => {
      await form.wear(theme);
      await form.send(snapshot(full()));
      await form.page.keyboard.press('2');
      await form.page.locator('.choice.picked').waitFor();
      const accent = await form.page.evaluate(() => {
        const probe = document.createElement('i');
        probe.style.color = 'var(--vscode-focusBorder)';
        document.body.append(probe);
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      });
      const [picked, other] = [await look('.choice.picked'), await look('.choice:not(.picked)')];
      assert.equal(picked.border, accent);
      assert.notEqual(other.border, accent);
      assert.doesNotMatch(picked.ground, none);
      assert.match(other.ground, none);
      assert.doesNotMatch(picked.bar, none);
      const badge = await look('.recommended');
      assert.ok(!none.test(badge.ground) || !none.test(badge.border), JSON.stringify(badge));
    });

  it('the question is the heading, and the name of the group of its choices', async () => {
    await form.send(snapshot(full()));
    const name = full().text.slice(0, 20);
    assert.equal(await form.page.getByRole('heading', { level: 1, name }).count(), 1);
    assert.equal(await form.page.getByRole('group', { name }).count(), 1);
  });
});

/** A form beside something else that has the focus: VS Code's own lists and editors, here a field around the form. */
describe('the form in the background', () => {
  let frame: Frame;
  const form = openForEach(questionSurface);

  beforeEach(async () => {
    form.keep();
    const { page } = form;
    const view = page.url();
    await page.goto(new URL('/favicon.ico', view).href);
    await page.evaluate((src) => {
      document.body.innerHTML = `<input id="palette"><iframe src="${src}" width="340" height="900"></iframe>`;
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

/** Before its first snapshot, which may take seconds, a view says that it is loading. */
describe('a view without a snapshot', () => {
  let harness: Harness;
  let form: Form;
  before(async () => {
    harness = await startHarness();
    form = await harness.open();
  });
  after(async () => {
    await form.close();
    await harness.close();
  });

  const said = () =>
    form.page.evaluate(() => {
      const { content, visibility } = getComputedStyle(document.body, '::after');
      return content === 'none' ? '' : `${content} ${visibility}`;
    });

  it('says so, not before a second has passed, and no longer once it has one', async () => {
    // The animation is paused at its ends, so that no time passes in between.
    const at = (ms: number) =>
      form.page.evaluate((time) => {
        for (const animation of document.getAnimations()) {
          animation.pause();
          animation.currentTime = time;
        }
      }, ms);
    await at(999);
    assert.equal(await said(), '"Loading…" hidden');
    await at(1_000);
    assert.equal(await said(), '"Loading…" visible');
    await form.send(snapshot(plain()));
    assert.equal(await said(), '');
    assert.deepEqual(form.complaints, []);
  });
});
