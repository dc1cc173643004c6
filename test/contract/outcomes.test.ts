/** Every kind of outcome by every channel: what docs/outcomes.md says is what each channel says. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { catalog } from '../../src/tools/catalog.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { half, heading, kinds, section } from './outcomes/page.ts';
import type { Section } from './outcomes/page.ts';
import { formatted, pageFile } from './outcomes/pageFile.ts';

const advice = 'docs/outcomes.md does not say this: run "npm run outcomes", and read what changed';

describe('each outcome, by each channel', function () {
  this.timeout(120_000);
  let page = '';
  const sections: Section[] = [];

  before(async () => {
    const whole = await readFile(pageFile, 'utf8');
    page = whole.slice(whole.indexOf(heading));
  });
  after(removeSandboxes);

  for (const kind of kinds)
    it(kind, async () => {
      const made = await section(kind);
      sections.push(made);
      const written = (await formatted(made.text)).trim();
      const [, found = ''] = page.split(`### ${made.title}\n`);
      const [own = ''] = found.split('\n### ');
      assert.equal(`### ${made.title}\n${own}`.trim(), written, advice);
    });

  it('is all there is on the page', async () => {
    assert.equal(page.trim(), (await formatted(half(sections))).trim(), advice);
  });

  it('is asked of every tool that waits', () => {
    const waiting = catalog.filter(({ input }) => 'wait_seconds' in input.shape).map(({ name }) => name);
    assert.deepEqual(
      waiting,
      ['holdpoint_raise_question', 'holdpoint_await_answer', 'holdpoint_await_request'],
      'a tool waits that no channel of test/contract/outcomes/channels.ts asks: add it there, then here',
    );
  });
});
