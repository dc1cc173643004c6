/** Long texts and files of a question: a tab shows them whole. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { full, plain, snapshot } from './samples.ts';

const long = Array.from({ length: 60 }, (_, n) => `+ line ${String(n)}`).join('\n');

describe('the form: long texts and files', () => {
  const form = openForEach(questionSurface);

  it('in the tab the context is whole, without unfolding it first', async () => {
    await form.send(snapshot(plain({ snippet: long }), { tab: true }));
    const isCut = await form.page.locator('.snippet').evaluate((one) => one.scrollHeight > one.clientHeight + 1);
    assert.equal(isCut, false);
    assert.ok((await form.page.locator('.snippet').innerText()).endsWith('+ line 59'));
  });

  it('files open at their line from the tab too', async () => {
    await form.send(snapshot(full(), { tab: true }));
    const [file] = full().files;
    await form.page.locator('[data-part=files] button.chip').first().click();
    assert.deepEqual(await onlyPosted(form, 'openFile'), {
      ...{ type: 'openFile', key: 'w1/Q-12', path: file?.path },
      ...(file?.line === undefined ? {} : { line: file.line }),
    });
  });
});
