/** Project memory in a real editor: the view follows, other programs post, people record and close, the code says it. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { badge } from '../support/answerForm.ts';
import { openEditor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { extensionReady } from '../support/tools.ts';
import { onSample, type OnSample } from '../support/onSample.ts';

describe('The view "Briefing"', () => {
  let { workspace: folder, editor, window } = {} as OnSample;

  /** Another program, as an agent's shell. */
  const shell = async (...args: string[]) => {
    const called = await holdpoint({ workspace: folder.folder, env: editor.env }, ...args);
    assert.equal(called.code, 0, called.err);
    return called.out;
  };
  const post = (type: string, text: string, ...more: string[]) =>
    shell('post', '--type', type, '--text', text, ...more);
  const edit = (file: string) =>
    window.evaluate(async ({ vscode }, name) => {
      const [root] = vscode.workspace.workspaceFolders ?? [];
      await vscode.window.showTextDocument(vscode.Uri.joinPath(root!.uri, name), { preview: false });
    }, file);
  const view = () => window.webview('main[data-view="briefing"]');
  const focusOf = (frame: Frame, name: string) => frame.locator('h1.focus', { hasText: name }).waitFor();
  const event = (frame: Frame, title: string) => frame.locator('.event', { hasText: title });

  onSample(
    async (opened) => {
      ({ workspace: folder, editor, window } = opened);
      for (const file of ['src/auth/login.ts', 'src/db/migrate.ts', 'docs/notes.md']) {
        await mkdir(path.dirname(path.join(folder.folder, file)), { recursive: true });
        await writeFile(path.join(folder.folder, file), 'export {};\n// two\n// three\n// four\n');
      }
      await window.evaluate(({ vscode }) => vscode.commands.executeCommand('holdpoint.briefing.show'), undefined);
    },
    { empty: true },
  );

  it('begins calm, about the whole project', async () => {
    const frame = await view();
    await frame.getByText('Notes for people and agents appear here').waitFor();
    await focusOf(frame, 'The whole project');
  });

  it('follows the editor, and shows what concerns the file there', async () => {
    await post('decision', 'We use JWT', '--scope', 'src/auth');
    await post('warning', 'The pool is small', '--scope', 'src/db/migrate.ts');
    await edit('src/auth/login.ts');
    const frame = await view();
    await focusOf(frame, 'login.ts');
    await frame.locator('[data-section=relevant] .event', { hasText: 'We use JWT' }).waitFor();
    await frame.locator('[data-section=other] .event', { hasText: 'The pool is small' }).waitFor();
    await edit('src/db/migrate.ts');
    await focusOf(frame, 'migrate.ts');
    await frame.locator('[data-section=relevant] .event', { hasText: 'The pool is small' }).waitFor();
    await frame.locator('[data-section=other] .event', { hasText: 'We use JWT' }).waitFor();
  });

  it('says why it is about the whole project', async () => {
    await window.evaluate(async ({ vscode }) => {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'draft' }));
    }, null);
    const frame = await view();
    await frame.getByText('is not saved yet, so the briefing covers the whole project').waitFor();
    await focusOf(frame, 'The whole project');
    await window.evaluate(async ({ vscode }) => {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }, null);
  });

  it('stays with a file that is pinned', async () => {
    await edit('src/auth/login.ts');
    const frame = await view();
    await focusOf(frame, 'login.ts');
    await frame.locator('[data-act=pin]').click();
    await frame.locator('[data-act=pin][aria-pressed=true]').waitFor();
    await edit('src/db/migrate.ts');
    await post('discovery', 'Seen while pinned', '--scope', 'src/auth/login.ts');
    await frame.locator('[data-section=relevant] .event', { hasText: 'Seen while pinned' }).waitFor();
    await focusOf(frame, 'login.ts');
    await frame.locator('[data-act=pin]').click();
    await focusOf(frame, 'migrate.ts');
  });

  it('shows what another program posts; a critical warning notifies once', async () => {
    // What a visible view lists comes without a notification.
    await window.command('View: Show Explorer');
    await post('warning', 'Migrations cannot be taken back', '--priority', 'critical', '--scope', 'src/db');
    const status = window.page.locator('.statusbar-item', { hasText: '1 warning' });
    await status.waitFor();
    assert.doesNotMatch((await status.getAttribute('class')) ?? '', /error-kind/, 'red is for questions');
    // The centre has what the toasts had: this host shows no toasts.
    await window.command('Notifications: Show Notifications');
    const notices = window.page.locator('.notifications-center .notification-list-item', {
      hasText: 'Critical warning from shell-001: Migrations cannot be taken back',
    });
    await notices.waitFor();
    await window.command('Focus on Notes View');
    const frame = await view();
    await frame.locator('[data-section=critical] .event', { hasText: 'Migrations cannot be taken back' }).waitFor();
    await post('decision', 'Something else');
    await event(frame, 'Something else').waitFor();
    // The centre closes when the focus goes elsewhere.
    await window.command('Notifications: Show Notifications');
    await notices.first().waitFor();
    assert.equal(await notices.count(), 1);
    await window.command('Notifications: Clear All Notifications');
    await status.click();
    await frame.locator('[data-section=critical]').waitFor();
  });

  it('says it in the code and in the explorer', async () => {
    await edit('src/db/migrate.ts');
    const line = (text: string) => window.page.locator('.codelens-decoration', { hasText: text }).waitFor();
    await line('1 critical warning · 1 warning');
    // A file that is opened again has the line it had before, until it is drawn with what was recorded meanwhile.
    await edit('src/auth/login.ts');
    await post('warning', 'The index is slow', '--scope', 'src/db/migrate.ts');
    await edit('src/db/migrate.ts');
    await line('1 critical warning · 2 warnings');
    await post('warning', 'The table is large', '--scope', 'src/db/migrate.ts');
    await line('1 critical warning · 3 warnings');
    await window.command('Focus on Files Explorer');
    // The mark is drawn by a style sheet, behind the name of the folder.
    const marked = (name: string, sign: string) =>
      window.page.waitForFunction(
        (wanted) =>
          [...document.querySelectorAll('.explorer-folders-view .monaco-icon-label')].some(
            (label) =>
              label.querySelector('.label-name')?.textContent === wanted.name &&
              getComputedStyle(label, '::after').content.includes(wanted.sign),
          ),
        { name, sign },
      );
    await marked('db', '!');
    await shell('work', 'register', '--id', 't-1', '--title', 'Notes', '--files', 'docs');
    await shell('question', 'create', '--text', 'May I?', '--blocking-task-id', 't-1');
    await marked('docs', 'H');
    await window.screenshot('briefing-explorer');
    await window.command('Holdpoint: Open Notes');
  });

  it('records a warning where the reader points', async () => {
    await edit('src/auth/login.ts');
    await window.evaluate(({ vscode }) => {
      const active = vscode.window.activeTextEditor;
      if (active) active.selection = new vscode.Selection(1, 0, 2, 3);
    }, null);
    await window.run('holdpoint.event.recordWarning');
    const frame = await view();
    const text = frame.getByLabel('What should others know?');
    await frame.locator('form.post').waitFor();
    assert.equal(await text.inputValue(), '[login.ts:2-3](src/auth/login.ts#L2): ');
    assert.equal(await frame.getByLabel('About').inputValue(), 'src/auth/login.ts');
    await text.press('End');
    await text.pressSequentially('never log this');
    await frame.locator('main[data-ready=true]').waitFor();
    await frame.locator('[data-act=post]').click();
    await frame.getByText('Posted.', { exact: true }).waitFor();
    await frame.locator('[data-section=relevant] .event', { hasText: 'login.ts:2-3: never log this' }).waitFor();
    const found = JSON.parse(await shell('search', 'never log', '--json')) as { events: Record<string, unknown>[] };
    assert.equal(found.events[0]?.['author_kind'], 'human');
    assert.equal(found.events[0]['author'], 'Ada Lovelace');
  });

  it('resolves in place, with a reason', async () => {
    const frame = await view();
    const row = event(frame, 'Migrations cannot be taken back');
    await row.locator('summary').click();
    await row.locator('[data-act=resolve]').click();
    await row.locator('textarea').fill('There is a way back since today.');
    await frame.locator('main[data-ready=true]').waitFor();
    await row.locator('[data-act=decide]').click();
    await window.page.locator('.statusbar-item', { hasText: '1 warning' }).waitFor({ state: 'detached' });
    assert.match(await shell('search', 'way back since today'), /was resolved by Ada Lovelace/);
  });

  it('signs nothing in the first moment of what it shows', async () => {
    const frame = await view();
    // The host's clock stops, so that moment does not end there; the page has a clock of its own.
    await window.evaluate(() => {
      const now = performance.now();
      Object.defineProperty(performance, 'now', { configurable: true, value: () => now });
    }, null);
    await post('warning', 'The cache is stale');
    const row = event(frame, 'The cache is stale');
    await row.locator('summary').click();
    await row.locator('[data-act=resolve]').click();
    await row.locator('textarea').fill('It is fresh.');
    await frame.locator('main[data-ready=true]').waitFor();
    await row.locator('[data-act=decide]').click();
    await row.getByText('This form was updated. Check it and try again.').waitFor();
    assert.doesNotMatch(await shell('search', 'cache is stale'), /was resolved/);
    await window.evaluate(() => Reflect.deleteProperty(performance, 'now'), null);
    await frame.locator('main[data-ready=true]').waitFor();
    await row.locator('[data-act=decide]').click();
    await row.locator('textarea').waitFor({ state: 'detached' });
    assert.match(await shell('search', 'cache is stale'), /was resolved by Ada Lovelace/);
  });

  it('lets an agent propose what only a human may close', async () => {
    const id = /(E-\d+)/.exec(await shell('search', 'never log'))?.[1] ?? '';
    assert.match(
      await shell('resolve', id, '--reason', 'It is not logged any more.'),
      /Your proposal waits in the editor/,
    );
    const frame = await view();
    const row = frame.locator('[data-section=proposals] .event', { hasText: 'never log this' });
    await row.waitFor();
    await window.command('Show Waiting Items');
    const item = window.page.locator('.pane-body .monaco-list-row', { hasText: 'proposes to close it' });
    await item.waitFor();
    await badge(window, 2).waitFor();
    await item.click();
    const shown = await view();
    const proposal = shown.locator('[data-section=proposals] .event', { hasText: 'never log this' });
    await proposal.getByText('It is not logged any more.').waitFor();
    await shown.locator('main[data-ready=true]').waitFor();
    await window.screenshot('briefing-proposal');
    await proposal.locator('[data-act=accept]').click();
    await shown.locator('[data-section=proposals]').waitFor({ state: 'detached' });
    assert.match(await shell('search', 'never log'), /was resolved by Ada Lovelace: It is not logged any more/);
    await badge(window, 1).waitFor();
  });

  it('keeps inside its policy', () => {
    assert.deepEqual(window.webviewErrors, []);
  });
});

describe('The view "Briefing" without a folder', () => {
  it('says what to do', async () => {
    const editor = await openEditor({});
    try {
      await extensionReady(editor.window);
      await editor.window.command('Holdpoint: Open Notes');
      const none = await editor.window.webview('main[data-view="unavailable"]');
      await none.getByText('No folder is open').waitFor();
    } finally {
      await editor.close();
    }
  });
});
