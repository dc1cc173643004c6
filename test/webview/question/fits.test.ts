/**
 * The form fits: the question, up to five choices and the button are in sight without scrolling, at the sizes that the
 * view has in VS Code's default layout.
 */
import assert from 'node:assert/strict';
import type { QuestionForm } from '../../../src/protocol/question/question.ts';
import { openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import type { Form } from '../harness.ts';
import { twoFrames } from '../settled.ts';
import { realQuestions } from './realQuestions.ts';
import { snapshot } from './samples.ts';

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
