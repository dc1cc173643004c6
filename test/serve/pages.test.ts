/** The pages of the built server in a real browser: list, forms, live updates and interruptions. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Request } from 'playwright-core';
import { payloads } from '../webview/untrusted/payloads.ts';
import { makeSandbox } from '../support/store/sandbox.ts';
import { day, someOf } from '../support/runs.ts';
import { until } from '../support/until.ts';
import { liveAttributes, overflow, signedIn, sizes, violations, visit, withBrowser, type Visit } from './browser.ts';
import { type Served, startServe } from './program.ts';
import { everyPath, fillEveryPage } from './everyPage.ts';
import { signIn } from './streams.ts';

describe('the pages of the server', () => {
  let browser: Browser;
  let served: Served;
  let here: Visit;

  withBrowser(async (...started) => {
    [browser, served] = started;
    await served.agent('work', 'register', '--id', 't-1', '--kind', 'task', '--title', 'API tokens');
    const choices = ['--choice', 'Use JWT: stateless', '--choice', 'Use sessions', '--recommended', 'Use JWT'];
    const held = ['--blocking-task-id', 't-1', '--holds', 'src/auth/**', '--urgency', 'high', '--type', 'decision'];
    await served.agent('question', 'create', '--text', 'JWT or sessions?', ...held, ...choices);
    here = await signedIn(browser, served);
    return here;
  });

  const open = async (path: string) => {
    await here.page.goto(`${served.origin}${path}`);
    await here.page.locator('.browser-inbox h1').waitFor({ state: 'attached' });
    await here.page.locator('main[data-view]').waitFor({ state: 'attached' });
  };

  it('ask for a code first, accessibly', async () => {
    const stranger = await visit(browser, served);
    await stranger.page.goto(`${served.origin}/open/Q-1`);
    await stranger.page.getByLabel('Code').fill('AAAA-BBBB-CCCC');
    await stranger.page.keyboard.press('Enter');
    await stranger.page.getByText('does not open a session').waitFor();
    assert.deepEqual(await violations(stranger.page), []);
    assert.deepEqual(stranger.complaints, []);
    await stranger.close();
  });

  it('show the list first, and then the form of an item, in one column on a phone', async () => {
    await open('/');
    const row = here.page.getByRole('link', { name: 'JWT or sessions?' });
    await row.waitFor();
    assert.equal(await here.page.locator('main[data-view]').isVisible(), false);
    await row.click();
    await here.page.getByRole('heading', { name: 'JWT or sessions?' }).waitFor();
    assert.match(here.page.url(), /\/open\/Q-1$/);
    await here.page.getByText('To decide, add a passkey').waitFor();
    assert.equal(await here.page.locator('.browser-inbox').isVisible(), false);
    await here.page.getByRole('link', { name: 'All items' }).click();
    await row.waitFor();
  });
  it('are worked by keyboard alone', async () => {
    await here.page.setViewportSize(sizes.phone);
    await open('/');
    const row = here.page.getByRole('link', { name: 'JWT or sessions?' });
    await row.waitFor();
    for (let turn = 0; turn < 10 && !(await row.evaluate((element) => element === document.activeElement)); turn += 1)
      await here.page.keyboard.press('Tab');
    await here.page.keyboard.press('Enter');
    await here.page.getByRole('heading', { name: 'JWT or sessions?' }).waitFor();
  });

  it('change when an agent asks something, also after an interruption', async () => {
    await open('/');
    await served.agent('question', 'create', '--text', 'Which port?', '--mode', 'async', '--assumption', '80');
    await here.page.getByRole('link', { name: 'Which port?' }).waitFor();
    await here.page.context().setOffline(true);
    await here.page.getByText('You are offline').waitFor();
    await served.agent('question', 'create', '--text', 'Which host?', '--mode', 'async', '--assumption', 'db');
    await here.page.context().setOffline(false);
    await here.page.getByRole('link', { name: 'Which host?' }).waitFor();
    await here.page.getByText('You are offline').waitFor({ state: 'detached' });
  });

  it('ask for little before they show a form: each request is a round trip of a phone', async () => {
    const asked: string[] = [];
    const note = (request: Request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(session|pages)/.test(pathname)) asked.push(pathname.replace(/[0-9a-f-]{36}/, 'ID'));
    };
    here.page.on('request', note);
    await here.page.goto(`${served.origin}/open/Q-1`);
    await here.page.getByRole('heading', { name: 'JWT or sessions?' }).waitFor();
    here.page.off('request', note);
    assert.deepEqual(asked, ['/pages/ID/events', '/pages/ID/messages']);
  });

  it('send a message again on the next stream if it got no answer', async () => {
    let sent = 0;
    await here.page.route('**/messages', (route) => ((sent += 1) === 1 ? undefined : route.continue()));
    await here.page.goto(`${served.origin}/open/Q-1`);
    await until('a message without an answer', () => sent === 1);
    await here.page.evaluate(() => dispatchEvent(new Event('offline')));
    await here.page.getByRole('heading', { name: 'JWT or sessions?' }).waitFor();
    await here.page.unroute('**/messages');
  });

  it('say that the session has ended with the server, and show the way back', async () => {
    const sandbox = makeSandbox();
    const first = await startServe(sandbox);
    const there = await signedIn(browser, first);
    await first.stop();
    await there.page.getByText('The server does not answer').waitFor();
    const again = await startServe(sandbox, ['--port', new URL(first.origin).port]);
    await there.page.getByText('You are signed out').waitFor();
    await there.page.getByRole('link', { name: 'Sign in' }).click();
    await there.page.getByLabel('Code').fill(again.code);
    await there.page.keyboard.press('Enter');
    await there.page.getByText('Nothing is waiting for you.').waitFor();
    await there.close();
    await again.stop();
  });

  it('run nothing of what an agent wrote', async () => {
    const hostile = payloads.filter((text) => !/\p{Cc}/u.test(text.replace(/[\t\n]/g, '')));
    const perQuestion = 60;
    for (let from = 0; from < hostile.length; from += perQuestion) {
      const some = hostile.slice(from, from + perQuestion);
      const [text = '', first = '', second = ''] = some;
      const background = some.join('\n\n').slice(0, 9_000);
      const args = [
        '--text',
        text.slice(0, 300),
        '--background',
        background,
        '--mode',
        'async',
        '--assumption',
        first.slice(0, 300),
      ];
      const raised = await served.agent('question', 'create', ...args, '--impact', second.slice(0, 300));
      const id = /Q-\d+/.exec(raised.out)?.[0];
      assert.ok(id, raised.err);
      await open(`/open/${id}`);
      await here.page.locator('main[data-view=question]').waitFor({ state: 'attached' });
      assert.deepEqual(await liveAttributes(here.page), []);
      assert.deepEqual(here.complaints, []);
    }
    await open('/');
    assert.deepEqual(await violations(here.page), []);
  });
});

/** Every page and form of the built server in a real browser, with hostile texts in all of them. */
const looks: Readonly<Record<string, BrowserContextOptions & { readonly size: keyof typeof sizes }>> = {
  'on a phone': { size: 'phone' },
  'on a dark phone': { size: 'phone', colorScheme: 'dark' },
  'on a phone with forced colors': { size: 'phone', forcedColors: 'active' },
  'on a tablet': { size: 'tablet' },
  'on a desk': { size: 'desk' },
};

describe('every page', () => {
  let served: Served;
  let here: Visit;

  withBrowser(async (browser, started) => {
    served = started;
    const passkey = await fillEveryPage(served);
    here = await visit(browser, served);
    const [name = '', value = ''] = (await signIn(served.origin, passkey)).split('=');
    await here.page.context().addCookies([{ name, value, url: served.origin }]);
    return here;
  });

  async function open(path: string): Promise<void> {
    await here.page.goto(`${served.origin}${path}`);
    const shown = path === '/passkey' ? 'main.login' : path === '/' ? '.browser-inbox li' : 'main[data-view] *';
    await here.page.locator(shown).first().waitFor({ state: 'attached' });
  }

  for (const [turn, [where, { size, ...look }]] of Object.entries(looks).entries())
    it(`is accessible and fits ${where}, and runs nothing of what an agent wrote`, async () => {
      await here.page.setViewportSize(sizes[size]);
      await here.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', ...look } as object);
      for (const path of someOf(everyPath, day + turn)) {
        await open(path);
        const found = {
          path,
          live: await liveAttributes(here.page),
          violations: await violations(here.page),
          over: await overflow(here.page),
          complaints: here.complaints,
        };
        assert.deepEqual(found, { path, live: [], violations: [], over: 0, complaints: [] });
      }
    });

  it('is not shown in a frame', async () => {
    const stranger = await here.page.context().newPage();
    for (const path of everyPath) {
      await stranger.goto('about:blank');
      await stranger.setContent(`<iframe src="${served.origin}${path}"></iframe>`);
      await stranger.waitForFunction(() => document.querySelector('iframe')?.contentDocument === null);
      const [, frame] = stranger.frames();
      assert.match(frame?.url() ?? '', /^chrome-error:/, path);
    }
    await stranger.close();
  });
});
