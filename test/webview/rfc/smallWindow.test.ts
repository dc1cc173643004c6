/** The review of an RFC in a small window. */
import assert from 'node:assert/strict';
import { openForEach } from '../eachForm.ts';
import { rfcSurface } from '../harness.ts';
import { full, snapshot } from './samples.ts';

describe('the review in a small window', () => {
  const form = openForEach(rfcSurface);

  for (const [width, height] of [
    [250, 700],
    [720, 450],
  ] as const)
    it(`leaves most of ${String(width)}x${String(height)} to the text, and entries of the list still jump`, async () => {
      await form.page.setViewportSize({ width, height });
      await form.send(snapshot(full()));
      const bar = (await form.page.locator('.bar').boundingBox())!;
      assert.ok(bar.height <= height / 3, String(bar.height));
      const [label, picker] = [form.page.getByText('Compare with'), form.page.locator('#compare')];
      assert.ok(Math.abs((await label.boundingBox())!.y - (await picker.boundingBox())!.y) < 12);
      await form.page.locator('[data-act="jump"]').last().click();
      assert.notEqual(await form.page.evaluate(() => document.activeElement?.getAttribute('data-focus') ?? ''), '');
      form.keep();
    });
});
