/** Compares docs/outcomes.md with the output of every channel for every kind of outcome. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { operations } from '../../src/tools/catalog.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { half, heading, kinds, section, type Section } from './outcomes/page.ts';
import { formatted, pageFile } from './outcomes/pageFile.ts';

const advice = 'docs/outcomes.md differs: run "npm run outcomes" and review the change';

describe('each outcome on each channel', function () {
  this.timeout(240_000);
  let page = '';
  const sections: Section[] = [];

  before(async () => {
    const whole = await readFile(pageFile, 'utf8');
    page = whole.slice(whole.indexOf(heading));
  });
  after(removeSandboxes);

  for (const kind of kinds)
    it(`${kind} is as documented`, async () => {
      const made = await section(kind);
      sections.push(made);
      const written = (await formatted(made.text)).trim();
      const [, found = ''] = page.split(`### ${made.title}\n`);
      const [own = ''] = found.split('\n### ');
      assert.equal(`### ${made.title}\n${own}`.trim(), written, advice);
    });

  it('is on the page, with nothing else', async () => {
    assert.equal(page.trim(), (await formatted(half(sections))).trim(), advice);
  });

  it('is requested from every tool that waits', () => {
    const waiting = operations.filter(({ input }) => 'wait_seconds' in input.shape).map(({ name }) => name);
    assert.deepEqual(
      waiting,
      ['raise_question', 'await_answer', 'await_request'],
      'a tool that waits has no channel: add it to test/contract/outcomes/channels.ts, then here',
    );
  });
});
