/** Precedents in a real browser: signed and ended by a passkey, and a use taken back. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { PrecedentView } from '../../src/app/question/precedents.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { addDevice, launch, overflow, signedIn, violations } from './browser.ts';
import type { Device, Visit } from './browser.ts';
import { enrol } from './enrolling.ts';
import { startServe } from './program.ts';
import type { Served } from './program.ts';

describe('a precedent in a browser', function () {
  this.timeout(240_000);
  let browser: Browser;
  let served: Served;
  let here: Visit;
  let device: Device;

  before(async () => {
    [browser, served] = await Promise.all([launch(), startServe()]);
    here = await signedIn(browser, served);
    device = await addDevice(here.page);
    await enrol(here, served, 'Ada', '/');
  });
  after(async () => {
    await here.close();
    await browser.close();
    await served.stop();
    removeSandboxes();
  });
  afterEach(() => {
    assert.deepEqual(here.complaints, []);
  });

  const act = (name: string) => here.page.locator(`main[data-ready=true] [data-act=${name}]`);

  async function open(path: string): Promise<void> {
    await here.page.goto(`${served.origin}${path}`);
    await here.page.locator('main[data-ready=true]').waitFor();
  }

  /** What the agent reads when it asks to add a dependency. */
  async function asks(name: string): Promise<string> {
    const text = `Add dependency \`${name}\`?`;
    const choices = ['--choice', 'Add it', '--choice', 'Leave it'];
    return (await served.agent('question', 'create', '--text', text, '--type', 'decision', ...choices)).out;
  }

  async function precedents(): Promise<readonly PrecedentView[]> {
    const { out } = await served.agent('precedent', 'list', '--json');
    return (JSON.parse(out) as { readonly precedents: PrecedentView[] }).precedents;
  }

  /** A phone shows it in light and dark, without anything beyond its edge. */
  async function looksRight(): Promise<void> {
    for (const colorScheme of ['dark', 'light'] as const) {
      await here.page.emulateMedia({ colorScheme });
      const folder = process.env['HOLDPOINT_PICTURES'];
      if (folder !== undefined)
        await here.page.screenshot({ path: `${folder}/${String(Date.now())}-${colorScheme}.png`, fullPage: true });
      assert.deepEqual([await violations(here.page), await overflow(here.page)], [[], 0]);
    }
  }

  it('is drafted from an answer, shows what it would have answered as the human types, and takes the passkey', async () => {
    assert.match(await asks('react'), /Q-1/);
    await asks('vue');
    await open('/open/Q-1');
    await here.page.keyboard.press('1');
    await act('decide').click();
    await act('precedents').click();
    await here.page.waitForURL(`${served.origin}/precedents/Q-1`);
    const earlier = here.page.locator('[data-part=earlier] li');
    await until('both earlier questions', async () => (await earlier.count()) === 2);
    await looksRight();
    const text = here.page.locator('#text');
    await text.fill('Add dependency `{name: one of react|zod}`?');
    await until('only the question that fits', async () => (await earlier.count()) === 1);
    await text.fill('Remove `{name: word}`?');
    await here.page.locator('[data-part=problem]').waitFor();
    assert.equal(await act('decide').count(), 0);
    await text.fill('Add dependency `{name: word}`?');
    await until('both earlier questions again', async () => (await earlier.count()) === 2);
    await device.verifies(false);
    await act('decide').click();
    await act('confirm').click();
    await here.page.getByText('Not signed: nothing was decided.').first().waitFor();
    assert.deepEqual(await precedents(), []);
    await device.verifies(true);
    await act('decide').click();
    await looksRight();
    await act('confirm').click();
    await here.page.getByText('Signed: P-1. Such questions are answered from now on.').first().waitFor();
    await here.page.waitForURL(`${served.origin}/precedents`);
    const [signed] = await precedents();
    assert.deepEqual([signed?.id, signed?.signed_by, signed?.status], ['P-1', 'Ada', 'in_force']);
  });

  it('answers, and its use is taken back with the passkey: the question waits again', async () => {
    assert.match(await asks('zod'), /Q-3 answered by the precedent P-1 that Ada signed/);
    await open('/open/Q-3');
    await here.page.locator('[data-part=precedent]').getByText('P-1').waitFor();
    await act('takeBack').click();
    await here.page.locator('#text').fill('Not this one.');
    await act('decide').click();
    await until('the use is taken back', async () => (await precedents())[0]?.uses[0]?.taken_back_by === 'Ada');
    assert.match((await served.agent('question', 'await', 'Q-3', '--wait', '0')).out, /Q-3 is still waiting/);
  });

  it('is ended with the passkey from the list', async () => {
    await open('/precedents');
    await here.page.getByText('used 1 of 20 times').waitFor();
    await looksRight();
    await act('end-P-1').click();
    await here.page.locator('[id="end.P-1"]').fill('Enough.');
    await act('end-now-P-1').click();
    await here.page.getByText('Ended: P-1. Its earlier answers still stand.').first().waitFor();
    const [one] = await precedents();
    assert.deepEqual([one?.status, one?.ended_by, one?.end_reason], ['ended', 'Ada', 'Enough.']);
    assert.match(await asks('lodash'), /Q-4(?! answered)/);
    await looksRight();
  });
});
