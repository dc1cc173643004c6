/**
 * What a person signs has been seen: at the sizes that the view has in VS Code's default layout, all that decides is in sight
 * without scrolling, or the button opens the form in a tab.
 */
import assert from 'node:assert/strict';
import { readAll } from '../../support/answerForm.ts';
import { openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { settle, twoFrames } from '../settled.ts';
import { realQuestions } from './realQuestions.ts';
import { asynchronous, full, snapshot } from './samples.ts';

/** The view "Answer" as VS Code lays it out: 300 px wide, below the tree. The lowest has the briefing open. */
const sizes = {
  '1440x900, briefing open': { width: 300, height: 366 },
  '1440x900': { width: 300, height: 530 },
  '1280x720': { width: 300, height: 401 },
  '250 px': { width: 250, height: 366 },
  '1440x900 at 200 %': { width: 300, height: 208 },
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

  for (const [name, size] of Object.entries({ ...sizes, ...wholeWindows })) {
    const tab = name in wholeWindows;
    it(`${name}: all that decides is in sight and whole, or the button opens the form`, async () => {
      await form.page.setViewportSize(size);
      assert.equal(realQuestions.length, 20);
      let answered = 0;
      for (const view of realQuestions) {
        await form.send(snapshot(view, { tab }));
        const [missing, unseen] = [
          await outside(['[data-decides]']),
          await outside(['.headline', '[data-act=decide]']),
        ];
        const opens =
          missing.length > 0 ? await outside([tab ? '[data-act=read-on]' : '[data-act=open-to-answer]']) : [];
        const isRight = missing.length > 0 ? opens.length === 0 && unseen.length === 1 : unseen.length === 0;
        assert.ok(isRight, JSON.stringify({ text: view.text, missing, unseen, opens }));
        assert.deepEqual({ text: view.text, cut: await cutTexts() }, { text: view.text, cut: [] });
        if (missing.length === 0) answered++;
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
    // Jumping over a part does not show it.
    await form.page.evaluate(() => {
      document.querySelector('.choices')!.scrollIntoView();
    });
    await twoFrames(form.page);
    assert.equal(await form.page.locator('[data-act=decide]').count(), 0);
    await readAll(form.page);
    await settle(form.page);
    await form.page.locator('[data-act=decide]').click();
    assert.equal((await posted()).at(-1)?.type, 'answer');
    const answer = (await posted()).at(-1);
    assert.ok(answer?.type === 'answer');
    const outcome = { type: 'refused', act: answer.act, reason: 'changed', text: 'It changed.' } as const;
    await form.send(snapshot({ ...view, shown: 'sha256-changed' }, { outcome }));
    assert.equal(await form.page.locator('[data-act=open-to-answer]').count(), 1, 'another content was not seen');
  });

  const queue = { run: { index: 1, of: 2, done: 0 }, held: [] };
  for (const [name, more] of Object.entries({ 'in a tab': {}, 'below the bar of the queue': { queue } }))
    it(`${name}, the button and its keys read on to what was not on the screen`, async () => {
      await form.page.setViewportSize({ width: 700, height: 300 });
      await form.send(snapshot(full(), { tab: true, ...more }));
      const [readOn, decide] = ['read-on', 'decide'].map((act) => form.page.locator(`[data-act=${act}]`));
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

  for (const name of ['1440x900, briefing open', '1440x900', '1280x720'] as const) {
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

  for (const [name, { width }] of [...Object.entries(sizes), ['the tab', { width: 720 }]] as const) {
    it(`${name}: the first line has urgency, time and position whole, also where the agent goes on`, async () => {
      await form.page.setViewportSize({ width, height: 450 });
      for (const mode of ['sync', 'async'] as const)
        for (const agent of ['copilot-001', 'reviewer-with-a-long-name-001']) {
          await form.send(
            snapshot(asynchronous({ mode, agent, urgency: 'critical', position: { index: 12, of: 48 } })),
          );
          assert.deepEqual(await cut(['.headline .urgency', '.headline time', '.position']), []);
          assert.equal(await form.page.locator('.goes-on').count(), mode === 'async' ? 1 : 0);
          assert.match(await form.page.locator('.headline').innerText(), /2 min/);
        }
    });
  }

  it('what was refused is in sight, with the keyboard', async () => {
    await form.page.setViewportSize(sizes['1440x900, briefing open']);
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
    await form.page.setViewportSize(sizes['1440x900, briefing open']);
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
