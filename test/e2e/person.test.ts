/** The whole way, as a person goes it: from the notification to the answer, by keys or by mouse, in every theme. */
import { AxeBuilder } from '@axe-core/playwright';
import assert from 'node:assert/strict';
import { questionShown, readAll } from '../support/answerForm.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

const choices = [
  { label: 'JWT', description: 'Signed and stateless.' },
  { label: 'Sessions', description: 'One delete revokes it.', recommended: true },
];

describe('A person answers', () => {
  let { window, agent } = {} as OnSample;
  onSample(async (opened) => {
    ({ window, agent } = opened);
    await agent.register('t-1', 'API tokens', { holds: ['src/auth.js'] });
    await agent.register('t-2', 'Token page', { status: 'todo', dependsOn: ['t-1'] });
  });

  const answers = () =>
    [...(agent.workspace.standing().state?.questions.values() ?? [])].map(({ resolution }) => resolution?.answer);

  /** The centre: the driver of tests switches toasts off. */
  const notification = (text: string) =>
    window.page.locator('.notifications-center .notification-list-item', { hasText: text });

  it('by keyboard alone, four presses: a chord opens the question, then pick and answer', async () => {
    await agent.ask('JWT or sessions?', { work: 't-1', urgency: 'high', choices });
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await window.command('Notifications: Show Notifications');
    await notification('builder-001 stopped: JWT or sessions? Holds 2 items.').waitFor();
    let presses = 0;
    const press = async (key: string) => {
      presses++;
      await window.page.keyboard.press(key);
    };
    await press('Control+K');
    await press('h');
    const form = await window.webview('main[data-ready="true"] #choice-0:focus');
    await readAll(form);
    await press('2');
    await press('Control+Enter');
    await form.locator('.result-answered').waitFor();
    assert.equal(presses, 4);
    assert.deepEqual(answers(), [{ choices: ['Sessions'] }]);
  });

  it('by mouse, three clicks', async () => {
    // What a visible list has comes without a notification.
    await window.command('View: Show Explorer');
    await agent.ask('Which algorithm?', {
      work: 't-1',
      urgency: 'high',
      choices: [{ label: 'EdDSA' }, { label: 'RS256' }],
    });
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await window.command('Notifications: Show Notifications');
    const one = notification('Which algorithm?');
    await one.hover();
    await one.getByRole('button', { name: 'Answer' }).click();
    const form = await questionShown(window);
    await form.locator('main[data-ready="true"]').waitFor();
    await readAll(form);
    await form.locator('main[data-ready="true"]').getByText('EdDSA', { exact: true }).click();
    await form.locator('[data-act="decide"]').click();
    await form.locator('.result-answered').waitFor();
    assert.deepEqual(answers()[1], { choices: ['EdDSA'] });
  });

  it('"Later" puts it off, and decides nothing', async () => {
    await window.command('View: Show Explorer');
    await agent.ask('Which curve?', { work: 't-1', urgency: 'high' });
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await window.command('Notifications: Show Notifications');
    const one = notification('Which curve?');
    await one.hover();
    await one.getByRole('button', { name: 'Later' }).click();
    await one.waitFor({ state: 'detached' });
    assert.equal(agent.workspace.standing().state?.questions.get('Q-3')?.resolution, null);
  });

  it('the default keys open the first form, and the list', async () => {
    await window.command('View: Show Explorer');
    await window.page.keyboard.press('Control+K');
    await window.page.keyboard.press('h');
    await window.webview('#text:focus');
    await window.page.keyboard.press('Control+K');
    await window.page.keyboard.press('Shift+H');
    await window.page.locator('.pane-body .monaco-list:focus-within, .pane-body .monaco-list:focus').first().waitFor();
  });

  it('has the roles and names that screen readers read', async () => {
    await agent.ask('Redis or Postgres?', { work: 't-1', urgency: 'critical', choices, multiple: true });
    await window.command('Answer Next Question');
    const form = await questionShown(window);
    await form.locator('.question-text', { hasText: 'Redis or Postgres?' }).waitFor();
    await form.getByRole('heading', { name: 'Redis or Postgres?' }).waitFor();
    const group = form.getByRole('group', { name: 'Redis or Postgres?' });
    assert.equal(await group.getByRole('checkbox').count(), choices.length + 1);
    await group.getByRole('checkbox', { name: 'None of these' }).waitFor();
    await group.getByRole('checkbox', { name: 'Sessions recommended' }).waitFor();
    await form.getByRole('textbox', { name: 'Add a reason' }).waitFor();
    await form.getByRole('button', { name: 'Answer…', exact: true }).waitFor();
    await window.page.getByRole('treeitem', { name: /^critical, stopped, Redis or Postgres\?, .*holds 2/ }).waitFor();
  });

  describe('in the window', () => {
    before(() => window.command('Holdpoint: Open Notes'));

    for (const theme of ['Light 2026', 'Dark 2026', 'Default High Contrast Light', 'Default High Contrast']) {
      it(`${theme}: nothing that keeps people out`, async () => {
        const kind = await window.evaluate(async ({ vscode }, name) => {
          const changed = new Promise<void>((resolve) => {
            const listening = vscode.window.onDidChangeActiveColorTheme(() => {
              listening.dispose();
              resolve();
            });
          });
          const settings = vscode.workspace.getConfiguration();
          if (settings.get('workbench.colorTheme') === name) return vscode.window.activeColorTheme.kind;
          await settings.update('workbench.colorTheme', name, vscode.ConfigurationTarget.Global);
          await changed;
          return vscode.window.activeColorTheme.kind;
        }, theme);
        const kinds = ['', 'vscode-light', 'vscode-dark', 'vscode-high-contrast', 'vscode-high-contrast-light'];
        for (const page of [await questionShown(window), await window.webview('main[data-view="briefing"]')]) {
          await page.locator(`body.${kinds[kind]!}`).waitFor();
          // The background behind the page is the sidebar's, which the page itself cannot measure.
          await page.evaluate(() => {
            document.documentElement.style.background = 'var(--vscode-sideBar-background)';
          });
        }
        const axe = new AxeBuilder({ page: window.page }).include({
          fromFrames: ['iframe.webview.ready', 'iframe#active-frame', 'body'],
        });
        const { violations, passes } = await axe.analyze();
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
          [],
        );
        assert.ok(passes.some(({ id }) => id === 'color-contrast'));
      });
    }

    it('at 200 %: nothing is cut off, nothing scrolls sideways', async () => {
      const size = window.page.viewportSize()!;
      await window.page.setViewportSize({ width: size.width / 2, height: size.height / 2 });
      const form = await questionShown(window);
      const over = await form.evaluate(() => {
        const edge = document.documentElement.clientWidth;
        const out = [...document.querySelectorAll('main *')].filter(
          (one) => one.closest('.sr-only') === null && one.getBoundingClientRect().right > edge + 0.5,
        );
        return [document.documentElement.scrollWidth > edge ? 'page' : '', ...out.map((one) => one.outerHTML)].join('');
      });
      assert.equal(over, '');
      await window.page.setViewportSize(size);
      assert.deepEqual(window.webviewErrors, []);
    });
  });
});
