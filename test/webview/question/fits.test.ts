/**
 * The form fits: the question, up to five choices and the button are in sight without scrolling, at the sizes that the
 * view has in VS Code's default layout.
 */
import assert from 'node:assert/strict';
import type { QuestionForm } from '../../../src/protocol/question/question.ts';
import { openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import type { Form } from '../harness.ts';
import { settle, twoFrames } from '../settled.ts';
import { realQuestions } from './realQuestions.ts';
import { asynchronous, snapshot } from './samples.ts';

/** The view "Answer" as VS Code lays it out: 300 px wide, below the tree. The lowest has the briefing open. */
const sizes = {
  '1440x900, briefing open': { width: 300, height: 366 },
  '1440x900': { width: 300, height: 530 },
  '1920x1080': { width: 300, height: 640 },
  '1280x720': { width: 300, height: 401 },
  '250 px': { width: 250, height: 366 },
  '1440x900 at 200 %': { width: 300, height: 208 },
} as const;

describe('the form fits', function () {
  this.timeout(60_000);
  let form: Form;
  openForEach(questionSurface, (opened) => {
    form = opened;
  });

  for (const [name, size] of Object.entries(sizes)) {
    it(`${name}: question, choices and button`, async () => {
      await form.page.setViewportSize(size);
      for (const view of realQuestions) {
        await form.show(snapshot(view));
        assert.deepEqual({ text: view.text, hidden: await hidden(view) }, { text: view.text, hidden: [] });
      }
    });

    it(`${name}: the button of the second step`, async () => {
      await form.page.setViewportSize(size);
      for (const view of realQuestions.filter(({ secondStep }) => secondStep)) {
        await form.send(snapshot(view));
        await form.page.keyboard.press('1');
        await form.page.locator('[data-act=decide]').click();
        await form.page.locator('[data-act=confirm]').waitFor();
        assert.deepEqual(
          { text: view.text, hidden: await outside(['[data-act=confirm]']) },
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
      if (view.choices.length > 0) await form.page.keyboard.press('1');
      else await form.page.locator('#text').fill('Yes.');
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
      await form.send(snapshot({ ...view, answersAs: { name: '', editable: true } }));
      if (view.choices.length > 0) await form.page.keyboard.press('1');
      else await form.page.locator('#text').fill('Yes.');
      await form.page.locator('[data-act=decide]').click();
      await form.page.locator('.hint').waitFor();
      await twoFrames(form.page);
      assert.deepEqual(await outside(['.hint', '[data-act=decide]']), []);
      assert.equal(await form.page.evaluate(() => document.activeElement?.getAttribute('data-focus')), 'name');
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

  function hidden({ choices }: QuestionForm): Promise<string[]> {
    assert.ok(choices.length <= 5);
    return outside(['.question-text', '[data-act=decide]', choices.length === 0 ? '#text' : '.choice']);
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
