/** A picked choice and a recommendation look like it, and the question names its choices. */
import assert from 'node:assert/strict';
import { openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { themeNames } from '../themes.ts';
import { full, snapshot } from './samples.ts';

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
