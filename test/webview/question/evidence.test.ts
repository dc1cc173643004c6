/** Long texts open as documents, in the narrow form and in the tab; short ones have no link. */
import assert from 'node:assert/strict';
import { onlyPosted, openForEach } from '../eachForm.ts';
import { questionSurface } from '../harness.ts';
import { full, plain, snapshot } from './samples.ts';

const long = Array.from({ length: 60 }, (_, n) => `+ line ${String(n)}`).join('\n');

describe('the form: long texts as documents', () => {
  const form = openForEach(questionSurface);

  const links = () => form.page.locator('.as-document').allInnerTexts();

  for (const tab of [false, true])
    it(`${tab ? 'in the tab' : 'in the view'}: the context opens as a document without unfolding it first`, async () => {
      await form.send(snapshot(plain({ snippet: { text: long } }), { tab }));
      assert.deepEqual(await links(), ['Open context as a document']);
      await form.page.locator('[data-act=document-context]').click();
      assert.deepEqual(await onlyPosted(form, 'openEvidence'), {
        type: 'openEvidence',
        key: 'w1/Q-12',
        part: 'context',
      });
    });

  it('background and payload as well', async () => {
    await form.send(
      snapshot(plain({ background: 'word '.repeat(300), payload: JSON.stringify(long.split('\n'), null, 2) })),
    );
    assert.deepEqual(await links(), ['Open background as a document', 'Open payload as a document']);
  });

  it('a text that the fold shows whole has no link; one that it does not has one', async () => {
    await form.page.setViewportSize({ width: 300, height: 366 });
    const cut = async (lines: number) => {
      const text = long.split('\n').slice(0, lines).join('\n');
      await form.send(snapshot(plain({ snippet: { text } })));
      const fold = form.page.locator('details').filter({ has: form.page.locator('.snippet') });
      if (!(await fold.evaluate((one) => (one as HTMLDetailsElement).open))) await fold.locator('summary').click();
      return form.page.locator('.snippet').evaluate((one) => one.scrollHeight > one.clientHeight + 1);
    };
    assert.deepEqual([await cut(6), await links()], [false, []]);
    assert.deepEqual([await cut(9), await links()], [true, ['Open context as a document']]);
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
